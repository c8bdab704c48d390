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
import { PostgresStartError, reasonOf } from './start-error.ts';

/** The process that has a data directory open, and where its server listens once it is ready. */
export interface Owner {
  pid: number;
  socketDirectory?: string;
}

/** A data directory that is this process's alone until it is released. */
export interface DirectoryLock {
  /** Tells other processes who has the directory. */
  publish(owner: Owner): void;
  release(): void;
}

// Whoever only looks has the lock for a moment, and whoever is just ending has it a little longer.
const patienceMs = 500;

/**
 * Takes the data directory for this process, making it where it is missing.
 *
 * The lock is the kernel's own: Node has no call for one, but an exclusive transaction of SQLite on an empty file is
 * just that. It ends with its process however that ends, so nothing is ever stale, no process id has to be believed,
 * and of two that start at once exactly one gets it.
 *
 * @throws PostgresStartError `in_use` when another process has it, `directory` when it cannot be made or written
 */
export async function lockDirectory(dataDirectory: string): Promise<DirectoryLock> {
  makeDirectory(dataDirectory);
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const lock = tryLock(dataDirectory);
    if (lock) return held(dataDirectory, lock);
    if (Date.now() > deadline) throw inUse(dataDirectory, readOwner(dataDirectory)?.pid);
    await sleep(20);
  }
}

/**
 * The process that has the directory open, if one has.
 *
 * @throws PostgresStartError `directory` when this user may not look
 */
export function ownerOf(dataDirectory: string): Owner | undefined {
  if (!existsSync(lockFile(dataDirectory))) return undefined;
  const lock = tryLock(dataDirectory);
  lock?.close();
  return lock ? undefined : (readOwner(dataDirectory) ?? { pid: 0 });
}

/** What the last process that had the directory said of itself; it may be gone. */
export function readOwner(dataDirectory: string): Owner | undefined {
  try {
    return JSON.parse(readFileSync(ownerFile(dataDirectory), 'utf8'));
  } catch {
    return undefined;
  }
}

/** The refusal of a second process on one data directory. */
export function inUse(dataDirectory: string, pid = 0): PostgresStartError {
  const who = pid === 0 ? 'another process' : `process ${pid}`;
  return new PostgresStartError(
    'in_use',
    `The data directory ${dataDirectory} is in use by ${who}: stop that first, or choose another directory.`,
  );
}

const lockFile = (dataDirectory: string) => join(dataDirectory, 'postgres.lock');
const ownerFile = (dataDirectory: string) => join(dataDirectory, 'postgres.owner');

function makeDirectory(dataDirectory: string): void {
  let nearest = dataDirectory;
  while (!existsSync(nearest)) nearest = dirname(nearest);
  try {
    // Asked first because it answers better: on a read-only file system mkdir says that there is no such file.
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

function held(dataDirectory: string, lock: DatabaseSync): DirectoryLock {
  const publish = (owner: Owner) => {
    const draft = `${ownerFile(dataDirectory)}.new`;
    rmSync(draft, { force: true });
    writeFileSync(draft, JSON.stringify(owner), { mode: 0o600, flag: 'wx' });
    renameSync(draft, ownerFile(dataDirectory));
  };
  return { publish, release: () => lock.close() };
}

function unusable(dataDirectory: string, error: unknown): PostgresStartError {
  return new PostgresStartError(
    'directory',
    `The data directory ${dataDirectory} cannot be used: ${reasonOf(error)}.`,
    { cause: error },
  );
}

/** Node's own recursive mkdir never ends where a directory exists and takes no new ones, as /proc does. */
function makeWithParents(directory: string): void {
  if (existsSync(directory)) return;
  if (dirname(directory) !== directory) makeWithParents(dirname(directory));
  try {
    mkdirSync(directory, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
