import { sql } from 'kysely';
import type { MachineError } from '../domain/failures.ts';
import type { Database } from './database.ts';

/** A thread that waits for those below it. */
export interface Fork {
  threadId: string;
  turn: number;
  /** Threads that have neither ended nor failed. */
  open: number;
  failed: number;
  tolerated: number;
  /** Position of the first thread that is still queued. */
  next: number;
}

/**
 * Locks a fork, so that the ends of its threads follow one another. It is locked before any thread below it.
 *
 * @returns undefined where the fork is over: it was stopped, or its execution ended
 */
export async function lockFork(database: Database, threadId: string): Promise<Fork | undefined> {
  const { rows } = await sql<Fork>`
    select id as "threadId", turn, fork_open as open, fork_failed as failed, fork_tolerated as tolerated,
      fork_next as next
    from threads where id = ${threadId} and status = 'waiting' and awaiting = 'fork' for update
  `.execute(database);
  return rows[0];
}

/** Counts the end of one thread; `next` moves when another was begun in its place. */
export async function countEnd(
  database: Database,
  { threadId, open, failed, next }: Omit<Fork, 'tolerated' | 'turn'>,
): Promise<void> {
  await sql`update threads set fork_open = ${open}, fork_failed = ${failed}, fork_next = ${next}
    where id = ${threadId}`.execute(database);
}

/** Begins the thread that was queued at a position. @returns it, or undefined where none is queued there */
export async function beginQueued(
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
 * All threads of a fork are done: what they gave becomes the fork's outcome, in their order, and they are
 * gone. Failed ones that were tolerated are left out.
 *
 * @returns the turn of the job that goes on with the fork
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
  await stopThreads(database, threadId);
  return (rows[0] as { turn: number }).turn;
}

/** Too many threads of a fork have failed: the others are stopped. @returns the turn of the next job */
export async function failFork(database: Database, threadId: string, failure: MachineError): Promise<number> {
  await stopThreads(database, threadId);
  const outcome = JSON.stringify({ kind: 'failed', failure });
  const { rows } = await sql<{ turn: number }>`
    update threads set status = 'ready', step = step + 1, turn = turn + 1, outcome = ${outcome}
    where id = ${threadId} returning turn`.execute(database);
  return (rows[0] as { turn: number }).turn;
}

async function stopThreads(database: Database, parentId: string): Promise<void> {
  await sql`delete from threads where parent_id = ${parentId}`.execute(database);
}
