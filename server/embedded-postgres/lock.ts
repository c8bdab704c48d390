import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { reasonOf } from '../durable-files/index.ts';
import { PostgresStartError } from './start-error.ts';

/** The process that has a data directory open. `socketDirectory` is set once its server accepts connections. */
export interface Owner {
  pid: number;
  socketDirectory?: string;
}

/** Exclusive use of a data directory. */
export interface DirectoryLock {
  /** Writes the owner to a file for other processes. */
  publish(owner: Owner): void;
  release(): void;
}

// `ownerOf` in another process takes the lock for a moment, and a process that is stopping still holds it.
const timeoutMs = 500;

/**
 * Locks the data directory for this process. Creates the directory if it does not exist.
 *
 * The lock is a file lock of the kernel, taken by an exclusive SQLite transaction because Node has no API for it. The
 * kernel releases it when the process exits for any reason, so it is never stale.
 *
 * @throws PostgresStartError `in_use` if another process has the lock, `directory` if the directory is not writable
 */
export async function lockDirectory(dataDirectory: string): Promise<DirectoryLock> {
  makeDirectory(dataDirectory);
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const lock = tryLock(dataDirectory);
    if (lock) {
      return { publish: (owner) => writeOwner(dataDirectory, owner), release: () => lock.close() };
    }
    if (Date.now() > deadline) throw inUse(dataDirectory, readOwner(dataDirectory)?.pid);
    await sleep(20);
  }
}

/**
 * The process that has the directory open, if any.
 *
 * @throws PostgresStartError `directory` if this user cannot open the lock file
 */
export function ownerOf(dataDirectory: string): Owner | undefined {
  if (!existsSync(lockFile(dataDirectory))) return undefined;
  const lock = tryLock(dataDirectory);
  lock?.close();
  return lock ? undefined : (readOwner(dataDirectory) ?? { pid: 0 });
}

/** The last owner of the directory, which may have exited. */
export function readOwner(dataDirectory: string): Owner | undefined {
  try {
    return JSON.parse(readFileSync(ownerFile(dataDirectory), 'utf8'));
  } catch {
    return undefined;
  }
}

export function inUse(dataDirectory: string, pid = 0): PostgresStartError {
  const owner = pid === 0 ? 'another process' : `process ${pid}`;
  return new PostgresStartError(
    'in_use',
    `The data directory ${dataDirectory} is in use by ${owner}: stop it first, or choose another directory.`,
  );
}

const lockFile = (dataDirectory: string) => join(dataDirectory, 'postgres.lock');
const ownerFile = (dataDirectory: string) => join(dataDirectory, 'postgres.owner');

function makeDirectory(dataDirectory: string): void {
  let nearest = dataDirectory;
  while (!existsSync(nearest)) nearest = dirname(nearest);
  try {
    // Checked first because its errors are clearer: on a read-only file system mkdir reports that no such file exists.
    accessSync(nearest, constants.W_OK);
    makeWithParents(dataDirectory);
  } catch (error) {
    throw unusable(dataDirectory, error);
  }
}

function tryLock(dataDirectory: string): DatabaseSync | undefined {
  let file: DatabaseSync | undefined;
  try {
    file = new DatabaseSync(lockFile(dataDirectory), { timeout: 0 });
    file.exec('pragma journal_mode = memory; begin exclusive');
    return file;
  } catch (error) {
    file?.close();
    if (error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy) return undefined;
    throw unusable(dataDirectory, error);
  }
}

const sqliteBusy = 5;

function writeOwner(dataDirectory: string, owner: Owner): void {
  const draft = `${ownerFile(dataDirectory)}.new`;
  rmSync(draft, { force: true });
  writeFileSync(draft, JSON.stringify(owner), { mode: 0o600, flag: 'wx' });
  renameSync(draft, ownerFile(dataDirectory));
}

function unusable(dataDirectory: string, error: unknown): PostgresStartError {
  return new PostgresStartError(
    'directory',
    `The data directory ${dataDirectory} cannot be used: ${reasonOf(error)}.`,
    { cause: error },
  );
}

/** Node's recursive mkdir never returns below an existing directory that rejects new entries, such as /proc. */
function makeWithParents(directory: string): void {
  if (existsSync(directory)) return;
  if (dirname(directory) !== directory) makeWithParents(dirname(directory));
  try {
    mkdirSync(directory, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
