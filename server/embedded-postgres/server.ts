import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { reasonOf } from '../durable-files/index.ts';
import { type Account, accountFor } from './account.ts';
import { findBinaries } from './binaries.ts';
import { administratorRole, platformRole, prepareCluster } from './cluster.ts';
import { type DirectoryLock, inUse, lockDirectory, ownerOf, readOwner } from './lock.ts';
import { launch, type Postmaster } from './postmaster.ts';
import { type Progress, withProgress } from './progress.ts';
import { PostgresStartError } from './start-error.ts';

/** A PostgreSQL server that accepts connections. */
export interface PostgresServer {
  /** For the platform's role and database, like DATABASE_URL. */
  connectionString: string;
  /** For the superuser. */
  administratorConnectionString: string;
  /** Shuts the server down, unless another process runs it. Close all connections first. */
  stop(): Promise<void>;
}

interface PostgresOptions {
  /** DATA_DIR. Its directory `postgres` contains the data. Created if it does not exist. */
  dataDirectory: string;
  /** The account that PostgreSQL runs as if this process is root's. Default: see `accountFor`. */
  runAs?: string | undefined;
  /** Default: true. False only if the data may be lost, as in tests. */
  fsync?: boolean;
  /** Default: 100. A platform uses about 30. */
  maxConnections?: number;
  /** Receives each line of the server's log. */
  log?: (line: string) => void;
  progress?: Progress;
  /** Called when the server's process has been started, before it accepts connections. */
  onLaunch?: (() => void) | undefined;
}

/**
 * Starts the embedded PostgreSQL on a data directory and creates the database if it does not exist. The server listens
 * on a Unix socket that only this user and root can use. It is restarted at the same address if it exits unexpectedly,
 * and stops when this process exits.
 *
 * @throws PostgresStartError and leaves nothing running
 */
export async function startPostgres(options: PostgresOptions): Promise<PostgresServer> {
  if (process.platform === 'win32') {
    throw new PostgresStartError(
      'binaries',
      'The embedded PostgreSQL does not run on Windows: set DATABASE_URL.',
    );
  }
  const dataDirectory = resolve(options.dataDirectory);
  const lock = await lockDirectory(dataDirectory);
  try {
    return await startLocked(dataDirectory, lock, options);
  } catch (error) {
    lock.release();
    if (error instanceof PostgresStartError) throw error;
    throw new PostgresStartError('directory', `PostgreSQL cannot use ${dataDirectory}: ${reasonOf(error)}.`, {
      cause: error,
    });
  }
}

/**
 * Finds the server that another process runs on the data directory, if any. Waits for one that is starting.
 *
 * @throws PostgresStartError `in_use` if it is not ready within a minute, `directory` if this user has no access
 */
export async function findPostgres(
  options: Pick<PostgresOptions, 'dataDirectory' | 'progress'>,
): Promise<PostgresServer | undefined> {
  const dataDirectory = resolve(options.dataDirectory);
  const find = async () => {
    const deadline = Date.now() + 60_000;
    for (;;) {
      const owner = ownerOf(dataDirectory);
      if (!owner) return undefined;
      if (owner.socketDirectory) return { ...connectionStrings(owner.socketDirectory), stop: async () => {} };
      if (Date.now() > deadline) throw inUse(dataDirectory, owner.pid);
      await sleep(50);
    }
  };
  return withProgress(find(), 'waiting for the process that is using the database', options.progress);
}

/** Uses the running server if there is one, else starts one: for commands beside the platform. */
export async function usePostgres(options: PostgresOptions): Promise<PostgresServer> {
  return (await findPostgres(options)) ?? (await startPostgres(options));
}

async function startLocked(
  dataDirectory: string,
  lock: DirectoryLock,
  { runAs, fsync = true, maxConnections, log, progress, onLaunch }: PostgresOptions,
): Promise<PostgresServer> {
  removeSocketDirectory(readOwner(dataDirectory)?.socketDirectory);
  lock.publish({ pid: process.pid });
  const cluster = join(dataDirectory, 'postgres');
  const { account, warning } = accountFor(cluster, runAs);
  if (warning) progress?.(warning);
  const binaries = await withProgress(findBinaries(account), 'preparing PostgreSQL', progress);
  await prepareCluster({ cluster, account, binaries, fsync, progress });
  const socketDirectory = makeSocketDirectory(account);
  const { postgres } = binaries;
  const settings = { cluster, account, postgres, socketDirectory, fsync, maxConnections, log, onLaunch };
  const start = () => launch(settings);
  try {
    const first = await withProgress(start(), 'starting PostgreSQL', progress);
    const stopServer = keepRunning(first, start, log);
    lock.publish({ pid: process.pid, socketDirectory });
    const shutDown = async () => {
      await stopServer();
      removeSocketDirectory(socketDirectory);
      lock.release();
    };
    let stopped: Promise<void> | undefined;
    const stop = () => {
      stopped ??= shutDown();
      return stopped;
    };
    return { ...connectionStrings(socketDirectory), stop };
  } catch (error) {
    removeSocketDirectory(socketDirectory);
    throw error;
  }
}

/** Restarts the server if it exits unexpectedly, for example when it was killed for lack of memory. */
function keepRunning(
  first: Postmaster,
  start: () => Promise<Postmaster>,
  log: (line: string) => void = () => {},
): () => Promise<void> {
  const stopping = new AbortController();
  let current = Promise.resolve<Postmaster | undefined>(first);
  const restart = async (): Promise<Postmaster | undefined> => {
    while (!stopping.signal.aborted) {
      try {
        log('WARNING:  PostgreSQL ended, and is restarted');
        const postmaster = await start();
        watch(postmaster);
        return postmaster;
      } catch (error) {
        log(`WARNING:  ${(error as Error).message}`);
        await sleep(1_000, undefined, { ref: false });
      }
    }
    return undefined;
  };
  const watch = (postmaster: Postmaster) => {
    postmaster.ended.then(() => {
      if (!stopping.signal.aborted) current = restart();
    });
  };
  watch(first);
  return async () => {
    stopping.abort();
    await (await current)?.stop();
  };
}

function connectionStrings(socketDirectory: string): Omit<PostgresServer, 'stop'> {
  const connectionString = (role: string, database: string) =>
    `postgresql://${role}@localhost/${database}?host=${encodeURIComponent(socketDirectory)}`;
  return {
    connectionString: connectionString(platformRole, platformRole),
    administratorConnectionString: connectionString(administratorRole, 'postgres'),
  };
}

const socketPrefix = 'wrp-postgres-';
// The limit of macOS. Linux allows 107 bytes.
const maxSocketPathBytes = 103;

function makeSocketDirectory(account: Account): string {
  const parent = [tmpdir(), '/tmp'].find((path) => {
    const socket = join(path, `${socketPrefix}XXXXXX`, '.s.PGSQL.5432');
    return Buffer.byteLength(socket) <= maxSocketPathBytes && !/["%?#]/.test(path);
  });
  const directory = mkdtempSync(join(parent ?? '/tmp', socketPrefix));
  if (account) chownSync(directory, account.uid, account.gid);
  return directory;
}

function removeSocketDirectory(directory: string | undefined): void {
  if (directory && basename(directory).startsWith(socketPrefix))
    rmSync(directory, { recursive: true, force: true });
}
