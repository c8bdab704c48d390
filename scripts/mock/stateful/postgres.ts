import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import {
  type PostgresServer,
  type Progress,
  startPostgres,
} from '../../../server/embedded-postgres/index.ts';
import { administer } from '../../../server/postgres-client/index.ts';
import { openLogger } from '../../../server/src/observability/logger.ts';
import { digestOf } from '../../prepare/digest.mjs';

/** The mock has one environment. */
export const schema = 'production';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const defaultCache = join(root, '.cache/mock-database');
/** Everything that the empty database depends on. */
const sources = [
  'package-lock.json',
  'server/embedded-postgres',
  'server/postgres-client',
  'server/job-queue',
  'server/src/jobs',
  'server/src/store',
];
const cluster = 'postgres';
const run = promisify(execFile);
/** After this time, a draft belongs to a mock that was killed. */
const longestDraft = 60_000;

export interface MockPostgresOptions {
  dataDirectory: string;
  progress?: Progress;
  /** Where the empty database is kept. Default: in the project. */
  cache?: string;
  /** Names what the empty database depends on. Default: a digest of the sources. */
  key?: string;
}

/**
 * Starts the PostgreSQL of a mock, with empty tables of the platform and of its job queue. The first start creates the
 * database and keeps it, compressed; later ones extract it, until its sources change. Its data need not survive a power
 * failure.
 *
 * @throws {PostgresStartError} and leaves nothing running
 */
export async function startMockPostgres(options: MockPostgresOptions): Promise<PostgresServer> {
  const { dataDirectory, progress, cache = defaultCache, key } = options;
  const start = () => startPostgres({ dataDirectory, fsync: false, ...(progress && { progress }) });
  const kept = join(cache, key ?? digestOf(sources).slice(0, 16));
  if (existsSync(kept)) {
    try {
      await run('tar', ['-xzf', kept, '-C', dataDirectory]);
      return await start();
    } catch {
      // Incomplete, or of another user.
      await rm(join(dataDirectory, cluster), { recursive: true, force: true });
      await rm(kept, { recursive: true, force: true }).catch(() => {});
    }
  }
  await createTables(await start());
  const draft = `${kept}.${randomUUID()}`;
  try {
    await mkdir(cache, { recursive: true });
    await run('tar', ['-czf', draft, '-C', dataDirectory, cluster]);
    keep(draft, kept).catch(() => rm(draft, { force: true }));
  } catch {
    // The cache cannot be written.
    await rm(draft, { force: true }).catch(() => {});
  }
  return start();
}

/** Stops the server at the end. */
async function createTables(server: PostgresServer): Promise<void> {
  try {
    const [{ migrate }, { openJobs }] = await Promise.all([
      import('../../../server/src/store/migrate.ts'),
      import('../../../server/src/jobs/jobs.ts'),
    ]);
    const connection = server.connectionString;
    await migrate({ connection, schema });
    const logger = openLogger('silent');
    const jobs = await openJobs({ connection, logger, works: false, schema: `${schema}_jobs` });
    await jobs.stop();
    // Half of the files, which nobody uses: each start writes them again.
    for (const name of ['template0', 'template1']) {
      await administer(server.administratorConnectionString, `alter database ${name} is_template false`);
      await administer(server.administratorConnectionString, `drop database ${name}`);
    }
  } finally {
    await server.stop();
  }
}

/** Replaces the databases of other sources. Written to disk first, so that a power failure leaves a complete one. */
async function keep(draft: string, kept: string): Promise<void> {
  // For one file system alone only on Linux.
  await run('sync', []);
  const cache = join(kept, '..');
  for (const name of await readdir(cache)) {
    const path = join(cache, name);
    const isDraft = name.includes('.');
    const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0);
    if (path !== draft && path !== kept && (!isDraft || age > longestDraft)) {
      await rm(path, { recursive: true, force: true });
    }
  }
  // Another mock was first if this fails.
  await rename(draft, kept);
}
