import {
  chownSync,
  closeSync,
  fchownSync,
  fsyncSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { userInfo } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { Account } from './account.ts';
import type { Binaries } from './binaries.ts';
import { clusterArgument, complaint, run } from './child.ts';
import { checkOwner, isForeign, takeOwnership } from './ownership.ts';
import { endLeftOver } from './pid-file.ts';
import { announced, type Progress } from './progress.ts';
import { PostgresStartError } from './start-error.ts';

/** The role and the database that belong to the platform. The role is no superuser. */
export const platformRole = 'wrp';
/** The superuser, for administration and tests. */
export const administratorRole = 'postgres';

interface ClusterOptions {
  cluster: string;
  account: Account;
  binaries: Binaries;
  fsync: boolean;
  progress?: Progress | undefined;
}

/**
 * Makes the database cluster where there is none yet, and makes sure that this PostgreSQL, run as `account`, can open
 * the one that is there. The caller holds the directory's lock.
 *
 * @throws PostgresStartError `directory`, `version` or `server`
 */
export async function prepareCluster(options: ClusterOptions): Promise<void> {
  const { cluster, account, binaries } = options;
  const users = new Set(['root', userName()]);
  removeDrafts(cluster);
  checkOwner(cluster, account);
  const version = versionOf(cluster);
  if (version !== undefined && version !== binaries.major)
    throw wrongVersion(cluster, version, binaries.major);
  if (account && isForeign(cluster, account)) {
    await endLeftOver(cluster);
    takeOwnership(cluster, account);
  }
  if (version === undefined) await create(options);
  restrictAccess(cluster, account, users);
}

/** The major version that wrote the data; undefined where there is no data yet. */
function versionOf(cluster: string): number | undefined {
  try {
    return Number(readFileSync(join(cluster, 'PG_VERSION'), 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const entries = statSync(cluster, { throwIfNoEntry: false }) ? readdirSync(cluster) : [];
  if (entries.length === 0) return undefined;
  throw new PostgresStartError(
    'directory',
    `${cluster} holds files but no PostgreSQL data: move them away, or choose another data directory.`,
  );
}

function wrongVersion(cluster: string, found: number, ours: number): PostgresStartError {
  return new PostgresStartError(
    'version',
    `${cluster} holds data of PostgreSQL ${found}, this release brings PostgreSQL ${ours}: ` +
      `dump the data with the release that wrote it and restore the dump into an empty data directory.`,
  );
}

// The database belongs to the role, so that it may make the environments' schemas there, and to nobody else.
const firstStatements = `
create role ${platformRole} login;
create database ${platformRole} owner ${platformRole};
revoke connect on database ${platformRole} from public;
`.trimStart();

/** Under a name of its own until it is complete: a start that was cut short leaves nothing that looks finished. */
async function create({ cluster, account, binaries, fsync, progress }: ClusterOptions): Promise<void> {
  const draft = mkdtempSync(draftPrefix(cluster));
  try {
    if (account) chownSync(draft, account.uid, account.gid);
    const initdb = run(draft, account, [
      binaries.initdb,
      `--pgdata=${clusterArgument(draft)}`,
      `--username=${administratorRole}`,
      '--auth=peer',
      '--encoding=UTF8',
      '--locale=C',
      // Sorts by code point like C, and knows the letters of every script: lower() is right for any address.
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--set=max_connections=100',
      '--set=shared_buffers=128MB',
      '--set=timezone=UTC',
      '--set=log_timezone=UTC',
      '--no-instructions',
      ...(fsync ? [] : ['--no-sync']),
    ]);
    check(cluster, await announced(initdb, 'creating the database', progress));
    const single: [string, ...string[]] = [binaries.postgres, '--single', '-D', clusterArgument(draft)];
    if (!fsync) single.push('-F');
    check(cluster, await run(draft, account, [...single, administratorRole], firstStatements));
    renameSync(draft, cluster);
    if (fsync) flush(dirname(cluster));
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

function check(cluster: string, { status, output }: { status: number | undefined; output: string }): void {
  // A single-user server reports a failed statement and ends well.
  if (status === 0 && !/\b(ERROR|FATAL|PANIC):/.test(output)) return;
  // PostgreSQL tells of a full disk in many ways, most of which name a file and not the disk.
  const full = /No space left|free disk space|Disk quota exceeded/i.test(output);
  const reason = full ? 'the disk is full' : complaint(output);
  throw new PostgresStartError('server', `The database cannot be created in ${cluster}: ${reason}.`);
}

function flush(directory: string): void {
  const descriptor = openSync(directory, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
}

const draftPrefix = (cluster: string) => `${cluster}.new-`;

function removeDrafts(cluster: string): void {
  for (const name of readdirSync(dirname(cluster))) {
    if (!name.startsWith(basename(draftPrefix(cluster)))) continue;
    rmSync(join(dirname(cluster), name), { recursive: true, force: true });
  }
}

/**
 * Only this user and root may connect: PostgreSQL asks the kernel who is at the other end of the socket, so there is
 * no password to keep, and another process of the server's own user stays outside as well.
 */
function restrictAccess(cluster: string, account: Account, users: Set<string>): void {
  const map = [...users].map((user) => `platform "${user}" all\n`).join('');
  replaceFile(join(cluster, 'pg_hba.conf'), 'local all all peer map=platform\n', account);
  replaceFile(join(cluster, 'pg_ident.conf'), map, account);
}

/** The name of this process's user, which PostgreSQL asks for as well. */
function userName(): string {
  try {
    return userInfo().username;
  } catch (error) {
    const id = process.getuid?.();
    throw new PostgresStartError(
      'server',
      `PostgreSQL does not run for user id ${id}, which has no name here: add it to /etc/passwd, start as another user, or set DATABASE_URL.`,
      { cause: error },
    );
  }
}

/** Never writes through what lies there: the directory may belong to a user who could have planted a link. */
function replaceFile(path: string, text: string, account: Account): void {
  const draft = `${path}.new`;
  rmSync(draft, { force: true });
  const descriptor = openSync(draft, 'wx', 0o600);
  try {
    writeFileSync(descriptor, text);
    if (account) fchownSync(descriptor, account.uid, account.gid);
  } finally {
    closeSync(descriptor);
  }
  renameSync(draft, path);
}
