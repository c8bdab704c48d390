import { sql } from 'kysely';
import type { Database } from './database.ts';
import type { HistoryEntry } from './threads.ts';

export interface ThreadHistoryEntry extends HistoryEntry {
  threadId: string;
}

/** Entries read by one statement: each has up to 128 KiB of values. */
const readSize = 100;

/** The history of an execution so far, in order. Reads a batch at a time: all of it can be gigabytes. */
export async function* historyOf(
  database: Database,
  executionId: string,
): AsyncGenerator<ThreadHistoryEntry, void> {
  for (let after = 0; ; ) {
    const { rows } = await sql<ThreadHistoryEntry & { sequence: number }>`
      select sequence, thread_id as "threadId", at, kind, state, detail from execution_history
      where execution_id = ${executionId} and sequence > ${after} order by sequence limit ${readSize}`.execute(
      database,
    );
    for (const { sequence, ...entry } of rows) {
      after = sequence;
      yield entry;
    }
    if (rows.length < readSize) return;
  }
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
