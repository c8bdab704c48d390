import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { type Database, openDatabase } from '../../server/src/store/database.ts';
import { migrate } from '../../server/src/store/migrate.ts';
import { cloneDatabase } from '../support/postgres.ts';

const folder = new URL('example-migrations/', import.meta.url);
const { connectionString: connection } = await cloneDatabase();

/** A schema whose table exists: what is pending changes it, and then builds an index outside a transaction. */
async function oneTable(schema: string): Promise<Database> {
  const database = openDatabase({ connection, schema, poolSize: 3 });
  for (const statement of [
    `create schema ${schema}`,
    'create table things (id int primary key, name text)',
    'create table migrations (name text primary key, timestamp text not null)',
    "insert into migrations values ('0001-table', now())",
  ])
    await sql.raw(statement).execute(database);
  return database;
}

test('a migration that waits for a table lets the requests behind it pass', async () => {
  const database = await oneTable('waiting');
  const reading = Promise.withResolvers<void>();
  const reader = database.transaction().execute(async (transaction) => {
    await sql`lock table things in access share mode`.execute(transaction);
    await reading.promise;
  });
  const migrating = migrate({ connection, schema: 'waiting', folder });
  const waits: number[] = [];
  for (let id = 0; id < 30; id++) {
    const since = performance.now();
    await sql`insert into things (id) values (${id})`.execute(database);
    waits.push(performance.now() - since);
    await sleep(100);
  }
  reading.resolve();
  await reader;
  expect(await migrating).toEqual(['0002-column', '0003-index']);
  // One of them has waited until the migration gave up; a second is the bound, and the machine may be busy.
  expect(Math.max(...waits)).toBeGreaterThan(500);
  expect(waits.filter((milliseconds) => milliseconds > 500).length).toBeLessThan(4);
  expect(Math.max(...waits)).toBeLessThan(5_000);
  await database.destroy();
});

test('an index is built once, outside a transaction, by one of several processes that start together', async () => {
  const database = await oneTable('together');
  const runs = await Promise.all(
    Array.from({ length: 4 }, () => migrate({ connection, schema: 'together', folder })),
  );
  expect(runs.flat()).toEqual(['0002-column', '0003-index']);
  const { rows } = await sql<{ valid: boolean }>`
    select indisvalid as valid from pg_index where indexrelid = 'things_named'::regclass`.execute(database);
  expect(rows).toEqual([{ valid: true }]);
  await database.destroy();
});
