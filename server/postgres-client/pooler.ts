import type pg from 'pg';
import { DatabaseConnectionError } from './failures.ts';

/** On the search path of the connection that is checked. It need not exist. */
export const probedSchema = 'wrp_probe';
const queryMilliseconds = 2_000;

const advice =
  'Set DATABASE_URL to PostgreSQL itself: the platform needs startup parameters and keeps its sessions';

function refusal(what: string): DatabaseConnectionError {
  return new DatabaseConnectionError(`DATABASE_URL leads to a pooler that ${what}. ${advice}.`);
}

/** @returns undefined for any other error than that of a pooler that refuses the connection */
export function poolerRefusal(error: unknown): DatabaseConnectionError | undefined {
  const [, parameter] = /^unsupported startup parameter[^:]*: (\S+)$/.exec((error as Error).message) ?? [];
  return parameter === undefined ? undefined : refusal(`refuses the startup parameter ${parameter}`);
}

/**
 * Refuses a pooler that loses what belongs to a session: its settings, above all the search path, without which tables
 * would be created in the wrong schema; and its prepared statements, locks and notifications.
 *
 * @param open creates a client with the same settings
 * @throws DatabaseConnectionError
 */
export async function refusePooler(client: pg.Client, open: () => pg.Client): Promise<void> {
  const { path, pid } = await sessionOf(client);
  if (path !== probedSchema) throw refusal('drops startup parameters such as search_path');
  // A pooler has sent a number of its own, because it hands on requests to cancel.
  const isPooled = (client as unknown as { processID: number }).processID !== pid;
  if (isPooled && (await sharesSessions(client, open())))
    throw refusal('gives one session to several clients (transaction mode)');
}

async function sessionOf(client: pg.Client): Promise<{ path: string; pid: number }> {
  const text = "select current_setting('search_path') as path, pg_backend_pid() as pid";
  const { rows } = await client.query({ text, query_timeout: queryMilliseconds } as pg.QueryConfig);
  return rows[0];
}

/** Whether a transaction of another client takes the session of this one. */
async function sharesSessions(client: pg.Client, other: pg.Client): Promise<boolean> {
  try {
    const { pid } = await sessionOf(client);
    await other.connect();
    await other.query('begin');
    // If the pooler has no other session, it waits for that of the transaction.
    return await sessionOf(client).then(
      (later) => later.pid !== pid,
      () => true,
    );
  } finally {
    await other.end().catch(() => {});
  }
}
