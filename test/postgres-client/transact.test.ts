import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { openConnections } from '../../server/postgres-client/index.ts';
import { afterCommit, beforeTransaction, transact } from '../../server/postgres-client/transact.ts';
import { type Database, databaseOf } from '../../server/src/store/database.ts';
import { cloneDatabase } from '../support/postgres.ts';
import { until } from '../support/waiting.ts';

const clone = await cloneDatabase();

test('beforeTransaction rolls back, does its work once without a connection, and runs the change again', async () => {
  const pool = openConnections({ connection: clone.connectionString, schema: 'production', poolSize: 1 });
  onTestFinished(() => pool.end());
  const database = databaseOf(pool);
  const seen: { inUse: number; organizations: number }[] = [];
  const organizations = async () => {
    const rows = await database.selectFrom('organizations').select('id').execute();
    return rows.length;
  };
  const before = await organizations();
  const id = await transact(database, async (transaction) => {
    const { id } = await transaction
      .insertInto('organizations')
      .values({ id: randomUUID(), name: 'A' })
      .returning('id')
      .executeTakeFirstOrThrow();
    const done = beforeTransaction(transaction, 'check', async () => {
      seen.push({ inUse: pool.usage().inUse, organizations: await organizations() });
      return 'done';
    });
    expect(done).toBe('done');
    return id;
  });
  expect(id).toBeTruthy();
  expect(seen).toEqual([{ inUse: 0, organizations: before }]);
  expect(await organizations()).toBe(before + 1);
});

test('beforeTransaction fails the change if its work fails', async () => {
  const pool = openConnections({ connection: clone.connectionString, schema: 'production', poolSize: 1 });
  onTestFinished(() => pool.end());
  const failing = transact(databaseOf(pool), async (transaction) =>
    beforeTransaction(transaction, 'check', () => Promise.reject(new Error('too busy'))),
  );
  await expect(failing).rejects.toThrow('too busy');
});

test('a change that a deadlock or a migration interrupted runs again', async () => {
  const pool = openConnections({ connection: clone.connectionString, schema: 'production', poolSize: 2 });
  onTestFinished(() => pool.end());
  const database = databaseOf(pool);
  const [first, second] = [randomUUID(), randomUUID()];
  const rows = [first, second].map((id) => ({ id, name: 'A' }));
  await database.insertInto('organizations').values(rows).execute();
  const rename = (transaction: Database, id: string) =>
    transaction
      .updateTable('organizations')
      .set({ name: 'B' })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
  let [runs, locked, committed] = [0, 0, 0];
  const both = async (ids: [string, string]) => {
    await transact(database, async (transaction) => {
      runs += 1;
      // On a busy machine, the repeat could meet the other change again.
      if (runs > 2) await until(() => committed === 1);
      await rename(transaction, ids[0]);
      locked += 1;
      // Each has one of the rows before it takes the other.
      await until(() => locked >= 2);
      await rename(transaction, ids[1]);
    });
    committed += 1;
  };
  await Promise.all([both([first, second]), both([second, first])]);
  expect(runs).toBe(3);

  await sql`alter table organizations add column interrupting text`.execute(database);
  const renamed = await Promise.all(
    [first, second].map((id) => transact(database, (change) => rename(change, id))),
  );
  expect(renamed).toMatchObject(rows.map(({ id }) => ({ id, name: 'B', interrupting: null })));
});

test('afterCommit runs its work when the change is visible, and never after a rollback', async () => {
  const pool = openConnections({ connection: clone.connectionString, schema: 'production', poolSize: 2 });
  onTestFinished(() => pool.end());
  const database = databaseOf(pool);
  const id = randomUUID();
  const found: Promise<unknown>[] = [];
  const change = (fails: boolean) =>
    transact(database, async (transaction) => {
      await transaction.insertInto('organizations').values({ id, name: 'A' }).execute();
      afterCommit(transaction, () => {
        found.push(database.selectFrom('organizations').select('id').where('id', '=', id).execute());
      });
      if (fails) throw new Error('refused');
    });
  await expect(change(true)).rejects.toThrow('refused');
  expect(found).toEqual([]);
  await change(false);
  expect(await Promise.all(found)).toEqual([[{ id }]]);
});
