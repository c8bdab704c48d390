import { sql } from 'kysely';
import type { MachineError } from '../../asl/index.ts';
import type { Database } from './database.ts';

/** A thread that waits for its child threads. */
export interface Fork {
  threadId: string;
  turn: number;
  /** Child threads that have neither ended nor failed. */
  open: number;
  failed: number;
  tolerated: number;
  /** Position of the first queued child thread. */
  next: number;
}

/**
 * Locks a fork, which serializes the ends of its child threads. A fork is locked before its child threads.
 *
 * @returns undefined if the fork was stopped or its execution ended
 */
export async function lockFork(database: Database, threadId: string): Promise<Fork | undefined> {
  const { rows } = await sql<Fork>`
    select id as "threadId", turn, fork_open as open, fork_failed as failed, fork_tolerated as tolerated,
      fork_next as next
    from threads where id = ${threadId} and status = 'waiting' and awaiting = 'fork' for update
  `.execute(database);
  return rows[0];
}

/** Updates the counters after a child thread ended and, possibly, a queued one was started. */
export async function countEnd(
  database: Database,
  { threadId, open, failed, next }: Omit<Fork, 'tolerated' | 'turn'>,
): Promise<void> {
  await sql`update threads set fork_open = ${open}, fork_failed = ${failed}, fork_next = ${next}
    where id = ${threadId}`.execute(database);
}

/** Starts the thread queued at a position. @returns undefined if no thread is queued there */
export async function startQueued(
  database: Database,
  parentId: string,
  position: number,
): Promise<{ id: string; turn: number } | undefined> {
  const { rows } = await sql<{ id: string; turn: number }>`
    update threads set status = 'ready'
    where parent_id = ${parentId} and position = ${position} and status = 'queued' returning id, turn
  `.execute(database);
  return rows[0];
}

/**
 * Makes the outputs of a fork's child threads its outcome, in order and without those that failed, and deletes the
 * child threads.
 *
 * @returns the turn of the job that continues the fork
 */
export async function joinFork(
  database: Database,
  { threadId, maxResultBytes }: { threadId: string; maxResultBytes: number },
): Promise<number> {
  const cause = `The result is larger than ${maxResultBytes} bytes.`;
  const tooLarge = JSON.stringify({
    kind: 'stopped',
    failure: { error: 'States.DataLimitExceeded', cause },
  });
  const { rows } = await sql<{ turn: number }>`
    update threads fork set status = 'ready', step = fork.step + 1, turn = fork.turn + 1,
      outcome = case
        when (select sum(octet_length(t.output::text)) from threads t
          where t.parent_id = ${threadId} and t.status = 'ended') > ${maxResultBytes}::bigint
        then ${tooLarge}::json
        else json_build_object('kind', 'succeeded', 'result', coalesce(
          (select json_agg(t.output order by t.position) from threads t
            where t.parent_id = ${threadId} and t.status = 'ended'), '[]')) end
    where id = ${threadId} returning turn`.execute(database);
  await deleteThreads(database, threadId);
  return (rows[0] as { turn: number }).turn;
}

/** Fails a fork and deletes its child threads. @returns the turn of the job that continues the fork */
export async function failFork(database: Database, threadId: string, failure: MachineError): Promise<number> {
  await deleteThreads(database, threadId);
  const outcome = JSON.stringify({ kind: 'failed', failure });
  const { rows } = await sql<{ turn: number }>`
    update threads set status = 'ready', step = step + 1, turn = turn + 1, outcome = ${outcome}
    where id = ${threadId} returning turn`.execute(database);
  return (rows[0] as { turn: number }).turn;
}

async function deleteThreads(database: Database, parentId: string): Promise<void> {
  await sql`delete from threads where parent_id = ${parentId}`.execute(database);
}
