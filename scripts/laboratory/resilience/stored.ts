import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { findPostgres } from '../../../server/embedded-postgres/index.ts';
import { isUnavailable } from '../../../server/postgres-client/index.ts';
import { blobDirectory, isDatabaseUrl } from '../../../server/src/config.ts';

/** What a platform has stored of uploads. */
export interface Stored {
  /** Files of the blob store: complete, incoming and in quarantine. */
  files: string[];
  /** Rows that refer to a file. */
  rows: number;
  /** Rows of idempotency keys. */
  keys: number;
}

/** Reads the files and rows of a running platform's production environment. */
export async function readStored(dataDirectory: string): Promise<Stored> {
  const { resources, attachments, keys } = await inDatabase(dataDirectory, async (client) => {
    const { rows } = await client.query(`select
      (select count(*)::int from production.resources) as resources,
      (select count(*)::int from production.attachments) as attachments,
      (select count(*)::int from production.idempotency_keys) as keys`);
    return rows[0];
  });
  const entries = await readdir(blobDirectory(dataDirectory, 'production'), {
    recursive: true,
    withFileTypes: true,
  });
  const files = entries.filter((entry) => entry.isFile() && entry.name !== 'store-id');
  return {
    files: files.map(({ parentPath, name }) => join(parentPath, name)).sort(),
    rows: resources + attachments,
    keys,
  };
}

/** What one of two readings has and the other lacks, in sentences. */
export function differencesOf(before: Stored, after: Stored): string[] {
  const known = new Set(before.files);
  const left = new Set(after.files);
  return [
    ...after.files.filter((file) => !known.has(file)).map((file) => `the file ${file} is left over`),
    ...before.files.filter((file) => !left.has(file)).map((file) => `the file ${file} is gone`),
    ...(after.rows === before.rows
      ? []
      : [`there are ${after.rows} rows of files instead of ${before.rows}`]),
    ...(after.keys === before.keys
      ? []
      : [`there are ${after.keys} idempotency keys instead of ${before.keys}`]),
  ];
}

/** Runs a query on the database of the platform that runs on a data directory. */
export async function inDatabase<Result>(
  dataDirectory: string,
  use: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = await openClient(dataDirectory);
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

const longestStart = 60_000;

/** Connects to a database, or to that of the platform that runs on a data directory. Waits while it restarts. */
export async function openClient(place: string): Promise<pg.Client> {
  const connectionString = isDatabaseUrl(place)
    ? place
    : (await findPostgres({ dataDirectory: place }))?.connectionString;
  if (!connectionString) throw new Error('No platform runs on that data directory.');
  const deadline = performance.now() + longestStart;
  for (;;) {
    const client = new pg.Client({ connectionString });
    client.on('error', () => {});
    try {
      await client.connect();
      return client;
    } catch (error) {
      await client.end().catch(() => {});
      if (!isUnavailable(error) || performance.now() > deadline) throw error;
      await sleep(200);
    }
  }
}
