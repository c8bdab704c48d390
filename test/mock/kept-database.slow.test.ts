import { mkdtempSync, readdirSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startMockPostgres } from '../../scripts/mock/stateful/postgres.ts';
import type { PostgresServer } from '../../server/embedded-postgres/index.ts';
import { temporaryRoot } from '../support/temporary.ts';

const temporaryDirectory = () => mkdtempSync(join(temporaryRoot(), 'mock-'));
const cache = join(temporaryDirectory(), 'cache');
const servers: PostgresServer[] = [];
afterAll(() => Promise.all(servers.map((server) => server.stop())));

async function start(directory = cache): Promise<PostgresServer> {
  const server = await startMockPostgres({ dataDirectory: temporaryDirectory(), cache: directory });
  servers.push(server);
  return server;
}

async function query(server: PostgresServer, statement: string): Promise<unknown[][]> {
  const client = new pg.Client({ connectionString: server.connectionString });
  await client.connect();
  try {
    return (await client.query({ text: statement, rowMode: 'array' })).rows;
  } finally {
    await client.end();
  }
}

/** PostgreSQL gives each cluster one when it creates it. */
const identifierOf = (server: PostgresServer) =>
  query(server, 'select system_identifier from pg_control_system()');
const tablesOf = (server: PostgresServer) =>
  query(server, "select count(*)::int from pg_tables where schemaname in ('production', 'production_jobs')");
const keptNames = () => readdirSync(cache);

// Two mocks that start for the first time, at once.
let first: PostgresServer;
beforeAll(async () => {
  [first] = (await Promise.all([start(), start()])) as [PostgresServer, PostgresServer];
  await vi.waitFor(() => expect(keptNames()).toEqual([expect.stringMatching(/^[0-9a-f]{16}$/)]), 60_000);
});

test('a later mock starts with a copy of the kept database, tables included', async () => {
  const [later, last] = [await start(), await start()];
  expect(await identifierOf(later)).toEqual(await identifierOf(last));
  expect(await tablesOf(later)).toEqual(await tablesOf(first));
  expect(await tablesOf(later)).not.toEqual([[0]]);
});

test('a mock does not see the data of another', async () => {
  const [one, other] = [await start(), await start()];
  await query(one, 'create table production.mine (id int)');
  expect(await tablesOf(other)).toEqual(await tablesOf(first));
});

test('a mock replaces a kept database that is incomplete', async () => {
  truncateSync(join(cache, keptNames()[0] as string), 100_000);
  const server = await start();
  expect(await tablesOf(server)).toEqual(await tablesOf(first));
  await vi.waitFor(() => expect(keptNames()).toEqual([expect.stringMatching(/^[0-9a-f]{16}$/)]), 60_000);
  expect(await identifierOf(await start())).toEqual(await identifierOf(server));
});

test('a mock starts even if the database cannot be kept', async () => {
  const file = fileURLToPath(import.meta.url);
  const server = await start(join(file, 'cache'));
  expect(await tablesOf(server)).toEqual(await tablesOf(first));
});
