import { sql } from 'kysely';
import type { Database } from './database.ts';
import type { HistoryEntry } from './threads.ts';

export interface ToldEntry extends HistoryEntry {
  threadId: string;
}

/** What an execution has done so far, in its order. */
export async function historyOf(database: Database, executionId: string): Promise<ToldEntry[]> {
  const { rows } = await sql<ToldEntry>`
    select thread_id as "threadId", at, kind, state, detail from execution_history
    where execution_id = ${executionId} order by sequence`.execute(database);
  return rows;
}

export interface LiveThread {
  label: string;
  state: string | null;
  status: string;
  awaiting: string | null;
  enteredAt: string | null;
  timeoutAt: Date | null;
}

/** Where the threads of a running execution stand. */
export async function liveThreads(database: Database, executionId: string): Promise<LiveThread[]> {
  const { rows } = await sql<LiveThread>`
    select label, frame->>'state' as state, status, awaiting, frame->>'enteredAt' as "enteredAt",
      timeout_at as "timeoutAt"
    from threads where execution_id = ${executionId} and status in ('ready', 'waiting', 'queued')
    order by label, position`.execute(database);
  return rows;
}
