import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Account, accountFor } from './account.ts';
import { findBinaries } from './binaries.ts';
import { administratorRole, platformRole, prepareCluster } from './cluster.ts';
import { type DirectoryLock, inUse, lockDirectory, ownerOf, readOwner } from './lock.ts';
import { launch, type Postmaster } from './postmaster.ts';
import { announced, type Progress } from './progress.ts';
import { PostgresStartError, reasonOf } from './start-error.ts';

/** A PostgreSQL server that can be connected to. */
export interface PostgresServer {
  /** As DATABASE_URL would be: the platform's own role and database. */
  connectionString: string;
  /** The superuser's. */
  administratorConnectionString: string;
  /** Shuts the server down, unless another process runs it. Connections should be closed before. */
  stop(): Promise<void>;
}

export interface PostgresOptions {
  /** DATA_DIR; the data lies in its folder `postgres`. Made where it is missing. */
  dataDirectory: string;
  /** The account that PostgreSQL runs as where this process is root's; undefined: see `accountFor`. */
  runAs?: string | undefined;
  /** Off only where the data may be lost, as in tests. */
  fsync?: boolean;
  /** 100 unless told otherwise: a platform takes about thirty. */
  maxConnections?: number;
  /** The server's own log, line by line. */
  log?: (line: string) => void;
  progress?: Progress;
}

/**
 * Starts the embedded PostgreSQL on a data directory, making the database first where there is none. The server
 * listens on a Unix socket that only this user and root can use, and cannot outlive this process. If it ends of
 * itself it is started again, at the same address.
 *
 * @throws PostgresStartError one line that says what to do; nothing is left running
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
 * The server that another process has running on the data directory, or undefined where none has. Waits for one that
 * is just starting.
 *
 * @throws PostgresStartError `in_use` when the other process does not get ready, `directory` when this user may not look
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
      if (owner.socketDirectory) return { ...addresses(owner.socketDirectory), stop: async () => {} };
      if (Date.now() > deadline) throw inUse(dataDirectory, owner.pid);
      await sleep(50);
    }
  };
  return announced(find(), 'waiting for the process that has the database open', options.progress);
}

/** The running server where one runs, else one of this process's own: what a command beside the platform needs. */
export async function usePostgres(options: PostgresOptions): Promise<PostgresServer> {
  return (await findPostgres(options)) ?? (await startPostgres(options));
}

async function startLocked(
  dataDirectory: string,
  lock: DirectoryLock,
  { runAs, fsync = true, maxConnections, log, progress }: PostgresOptions,
): Promise<PostgresServer> {
  removeSocketDirectory(readOwner(dataDirectory)?.socketDirectory);
  lock.publish({ pid: process.pid });
  const cluster = join(dataDirectory, 'postgres');
  const { account, warning } = accountFor({ cluster, runAs });
  if (warning) progress?.(warning);
  const binaries = await announced(findBinaries(account), 'preparing PostgreSQL', progress);
  await prepareCluster({ cluster, account, binaries, fsync, progress });
  const socketDirectory = makeSocketDirectory(account);
  const { postgres } = binaries;
  const start = () => launch({ cluster, account, postgres, socketDirectory, fsync, maxConnections, log });
  try {
    const first = await announced(start(), 'starting PostgreSQL', progress);
    const stopServer = keepRunning(first, start, log);
    lock.publish({ pid: process.pid, socketDirectory });
    const stop = once(async () => {
      await stopServer();
      removeSocketDirectory(socketDirectory);
      lock.release();
    });
    return { ...addresses(socketDirectory), stop };
  } catch (error) {
    removeSocketDirectory(socketDirectory);
    throw error;
  }
}

/** Starts the server again when it ends of itself: killed for want of memory, or by a mistaken hand. */
function keepRunning(
  first: Postmaster,
  start: () => Promise<Postmaster>,
  log: (line: string) => void = () => {},
): () => Promise<void> {
  const stopping = new AbortController();
  let current = Promise.resolve<Postmaster | undefined>(first);
  const again = async (): Promise<Postmaster | undefined> => {
    while (!stopping.signal.aborted) {
      try {
        log('LOG:  starting PostgreSQL again');
        const postmaster = await start();
        watch(postmaster);
        return postmaster;
      } catch (error) {
        log(`LOG:  ${(error as Error).message}`);
        await sleep(1_000, undefined, { ref: false });
      }
    }
    return undefined;
  };
  const watch = (postmaster: Postmaster) => {
    postmaster.ended.then(() => {
      if (!stopping.signal.aborted) current = again();
    });
  };
  watch(first);
  return async () => {
    stopping.abort();
    await (await current)?.stop();
  };
}

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => {
    done ??= work();
    return done;
  };
}

function addresses(socketDirectory: string): Omit<PostgresServer, 'stop'> {
  const address = (role: string, database: string) =>
    `postgresql://${role}@localhost/${database}?host=${encodeURIComponent(socketDirectory)}`;
  return {
    connectionString: address(platformRole, platformRole),
    administratorConnectionString: address(administratorRole, 'postgres'),
  };
}

const socketPrefix = 'wrp-postgres-';
// The whole path of a Unix socket has at most 103 bytes on macOS, 107 on Linux.
const longestSocketPath = 103;

function makeSocketDirectory(account: Account): string {
  const parent = [tmpdir(), '/tmp'].find((path) => {
    const socket = join(path, `${socketPrefix}XXXXXX`, '.s.PGSQL.5432');
    return Buffer.byteLength(socket) <= longestSocketPath && !/["%?#]/.test(path);
  });
  const directory = mkdtempSync(join(parent ?? '/tmp', socketPrefix));
  if (account) chownSync(directory, account.uid, account.gid);
  return directory;
}

function removeSocketDirectory(directory: string | undefined): void {
  if (directory && basename(directory).startsWith(socketPrefix))
    rmSync(directory, { recursive: true, force: true });
}
