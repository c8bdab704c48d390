import { readdir } from 'node:fs/promises';
import { extname } from 'node:path';
import { sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { backgroundTimeout, type Database, openDatabase } from './database.ts';

/** `.js` if this program is a bundle. */
const extension = extname(import.meta.url);
/** Migrations run in the order of their file names. A released migration is never changed. */
const folder = new URL('migrations/', import.meta.url);

async function migrationNames(): Promise<string[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith(extension));
  return files.map((file) => file.slice(0, -extension.length)).sort();
}

async function loadMigrations(): Promise<Record<string, Migration>> {
  const load = async (name: string) => [
    name,
    await import(/* @vite-ignore */ new URL(`${name}${extension}`, folder).href),
  ];
  return Object.fromEntries(await Promise.all((await migrationNames()).map(load)));
}

const oldestPostgres = 15;
// Arbitrary, but unique among the advisory locks of the database.
const migrationLock = 7_203_118;

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
export async function migrate(options: { connection: string; schema: string }): Promise<string[]> {
  const timeouts = { statementTimeout: 0, connectionTimeout: backgroundTimeout };
  const database = openDatabase({ ...options, ...timeouts, poolSize: 1 });
  try {
    // Held by the connection, so the lock is released if this process dies.
    return await database.connection().execute(async (connection) => {
      await sql`select pg_advisory_lock(${sql.lit(migrationLock)})`.execute(connection);
      await checkServer(connection);
      await sql`create schema if not exists ${sql.id(options.schema)}`.execute(connection);
      const applied = await appliedMigrations(connection, options.schema);
      const known = await migrationNames();
      refuseNewer(options.schema, applied, known);
      // Most starts have nothing to migrate, and need not load the migrations.
      return applied.length === known.length ? [] : await migrateToLatest(connection, options.schema);
    });
  } finally {
    await database.destroy();
  }
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

async function migrateToLatest(database: Database, schema: string): Promise<string[]> {
  const migrator = new Migrator({
    db: database,
    provider: { getMigrations: loadMigrations },
    migrationTableSchema: schema,
    migrationTableName: 'migrations',
    migrationLockTableName: 'migration_lock',
  });
  const { error, results = [] } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
  return results.map(({ migrationName }) => migrationName);
}
