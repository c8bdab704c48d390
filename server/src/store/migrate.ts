import { readdir } from 'node:fs/promises';
import { extname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { backgroundTimeout, type Database, openDatabase } from './database.ts';

/** `.js` if this program is a bundle. */
const extension = extname(import.meta.url);
/** Migrations run in the order of their file names, in a transaction each. A released migration is never changed. */
const released = new URL('migrations/', import.meta.url);

/** What the file of a migration exports. */
interface OnlineMigration extends Migration {
  /** True: outside a transaction, as `create index concurrently` needs it. Its statements can run twice. */
  isOnline?: boolean;
}

async function migrationNames(folder: URL): Promise<string[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith(extension));
  return files.map((file) => file.slice(0, -extension.length)).sort();
}

async function loadMigrations(folder: URL): Promise<Record<string, OnlineMigration>> {
  const load = async (name: string) => [
    name,
    await import(/* @vite-ignore */ new URL(`${name}${extension}`, folder).href),
  ];
  return Object.fromEntries(await Promise.all((await migrationNames(folder)).map(load)));
}

const oldestPostgres = 15;
// Arbitrary, but unique among the advisory locks of the database.
const migrationLock = 7_203_118;
const lockInterval = 100;
/** A migration that waits for a table makes every request wait behind it, so it gives up and tries again later. */
const longestTableWait = '1s';
const tableWaitInterval = 2_000;
const mostTableWaits = 150;
const lockNotAvailable = '55P03';

/** The program cannot use the database. The message is one line that says what to do. */
export class MigrationError extends Error {
  override name = 'MigrationError';
}

/**
 * Creates the schema of an environment or brings it up to date. Several processes may do this at once: one runs the
 * migrations, the others wait.
 *
 * @returns the names of the migrations that ran
 * @throws MigrationError if the database is newer than this program, or its version or encoding is not supported
 */
export async function migrate({
  folder = released,
  ...options
}: {
  connection: string;
  schema: string;
  /** Of the migrations. Default: the platform's. */
  folder?: URL;
}): Promise<string[]> {
  const timeouts = { statementTimeout: 0, connectionTimeout: backgroundTimeout };
  const database = openDatabase({ ...options, ...timeouts, poolSize: 1 });
  try {
    return await database.connection().execute(async (connection) => {
      // A statement that waits for the lock has a snapshot, which `create index concurrently` would wait for.
      while (!(await isLocked(connection))) await sleep(lockInterval);
      await checkServer(connection);
      await sql`create schema if not exists ${sql.id(options.schema)}`.execute(connection);
      const applied = await appliedMigrations(connection, options.schema);
      const known = await migrationNames(folder);
      refuseNewer(options.schema, applied, known);
      // Most starts have nothing to migrate, and need not load the migrations.
      const pending = known.slice(applied.length);
      if (pending.length > 0) await migrateEach(connection, options.schema, pending, folder);
      return pending;
    });
  } finally {
    await database.destroy();
  }
}

/**
 * The migrations that the next start would run.
 *
 * @throws MigrationError as `migrate` does
 */
export async function pendingMigrations(database: Database, schema: string): Promise<string[]> {
  await checkServer(database);
  const applied = await appliedMigrations(database, schema);
  const known = await migrationNames(released);
  refuseNewer(schema, applied, known);
  return known.filter((name) => !applied.includes(name));
}

async function checkServer(database: Database): Promise<void> {
  const { rows } = await sql<{ version: number; encoding: string }>`
    select current_setting('server_version_num')::int / 10000 as version,
      current_setting('server_encoding') as encoding`.execute(database);
  const [server] = rows;
  if (server && server.version < oldestPostgres) {
    throw new MigrationError(
      `The database is PostgreSQL ${server.version}: at least ${oldestPostgres} is needed.`,
    );
  }
  if (server && server.encoding !== 'UTF8') {
    throw new MigrationError(`The database's encoding is ${server.encoding}: create one with encoding UTF8.`);
  }
}

/** The names of the migrations that have run. */
async function appliedMigrations(database: Database, schema: string): Promise<string[]> {
  const { rows: tables } = await sql`
    select from pg_tables where schemaname = ${schema} and tablename = 'migrations'`.execute(database);
  if (tables.length === 0) return [];
  const { rows } = await sql<{ name: string }>`select name from migrations order by name`.execute(database);
  return rows.map(({ name }) => name);
}

function refuseNewer(schema: string, applied: readonly string[], known: readonly string[]): void {
  const unknown = applied.filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  throw new MigrationError(
    `The database was migrated by a newer release (schema ${schema}: ${unknown.join(', ')}): run that release, or restore an older backup.`,
  );
}

async function migrateEach(
  database: Database,
  schema: string,
  pending: readonly string[],
  folder: URL,
): Promise<void> {
  const migrations = await loadMigrations(folder);
  const migrator = new Migrator({
    db: database,
    provider: { getMigrations: async () => migrations },
    migrationTableSchema: schema,
    migrationTableName: 'migrations',
    migrationLockTableName: 'migration_lock',
  });
  await sql`set lock_timeout = ${sql.lit(longestTableWait)}`.execute(database);
  for (const name of pending) {
    const disableTransactions = migrations[name]?.isOnline === true;
    for (let waits = 0; ; waits++) {
      const { error } = await migrator.migrateUp({ disableTransactions });
      if (error === undefined) break;
      if ((error as { code?: string }).code !== lockNotAvailable) throw error;
      if (waits === mostTableWaits)
        throw new MigrationError(
          `The migration ${name} of schema ${schema} waits for a table that another session uses, such as a backup: let it end, or end it, and start again.`,
        );
      await sleep(tableWaitInterval);
    }
  }
}

/** The lock is of the session, and released if this process dies. */
async function isLocked(database: Database): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`
    select pg_try_advisory_lock(${sql.lit(migrationLock)}) as locked`.execute(database);
  return rows[0]?.locked === true;
}
