import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import type { TestProject } from 'vitest/node';
import { ownerOf, startPostgres } from '../../server/embedded-postgres/index.ts';
import { administer } from '../../server/postgres-client/index.ts';
import { openJobs } from '../../server/src/jobs/jobs.ts';
import { openLogger } from '../../server/src/observability/logger.ts';
import { type Database, openDatabase } from '../../server/src/store/database.ts';
import { migrate } from '../../server/src/store/migrate.ts';
import { atEnd, runsRoot } from './temporary.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The run's PostgreSQL: the superuser's connection string. */
    postgres: string;
  }
}

export const environments = ['production', 'sandbox'] as const;

const template = 'wrp';
const directoryPrefix = 'wrp-test-';
const dataName = 'postgres';

/** One server for the whole run, with a database to clone: migrated, and with the tables of the job queue. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  removeLeftOvers();
  const runDirectory = mkdtempSync(join(runsRoot(), directoryPrefix));
  const dataDirectory = join(runDirectory, dataName);
  mkdirSync(dataDirectory);
  const logger = openLogger('silent');
  // The last processes of tests may not have ended yet.
  const remove = () => rmSync(runDirectory, { recursive: true, force: true, maxRetries: 10 });
  try {
    const server = await startPostgres({ dataDirectory, fsync: false, maxConnections: 400 });
    const connection = server.connectionString;
    for (const schema of environments) {
      await migrate({ connection, schema });
      // Creating the queue's tables takes several times as long as finding them, in each database.
      const jobs = await openJobs({ connection, logger, works: false, schema: `${schema}_jobs` });
      await jobs.stop();
    }
    project.provide('runDirectory', runDirectory);
    project.provide('postgres', server.administratorConnectionString);
    return async () => {
      await server.stop();
      remove();
    };
  } catch (error) {
    remove();
    throw error;
  }
}

/** Removes directories of killed runs; young ones may belong to another run. */
function removeLeftOvers(): void {
  const root = runsRoot();
  for (const name of readdirSync(root)) {
    const directory = join(root, name);
    if (!name.startsWith(directoryPrefix)) continue;
    const age = Date.now() - (statSync(directory, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (age < 3_600_000 || ownerOf(join(directory, dataName)) !== undefined) continue;
    rmSync(directory, { recursive: true, force: true });
  }
}

export interface ClonedDatabase {
  /** The platform's own role; the schemas are `environments`. */
  connectionString: string;
}

/**
 * A database for the test that clones it, or for its file. It is dropped after what they open later has ended.
 *
 * @param source connection string of a database to copy, with nobody connected to it; default: a migrated, empty one
 */
export async function cloneDatabase(source?: string): Promise<ClonedDatabase> {
  const administrator = inject('postgres');
  const original = source ? new URL(source).pathname.slice(1) : template;
  const name = `clone_${crypto.randomUUID().replaceAll('-', '')}`;
  // Copying files is faster without fsync.
  await administer(
    administrator,
    `create database ${name} template ${original} owner wrp strategy file_copy`,
  );
  const url = new URL(administrator);
  url.username = 'wrp';
  url.pathname = name;
  atEnd(() => administer(administrator, `drop database ${name} with (force)`));
  return { connectionString: url.href };
}

/** The tables of a schema in a database for the test that opens it, or for its file. */
export async function openClone({
  source,
  schema = 'production',
}: {
  source?: string | undefined;
  schema?: string;
} = {}): Promise<ClonedDatabase & { database: Database }> {
  const cloned = await cloneDatabase(source);
  const database = openDatabase({ connection: cloned.connectionString, schema, poolSize: 4 });
  atEnd(() => database.destroy());
  return { ...cloned, database };
}

/** The tables of production in a database for this test file. */
export const emptyDatabase = async (): Promise<Database> => (await openClone()).database;
