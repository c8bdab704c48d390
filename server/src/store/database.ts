import type { Kysely, Transaction as KyselyTransaction } from 'kysely';
import type { ConnectionPool, DatabaseOptions } from '../../postgres-client/index.ts';
import * as client from '../../postgres-client/index.ts';
import type { Schema } from './schema.ts';

/** The tables of one environment, or a transaction on them. */
export type Database = Kysely<Schema>;
export type Transaction = KyselyTransaction<Schema>;

/** `connectionTimeout` of what no client waits for: the start, executions, webhooks. */
export const backgroundTimeout = 60_000;
/** How long a request waits for a connection. */
const requestTimeout = 1_000;

/** Opens the tables of an environment, which is a PostgreSQL schema. See `openDatabase` of the client. */
export function openDatabase(options: DatabaseOptions): Database {
  return client.openDatabase<Schema>(options);
}

/** The tables to which the connections of a pool lead. */
export function databaseOf(pool: ConnectionPool, timeout?: number): Database {
  return client.databaseOf<Schema>(pool, timeout);
}

/** The same tables for requests, which are refused rather than kept waiting for a connection. */
export function requestDatabaseOf(pool: ConnectionPool): Database {
  return client.databaseOf<Schema>(pool, requestTimeout);
}
