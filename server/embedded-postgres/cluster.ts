import {
  chownSync,
  closeSync,
  fchownSync,
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
import { syncDirectory } from '../durable-files/index.ts';
import type { Account } from './account.ts';
import type { Binaries } from './binaries.ts';
import { clusterArgument, errorLine, run } from './child.ts';
import { checkOwner, isForeign, takeOwnership } from './ownership.ts';
import { stopOrphan } from './pid-file.ts';
import { type Progress, withProgress } from './progress.ts';
import { PostgresStartError } from './start-error.ts';

/** The name of the platform's role, which is not a superuser, and of its database. */
export const platformRole = 'wrp';
/** The superuser. */
export const administratorRole = 'postgres';

interface ClusterOptions {
  cluster: string;
  account: Account;
  binaries: Binaries;
  fsync: boolean;
  progress?: Progress | undefined;
}

/**
 * Creates the database cluster if it does not exist. Otherwise checks its version and gives it to `account`. The
 * caller holds the directory's lock.
 *
 * @throws PostgresStartError `directory`, `version` or `server`
 */
export async function prepareCluster(options: ClusterOptions): Promise<void> {
  const { cluster, account, binaries } = options;
  const user = userName();
  removeDrafts(cluster);
  checkOwner(cluster, account);
  const version = versionOf(cluster);
  if (version !== undefined && version !== binaries.major)
    throw new PostgresStartError(
      'version',
      `${cluster} contains data of PostgreSQL ${version}, but this release uses PostgreSQL ${binaries.major}: ` +
        `dump the data with the release that wrote it and restore the dump into an empty data directory.`,
    );
  if (account && isForeign(cluster, account)) {
    await stopOrphan(cluster);
    takeOwnership(cluster, account);
  }
  if (version === undefined) await create(options);
  restrictAccess(cluster, account, user);
}

/** The major version that wrote the data. Undefined if there is no data. */
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
    `${cluster} contains files but no PostgreSQL data: move them away, or choose another data directory.`,
  );
}

// The role owns the database so that it can create the environments' schemas. No other role can connect to it.
const firstStatements = `
create role ${platformRole} login;
create database ${platformRole} owner ${platformRole};
revoke connect on database ${platformRole} from public;
`.trimStart();

/** Creates the cluster under a temporary name, so that an interrupted start leaves no incomplete cluster. */
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
      // Sorts by code point like C; lower() works for the letters of every script.
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--set=max_connections=100',
      '--set=shared_buffers=128MB',
      '--set=timezone=UTC',
      '--set=log_timezone=UTC',
      '--no-instructions',
      // Without durability there is little to write ahead: the cluster is smaller by 15 MB.
      ...(fsync ? [] : ['--no-sync', '--wal-segsize=1']),
    ]);
    assertSucceeded(cluster, await withProgress(initdb, 'creating the database', progress));
    const single: [string, ...string[]] = [binaries.postgres, '--single', '-D', clusterArgument(draft)];
    if (!fsync) single.push('-F');
    assertSucceeded(cluster, await run(draft, account, [...single, administratorRole], firstStatements));
    renameSync(draft, cluster);
    if (fsync) await syncDirectory(dirname(cluster));
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

function assertSucceeded(cluster: string, { status, output }: Awaited<ReturnType<typeof run>>): void {
  // A single-user server exits with status 0 after a failed statement.
  if (status === 0 && !/\b(ERROR|FATAL|PANIC):/.test(output)) return;
  // PostgreSQL has several messages for a full disk, most of which name only a file.
  const full = /No space left|free disk space|Disk quota exceeded/i.test(output);
  const reason = full ? 'the disk is full' : errorLine(output);
  throw new PostgresStartError('server', `The database cannot be created in ${cluster}: ${reason}.`);
}

const draftPrefix = (cluster: string) => `${cluster}.new-`;

function removeDrafts(cluster: string): void {
  for (const name of readdirSync(dirname(cluster))) {
    if (!name.startsWith(basename(draftPrefix(cluster)))) continue;
    rmSync(join(dirname(cluster), name), { recursive: true, force: true });
  }
}

/**
 * Allows connections only from this user and root. PostgreSQL asks the kernel for the user at the other end of the
 * socket, so there is no password to store. Other processes of PostgreSQL's own user cannot connect either.
 */
function restrictAccess(cluster: string, account: Account, user: string): void {
  const map = [...new Set(['root', user])].map((user) => `platform "${user}" all\n`).join('');
  replaceFile(join(cluster, 'pg_hba.conf'), 'local all all peer map=platform\n', account);
  replaceFile(join(cluster, 'pg_ident.conf'), map, account);
}

/** The name of this process's user. PostgreSQL itself requires that it has one. */
function userName(): string {
  try {
    return userInfo().username;
  } catch (error) {
    const id = process.getuid?.();
    throw new PostgresStartError(
      'server',
      `PostgreSQL does not run for user id ${id}, which has no name: add it to /etc/passwd, start as another user, or set DATABASE_URL.`,
      { cause: error },
    );
  }
}

/** Replaces a file without following a link: the owner of the directory could have planted one. */
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
