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

/** @throws PostgresStartError `directory` if the data belongs to another user and this process is not root */
export function checkOwner(cluster: string, account: Account): void {
  const uid = statSync(cluster, { throwIfNoEntry: false })?.uid;
  const own = process.getuid?.();
  if (uid === undefined || uid === own || account) return;
  throw new PostgresStartError(
    'directory',
    `${cluster} belongs to user id ${uid}: start as that user or as root, or change its owner to user id ${own} with chown -R.`,
  );
}

/** Whether the data belongs to a user other than `account`: to root after a restore, or to an earlier account. */
export function isForeign(cluster: string, account: Account): boolean {
  const uid = statSync(cluster, { throwIfNoEntry: false })?.uid;
  return account !== undefined && uid !== undefined && uid !== account.uid;
}

/**
 * Changes the owner of the data to `account`. The current owner may be hostile: it must not be able to change the owner
 * of a file outside the directory, by links or by swapping entries during the run. Each directory is therefore taken
 * from it before its entries are read.
 *
 * @throws PostgresStartError `directory` if there is an entry that PostgreSQL would not have created
 */
export function takeOwnership(cluster: string, account: NonNullable<Account>): void {
  const link = lstatSync(cluster);
  if (link.isSymbolicLink() && link.uid !== 0) throw refused(cluster, 'is a symbolic link');
  const directory = realpathSync(cluster);
  // Root owns the top until all entries are done: an interrupted run starts again, and the old owner cannot enter.
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
    if (stats.nlink !== 1) throw refused(path, 'has more than one hard link');
    fchownSync(descriptor, account.uid, account.gid);
  });
}

function withOpen(path: string, flags: number, use: (descriptor: number, stats: Stats) => void): void {
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | flags);
  try {
    use(descriptor, fstatSync(descriptor));
  } finally {
    closeSync(descriptor);
  }
}

function refused(path: string, problem: string): PostgresStartError {
  return new PostgresStartError(
    'directory',
    `${path} ${problem}, so its owner is not changed: inspect it, then run chown -R yourself.`,
  );
}
