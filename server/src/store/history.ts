import { sql } from 'kysely';
import type { Database } from './database.ts';
import type { HistoryEntry } from './threads.ts';

export interface ThreadHistoryEntry extends HistoryEntry {
  threadId: string;
}

/** The history of an execution so far, in order. */
export async function historyOf(database: Database, executionId: string): Promise<ThreadHistoryEntry[]> {
  const { rows } = await sql<ThreadHistoryEntry>`
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

/** The state of each thread of a running execution. */
export async function liveThreads(database: Database, executionId: string): Promise<LiveThread[]> {
  const { rows } = await sql<LiveThread>`
    select label, frame->>'state' as state, status, awaiting, frame->>'enteredAt' as "enteredAt",
      timeout_at as "timeoutAt"
    from threads where execution_id = ${executionId} and status in ('ready', 'waiting', 'queued')
    order by label, position`.execute(database);
  return rows;
}
