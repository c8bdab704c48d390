import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { parse } from 'pg-connection-string';
import { DatabaseConnectionError, isUnavailable, ReadOnlyDatabaseError } from './failures.ts';
import { poolerRefusal, probedSchema, refusePooler } from './pooler.ts';
import { withSettings, withTlsMode } from './settings.ts';

const timeoutMilliseconds = 60_000;
const pauseMilliseconds = 500;
const reportMilliseconds = 2_000;

/**
 * Waits until a database accepts connections and changes: it may start at the same time as the platform, or fail over.
 *
 * @param progress called every two seconds
 * @throws DatabaseConnectionError after a minute, or at once if waiting cannot help: malformed URL, wrong password, no
 *   such database
 */
export async function awaitDatabase(
  connection: string,
  progress: (line: string) => void,
  timeout = timeoutMilliseconds,
): Promise<void> {
  const database = placeOf(connection);
  const started = performance.now();
  let reported = started;
  for (;;) {
    const failure = await connectOnce(connection);
    if (!failure) return;
    if (failure instanceof DatabaseConnectionError) throw failure;
    const now = performance.now();
    const seconds = Math.round((now - started) / 1000);
    const place = `The database ${database} cannot be reached`;
    if (!isUnavailable(failure)) throw new DatabaseConnectionError(`${place}: ${reasonOf(failure)}.`);
    if (now - started >= timeout) {
      throw new DatabaseConnectionError(
        `${place} within ${seconds} s: ${reasonOf(failure)}. Check DATABASE_URL.`,
      );
    }
    if (now - reported >= reportMilliseconds) {
      reported = now;
      progress(`waiting for the database ${database}: ${reasonOf(failure)} (${seconds} s)`);
    }
    await sleep(pauseMilliseconds);
  }
}

/**
 * Connects once, to a database that accepts changes.
 *
 * @throws DatabaseConnectionError
 */
export async function checkDatabase(connection: string): Promise<void> {
  const database = placeOf(connection);
  const failure = await connectOnce(connection);
  if (!failure || failure instanceof DatabaseConnectionError) {
    if (failure) throw failure;
    return;
  }
  throw new DatabaseConnectionError(
    `The database ${database} cannot be reached: ${reasonOf(failure)}.${isUnavailable(failure) ? ' Check DATABASE_URL.' : ''}`,
  );
}

async function connectOnce(connection: string): Promise<Error | undefined> {
  const client = openClient(connection);
  try {
    await client.connect();
    const { rows } = await client.query(
      "select current_setting('transaction_read_only') = 'on' as read_only",
    );
    await refusePooler(client, () => openClient(connection));
    return rows[0].read_only ? new ReadOnlyDatabaseError() : undefined;
  } catch (error) {
    return poolerRefusal(error) ?? (error as Error);
  } finally {
    await client.end().catch(() => {});
  }
}

/** With the settings of the session that `openConnections` sends, too. */
function openClient(connection: string): pg.Client {
  const client = new pg.Client({
    connectionString: withSettings(probedSchema, connection),
    connectionTimeoutMillis: 5_000,
    statement_timeout: 5_000,
  });
  client.on('error', () => {});
  return client;
}

/**
 * `db.example:5432/wrp`, without user and password.
 *
 * @throws DatabaseConnectionError if the URL is malformed, or names a certificate that cannot be read
 */
function placeOf(connection: string): string {
  try {
    const { host, port, database } = parse(withTlsMode(connection));
    return `${host || 'localhost'}:${port || 5432}/${database ?? ''}`;
  } catch (error) {
    const hint = 'special characters of the password must be percent-encoded';
    const reason = error instanceof TypeError ? `it is no valid URL; ${hint}` : reasonOf(error as Error);
    throw new DatabaseConnectionError(`DATABASE_URL cannot be used: ${reason}.`);
  }
}

/** If a host has several addresses, Node reports an error for each. */
function reasonOf(error: Error): string {
  const [first] = error instanceof AggregateError ? (error.errors as Error[]) : [];
  return ((first ?? error).message || String(error)).split('\n', 1).join().replace(/\.$/, '');
}

/** Runs one statement, such as `create database`, on a connection of its own. */
export async function administer(connectionString: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
