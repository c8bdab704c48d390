import { existsSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { usePostgres } from '../../embedded-postgres/index.ts';
import { checkDatabase } from '../../postgres-client/index.ts';
import { dataPlaces, type EnvironmentName, isDatabaseUrl } from '../config.ts';
import { type Actor, type AuditOrigin, changeAsOperator } from '../store/audit.ts';
import { databaseTime } from '../store/clock.ts';
import { type Database, openDatabase } from '../store/database.ts';
import { migrate } from '../store/migrate.ts';
import { CommandError } from './command-error.ts';
import type { EnvironmentOptions, GlobalOptions } from './options.ts';

interface ConnectOptions {
  /** Creates the database if it does not exist. Default: a data directory without one is an error. */
  create?: boolean;
  /** Does not migrate the tables. */
  readOnly?: boolean;
  /** Refuses statements that change something. */
  reads?: boolean;
}

export type OpenEnvironment = (environment: EnvironmentName) => Promise<Database>;

/**
 * Connects to the platform's PostgreSQL: the one at `databaseUrl`, the one of the platform that runs on the data
 * directory, or one that is started until `use` settles. The databases that `use` opens are closed afterwards.
 */
export async function withPlatform<T>(
  { dataDir, databaseUrl }: GlobalOptions,
  { create = false, ...connect }: ConnectOptions,
  use: (open: OpenEnvironment, connection: string) => Promise<T>,
): Promise<T> {
  if (databaseUrl) {
    if (!isDatabaseUrl(databaseUrl)) {
      throw new CommandError('The database URL must begin with postgres:// or postgresql://.');
    }
    await checkDatabase(databaseUrl);
    return withDatabases(databaseUrl, connect, use);
  }
  if (!create && !existsSync(join(dataDir, 'postgres'))) {
    throw new CommandError(
      `There is no platform in ${dataDir}: start the platform once, or set --data-dir to its data directory, or DATABASE_URL to its database.`,
    );
  }
  const { runAs } = dataPlaces(process.env);
  const progress = (line: string) => console.error(line);
  const server = await usePostgres({ dataDirectory: dataDir, runAs, progress });
  try {
    return await withDatabases(server.connectionString, connect, use);
  } finally {
    await server.stop();
  }
}

/** Reads the database of the environment that the options name. A statement that changes something is refused. */
export function inEnvironment<T>(
  options: EnvironmentOptions,
  use: (database: Database) => Promise<T>,
): Promise<T> {
  return withPlatform(options, { reads: true }, async (open) => use(await open(options.environment)));
}

/**
 * Makes a change in the environment that the options name, in one transaction with its entries in the audit log.
 *
 * @param change receives the time of the database
 */
export function changeEnvironment<T>(
  options: EnvironmentOptions,
  change: (transaction: Database, now: Date) => Promise<T>,
): Promise<T> {
  return withPlatform(options, {}, async (open) => {
    const database = await open(options.environment);
    const now = await databaseTime(database);
    return changeAsOperator(database, operatorOrigin(options, now), (transaction) =>
      change(transaction, now),
    );
  });
}

/** Who changes something by a command, and from where. */
export function operatorOrigin(
  { command }: Pick<GlobalOptions, 'command'>,
  at: Date,
): AuditOrigin & { actor: Actor } {
  return { actor: { kind: 'operator', name: operatorName() }, action: command, source: hostname(), at };
}

/** The operator who runs a command: the system user, or the one for whom sudo runs it. */
function operatorName(): string {
  const { SUDO_USER: sudoUser } = process.env;
  if (sudoUser) return sudoUser;
  try {
    return userInfo().username;
  } catch {
    // In a container, the user may have no name.
    return `uid ${process.getuid?.()}`;
  }
}

async function withDatabases<T>(
  connection: string,
  { readOnly = false, reads = false }: Pick<ConnectOptions, 'readOnly' | 'reads'>,
  use: (open: OpenEnvironment, connection: string) => Promise<T>,
): Promise<T> {
  const opened: Database[] = [];
  try {
    return await use(async (schema) => {
      if (!readOnly) await migrate({ connection, schema });
      const database = openDatabase({ connection, schema, poolSize: 1, readOnly: reads });
      opened.push(database);
      return database;
    }, connection);
  } finally {
    for (const database of opened) await database.destroy();
  }
}

/** Whether other connections of the platform's account use the database. @param databases all that this command has */
export async function isInUse(databases: Database[]): Promise<boolean> {
  const own: number[] = [];
  for (const database of databases) {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(database);
    for (const { pid } of rows) own.push(pid);
  }
  const [first] = databases;
  if (!first) return false;
  const { rows } = await sql`
    select 1 from pg_stat_activity
    where datname = current_database() and usename = current_user and backend_type = 'client backend'
      and pid <> all(${own})
    limit 1`.execute(first);
  return rows.length > 0;
}
