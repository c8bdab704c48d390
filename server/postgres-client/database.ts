import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { namedClient, type OnStatement } from './named-client.ts';
import { type ConnectionPool, openPool } from './pool.ts';
import { withSettings } from './settings.ts';

export interface DatabaseOptions {
  /** A connection string: `postgres://user:password@host:5432/database`. */
  connection: string;
  /** The PostgreSQL schema: the only one on the search path. */
  schema: string;
  /** What `pg_stat_activity` shows. Default: that of the connection string. */
  applicationName?: string;
  /** Refuses statements that change something. Default: false. */
  readOnly?: boolean;
  /** The maximum number of connections. Default: 10. */
  poolSize?: number;
  /** Milliseconds; 0 disables the timeout. Default: 30,000. */
  statementTimeout?: number;
  /** Milliseconds that connecting may take, and that a statement waits for a free connection. Default: 5,000. */
  connectionTimeout?: number;
  /** Called for each round trip. */
  onStatement?: OnStatement;
  /** Called when an idle connection breaks. The pool replaces it. */
  onConnectionLost?: (error: Error) => void;
}

const defaultTimeout = 5_000;

/**
 * Opens the tables of one PostgreSQL schema. The first statement connects; `destroy()` closes the connections.
 *
 * A statement fails after `connectionTimeout` without a free connection or a reachable server (see `isUnavailable`). A
 * connection whose transaction is idle for a minute is closed.
 */
export function openDatabase<Schema>(options: DatabaseOptions): Kysely<Schema> {
  return databaseOf(openConnections(options), options.connectionTimeout);
}

/** The tables to which the connections of a pool lead. */
export function databaseOf<Schema>(pool: ConnectionPool, timeout = defaultTimeout): Kysely<Schema> {
  const view = { connect: () => pool.acquire(timeout), end: () => pool.end(), options: {} };
  return new Kysely<Schema>({ dialect: new PostgresDialect({ pool: view }) });
}

/** Opens connections to the tables of one PostgreSQL schema, for `databaseOf`. */
export function openConnections({
  connection,
  schema,
  applicationName,
  readOnly = false,
  poolSize = 10,
  statementTimeout = 30_000,
  connectionTimeout = defaultTimeout,
  onStatement,
  onConnectionLost = () => {},
}: DatabaseOptions): ConnectionPool {
  const options = {
    connectionString: withSettings(schema, connection, { applicationName, readOnly }),
    Client: namedClient(onStatement),
    max: poolSize,
    connectionTimeoutMillis: connectionTimeout,
    // Idle connections keep their prepared statements; old connections accumulate memory.
    idleTimeoutMillis: 300_000,
    maxLifetimeSeconds: 3_600,
    keepAlive: true,
    statement_timeout: statementTimeout,
    idle_in_transaction_session_timeout: 60_000,
    types: { getTypeParser },
  };
  return openPool(options, onConnectionLost);
}

/** Returns bigint columns as numbers and dates as `2026-12-15`; the driver's defaults are strings and local midnights. */
const getTypeParser = ((oid: number, format?: 'text' | 'binary') => {
  if (oid === pg.types.builtins.INT8) return Number;
  if (oid === pg.types.builtins.DATE) return String;
  if (oid === pg.types.builtins.TIMESTAMPTZ) return readTime;
  return pg.types.getTypeParser(oid, format as 'text');
}) as typeof pg.types.getTypeParser;

const readAnyTime = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ, 'text') as (text: string) => Date;

/** Reads `2026-12-15 08:30:00.123456+00`; this usual form takes half of the driver's time. */
function readTime(text: string): Date {
  if (text[10] !== ' ' || !text.endsWith('+00')) return readAnyTime(text);
  return new Date(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`);
}
