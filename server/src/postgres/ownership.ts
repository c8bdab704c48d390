import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  lchownSync,
  lstatSync,
  openSync,
  readdirSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Account } from './account.ts';
import { PostgresStartError } from './start-error.ts';

/**
 * Refuses data that belongs to another user, unless this process is root.
 *
 * @throws PostgresStartError `directory`
 */
export function checkOwner(cluster: string, account: Account): void {
  const uid = statSync(cluster, { throwIfNoEntry: false })?.uid;
  const own = process.getuid?.();
  if (uid === undefined || uid === own || account) return;
  throw new PostgresStartError(
    'directory',
    `${cluster} belongs to user id ${uid}: start as that user or as root, or give it to user id ${own} with chown -R.`,
  );
}

/** Whether the data belongs to another user than `account`: to root after a restore, or to an earlier account. */
export function isForeign(cluster: string, account: Account): boolean {
  const uid = statSync(cluster, { throwIfNoEntry: false })?.uid;
  return account !== undefined && uid !== undefined && uid !== account.uid;
}

/**
 * Gives the data to `account`. Its present owner may be hostile: nothing outside the directory changes its owner,
 * whatever links that owner has put there, and however it changes them meanwhile. Each directory is taken from it
 * before the entries are read.
 *
 * @throws PostgresStartError `directory` when it holds what PostgreSQL would not have put there
 */
export function takeOwnership(cluster: string, account: NonNullable<Account>): void {
  const link = lstatSync(cluster);
  if (link.isSymbolicLink() && link.uid !== 0) throw refused(cluster, 'is a symbolic link');
  const directory = realpathSync(cluster);
  // Root's until all of it is given away: an interrupted run begins again, and the former owner cannot enter.
  giveDirectory(directory, { uid: 0, gid: 0 });
  giveEntries(directory, account);
  giveDirectory(directory, account);
}

function giveEntries(directory: string, account: NonNullable<Account>): void {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) {
      giveDirectory(path, account);
      giveEntries(path, account);
    } else if (entry.isSymbolicLink()) lchownSync(path, account.uid, account.gid);
    else if (entry.isFile()) giveFile(path, account);
    else throw refused(path, 'is neither a file nor a directory');
  }
}

function giveDirectory(path: string, account: NonNullable<Account>): void {
  withOpen(path, constants.O_DIRECTORY, (descriptor, { mode }) => {
    fchownSync(descriptor, account.uid, account.gid);
    fchmodSync(descriptor, mode & 0o750);
  });
}

function giveFile(path: string, account: NonNullable<Account>): void {
  withOpen(path, constants.O_NONBLOCK, (descriptor, stats) => {
    if (!stats.isFile()) throw refused(path, 'is not a file');
    if (stats.nlink !== 1) throw refused(path, 'has another name elsewhere (a hard link)');
    fchownSync(descriptor, account.uid, account.gid);
  });
}

function withOpen(path: string, flags: number, work: (descriptor: number, stats: Stats) => void): void {
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | flags);
  try {
    work(descriptor, fstatSync(descriptor));
  } finally {
    closeSync(descriptor);
  }
}

function refused(path: string, what: string): PostgresStartError {
  return new PostgresStartError(
    'directory',
    `${path} ${what}, so the data is not given to another account: look at it, then use chown -R yourself.`,
  );
}
