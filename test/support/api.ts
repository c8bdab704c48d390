import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe } from 'node:diagnostics_channel';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';

import { sql } from 'kysely';
import { freshPortal } from '../../scripts/prepare/built-portal.ts';
import type { BlobStore } from '../../server/blobs/index.ts';
import type { LoadedContract } from '../../server/contract/index.ts';
import { type Config, type EnvironmentName, environmentNames, readConfig } from '../../server/src/config.ts';
import type { Dependencies } from '../../server/src/dependencies.ts';
import type { JobQueue } from '../../server/src/jobs/jobs.ts';
import { openLogger } from '../../server/src/observability/logger.ts';
import { servePlatform } from '../../server/src/server.ts';
import type { Database } from '../../server/src/store/database.ts';
import { type Actors, createActors } from './actors.ts';
import { theContract } from './contract.ts';
import { observeResponses } from './declared-responses.ts';
import { type Clock, type Given, given, type World } from './given.ts';
import { serveInstallation } from './installation.ts';
import { cloneDatabase } from './postgres.ts';
import { givenBucket, onS3 } from './s3.ts';
import { atEnd, temporaryRoot } from './temporary.ts';

export type { Clock };

export interface Api extends Actors {
  baseUrl: string;
  sandboxUrl: string;
  /** On 127.0.0.1, even with a public URL. */
  ports: Record<'production' | 'sandbox', number>;
  metricsPort: number | undefined;
  /** The tables of production. */
  database: Database;
  sandboxDatabase: Database;
  /** The job queue of production. */
  jobs: JobQueue;
  /** The connections of production. */
  pools: Dependencies['environments'][number]['pools'];
  /** The stored files of production. */
  blobs: BlobStore;
  /** The objects that exist from the start. */
  world: World;
  given: Given;
  clock: Clock;
  /** DATA_DIR of this platform. */
  dataDirectory: string;
  /** Every line that the platform logged, parsed. */
  log: Record<string, unknown>[];
  /**
   * The text of every statement that handling a request has sent to the database. What workers send meanwhile, for
   * mail or maintenance, is not among them.
   */
  statements: string[];
  /** Shuts the platform down before the end of the test file; see `PlatformServer.close`. */
  close(grace: number): Promise<void>;
}

export interface ApiSettings extends Partial<Config> {
  /** `running`: the time of day, for tests of the job queue, which uses the database's clock. */
  clock?: 'standing' | 'running';
  /** Maximum number of history entries of an execution. */
  maxHistoryEntries?: number;
  /** The environments whose events can be polled for. Default: both, so that sweeps reach every operation. */
  pollable?: readonly EnvironmentName[];
  /** Default: the published contract. */
  contract?: LoadedContract;
}

/** The server key of every platform of a test, for tests that forge what only the platform can sign. */
export const testServerKey = 'test'.repeat(11);

/** Set in everything that a request to any server of this process causes, and nowhere else. */
const request = new AsyncLocalStorage<true>();
subscribe('http.server.request.start', () => request.enterWith(true));

/**
 * The whole platform, for real, on free ports: a database of its own, files in a directory of its own, both
 * environments. It ends with the test that opens it, or with the test file. In the Vitest project `s3`, it is two servers and two workers with files in
 * S3.
 *
 * @param settings over the defaults; budgets are wide by default
 */
export async function api({
  clock: kind = 'standing',
  maxHistoryEntries,
  pollable = environmentNames,
  contract,
  ...settings
}: ApiSettings = {}): Promise<Api> {
  const cloned = settings.databaseUrl ? undefined : await cloneDatabase();
  const ownDirectory = settings.dataDirectory ? undefined : await mkdtemp(join(temporaryRoot(), 'wrp-api-'));
  const dataDirectory = settings.dataDirectory ?? (ownDirectory as string);
  const bucket = givenBucket();
  // Where tests look for stored files.
  if (bucket) await symlink(bucket.directory, join(dataDirectory, 'blobs'));
  const wide = { requests: 1_000_000, uploads: 1_000_000, signIns: 1_000_000 };
  const config: Config = {
    ...readConfig({ DATA_DIR: dataDirectory, SERVER_KEY: testServerKey }),
    ports: { production: 0, sandbox: 0 },
    budgets: wide,
    refusedAttempts: wide.requests,
    // So that several requests can wait for one row.
    databaseConnections: 52,
    databaseUrl: cloned?.connectionString,
    s3: bucket?.s3,
    ...settings,
  };
  const log: Record<string, unknown>[] = [];
  const statements: string[] = [];
  const clock = kind === 'running' ? runningClock() : standingClock();
  // Before connections are opened, which would time out on a busy machine.
  const loaded = contract ?? (await theContract());
  const server = await (onS3() ? serveInstallation : servePlatform)({
    config,
    loadContract: async () => loaded,
    logger: openLogger('info', { write: (line) => void log.push(JSON.parse(line)) }),
    progress: () => {},
    openPortal: freshPortal,
    now: clock.now,
    maxHistoryEntries,
    pollable,
    onStatement: (text) => {
      if (request.getStore()) statements.push(text);
    },
  });
  observeResponses(Object.values(server.ports), loaded);
  atEnd(async () => {
    await server.close();
    if (ownDirectory) await rm(ownDirectory, { recursive: true, force: true });
  });
  const [production, sandbox] = server.dependencies.environments;
  if (!production || !sandbox) throw new Error('The platform serves two environments.');
  await withoutSchedules(production.database);
  const { production: baseUrl, sandbox: sandboxUrl } = server.baseUrls;
  const { world, ...making } = await given(production.database, clock);
  return {
    baseUrl,
    sandboxUrl,
    ports: server.ports,
    metricsPort: server.metricsPort,
    database: production.database,
    sandboxDatabase: sandbox.database,
    jobs: production.jobs,
    pools: production.pools,
    blobs: production.blobs,
    world,
    given: making,
    clock,
    dataDirectory,
    log,
    statements,
    close: server.close,
    ...createActors(baseUrl, world),
  };
}

/** Removes scheduled jobs, which would interfere with what tests check. */
async function withoutSchedules(database: Database): Promise<void> {
  for (const schema of ['production_jobs', 'sandbox_jobs']) {
    await sql`delete from ${sql.table(`${schema}.schedule`)}`.execute(database);
  }
}

function standingClock(): Clock {
  let at = Date.parse('2026-11-19T09:00:00.000Z');
  return {
    now: () => new Date(at),
    forward: (milliseconds) => {
      at += milliseconds;
    },
  };
}

function runningClock(): Clock {
  let ahead = 0;
  return {
    now: () => new Date(Date.now() + ahead),
    forward: (milliseconds) => {
      ahead += milliseconds;
    },
  };
}
