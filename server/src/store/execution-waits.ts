import { sql } from 'kysely';
import type { Json } from '../../json/index.ts';
import type { Database } from './database.ts';

/** What an execution waits for. */
export interface ExecutionWait {
  /** `threads`: of its branches or items, none of which was found to wait. `resumption`: of its definition. */
  kind: 'call' | 'callback' | 'timer' | 'retry' | 'threads' | 'resumption';
  state: string | null;
  /** Of a call or a callback. */
  resource?: string;
  /** The host and port that a call or a callback's request is made to. */
  host?: string;
  /** When it ends at the latest. Absent for a call. */
  until?: Date;
}

/** The number of threads of an execution that are read: it can have 100,000. */
const maxThreads = 50;

const kinds = { wait: 'timer', retry: 'retry', call: 'call', callback: 'callback', fork: 'threads' } as const;

interface WaitRow {
  id: string;
  state: string | null;
  awaiting: keyof typeof kinds | null;
  suspended: boolean;
  resource: string | null;
  url: string | null;
  until: Date | null;
}

/** What executions wait for, by their ids; absent: nothing. Of several threads that wait, one is described. */
export async function waitsOf(database: Database, ids: string[]): Promise<Map<string, ExecutionWait>> {
  if (ids.length === 0) return new Map();
  const rows = await database.transaction().execute(async (transaction) => {
    // A bitmap would read the index entries of all threads of an execution before the first one.
    await sql`set local enable_bitmapscan = off`.execute(transaction);
    // Only the thread that is described has its state and task read: both can be large.
    const { rows: found } = await sql<WaitRow>`
      select e.id, t.frame->>'state' as state, t.awaiting, t.parked_for is not null as suspended,
        t.task->>'resource' as resource,
        coalesce(t.task->'arguments'->>'url', t.task->'arguments'->'request'->>'url') as url,
        least(t.timeout_at, t.heartbeat_until) as until
      from unnest(${ids}::uuid[]) e (id) cross join lateral (
        select * from (select * from threads where execution_id = e.id limit ${maxThreads}) first
        where status = 'waiting' or parked_for is not null
        order by (parked_for is null and awaiting = 'fork'), label, position limit 1) t`.execute(transaction);
    return found;
  });
  return new Map(rows.map((row) => [row.id, waitOf(row)]));
}

function waitOf({ state, awaiting, suspended, resource, url, until }: WaitRow): ExecutionWait {
  if (suspended || awaiting === null) return { kind: 'resumption', state };
  const kind = kinds[awaiting];
  const host = url === null ? undefined : URL.parse(url)?.host;
  const isTask = kind === 'call' || kind === 'callback';
  return {
    kind,
    state,
    ...(isTask && resource !== null && { resource }),
    ...(isTask && host && { host }),
    ...(until && kind !== 'call' && { until }),
  };
}

/** The parameters of executions, by their ids. */
export async function parametersOf(database: Database, ids: string[]): Promise<Map<string, Json>> {
  const { rows } = await sql<{ id: string; parameters: Json }>`
    select id, parameters from executions where id = any(${ids}::uuid[])`.execute(database);
  return new Map(rows.map(({ id, parameters }) => [id, parameters]));
}
