import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { databaseOf, openConnections } from '../../server/src/store/database.ts';
import { beforeTransaction, transact } from '../../server/src/store/transact.ts';
import { cloneDatabase } from '../support/postgres.ts';

const clone = await cloneDatabase();

test('work before a transaction is done once, without a connection, and what came before it is rolled back', async () => {
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

test('work that fails ends the change', async () => {
  const pool = openConnections({ connection: clone.connectionString, schema: 'production', poolSize: 1 });
  onTestFinished(() => pool.end());
  const failing = transact(databaseOf(pool), async (transaction) =>
    beforeTransaction(transaction, 'check', () => Promise.reject(new Error('too busy'))),
  );
  await expect(failing).rejects.toThrow('too busy');
});
