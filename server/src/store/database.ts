import { Kysely, type Transaction as KyselyTransaction, PostgresDialect } from 'kysely';
import pg from 'pg';
import { namedClient, type OnStatement } from './named-client.ts';
import type { Schema } from './schema.ts';

export { isRetryable, isUnavailable } from './failures.ts';

export type Database = Kysely<Schema>;
export type Transaction = KyselyTransaction<Schema>;

export interface DatabaseOptions {
  /** A connection string: DATABASE_URL, or the embedded server's. */
  connection: string;
  /** The environment, each of which has a PostgreSQL schema of its own. */
  schema: string;
  /** Connections at most; 10 unless told. */
  poolSize?: number;
  /** Milliseconds that a statement may run, 0 for ever; 30,000 unless told. */
  statementTimeout?: number;
  /** Counts round trips. */
  onStatement?: OnStatement;
  /** An idle connection broke. The pool has replaced it already. */
  onConnectionLost?: (error: Error) => void;
}

/**
 * The tables of one environment. Connects at the first statement, not here; `destroy()` ends the connections.
 *
 * A statement fails after 5 s without a free connection or a reachable server (see `isUnavailable`), and a connection
 * whose transaction is forgotten for a minute is ended.
 */
export function openDatabase(options: DatabaseOptions): Database {
  return new Kysely<Schema>({ dialect: new PostgresDialect({ pool: openPool(options) }) });
}

function openPool({
  connection,
  schema,
  poolSize = 10,
  statementTimeout = 30_000,
  onStatement,
  onConnectionLost = () => {},
}: DatabaseOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: searching(schema, connection),
    Client: namedClient(onStatement),
    max: poolSize,
    connectionTimeoutMillis: 5_000,
    // A connection is worth its prepared statements; an old one has gathered memory.
    idleTimeoutMillis: 300_000,
    maxLifetimeSeconds: 3_600,
    keepAlive: true,
    statement_timeout: statementTimeout,
    idle_in_transaction_session_timeout: 60_000,
    types: { getTypeParser },
  });
  pool.on('error', onConnectionLost);
  // The pool listens to idle connections only; one that breaks in use tells its statement, and must not end the process.
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/** A connection string with the environment's schema as the only one that is searched. */
function searching(schema: string, connection: string): string {
  if (!/^[a-z_][a-z0-9_]*$/.test(schema)) throw new Error(`not a name of a schema: ${schema}`);
  const [address, query] = connection.split('?');
  const parameters = new URLSearchParams(query);
  const options = [parameters.get('options') ?? '', `-c search_path=${schema}`];
  parameters.set('options', options.join(' ').trim());
  return `${address}?${parameters}`;
}

/** Sizes and counts as numbers: the driver's default for bigint is text. */
const getTypeParser = ((oid: number, format?: 'text' | 'binary') =>
  oid === pg.types.builtins.INT8
    ? Number
    : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser;
