import { sql } from 'kysely';
import type { Frame, MachineError, ScopePath } from '../../asl/index.ts';
import type { Database } from './database.ts';
import { type FailingThread, failedColumns, stopFork } from './stopped-threads.ts';
import { assertCurrent, type HistoryEntry, move, type Thread } from './threads.ts';

/** A child thread of a fork. */
export interface NewThread {
  id: string;
  position: number;
  label: string;
  scope: ScopePath;
  frame: Frame;
  status: 'ready' | 'queued';
}

/**
 * Inserts the child threads of a fork, in one statement whose text does not depend on their number.
 *
 * @param threads a list of `NewThread` as JSON
 */
export async function insertThreads(
  database: Database,
  parent: Pick<Thread, 'id' | 'executionId'>,
  threads: string,
): Promise<void> {
  await sql`
    insert into threads (id, execution_id, parent_id, position, label, scope, frame, status)
    select id, ${parent.executionId}::uuid, ${parent.id}::uuid, position, label, scope, frame, status
    from json_to_recordset(${threads}::json)
      as t (id uuid, position integer, label text, scope json, frame json, status text)`.execute(database);
}

/** The outcome of a child thread. */
export type ThreadEnd =
  | { kind: 'succeeded' /** As JSON. */; output: string }
  | { kind: 'failed'; failure: MachineError };

interface ChildEnd {
  parentId: string;
  end: ThreadEnd;
  history: HistoryEntry[];
  /** Of the outputs together; a larger result stops the fork. */
  maxResultBytes: number;
}

/**
 * Ends a child thread of a fork. The fork's lock serializes the ends of its child threads: each end starts a queued
 * thread, joins the fork if it is the last one, or fails the fork if it is one failure too many.
 *
 * @returns the thread that must run next, if any: the fork, or the started thread, which may be a fork to continue
 * @throws StaleCheckpointError if the fork or the thread has moved on
 */
export async function endChild(
  database: Database,
  thread: FailingThread,
  { parentId, end, history, maxResultBytes }: ChildEnd,
): Promise<Started | undefined> {
  const fork = await lockFork(database, parentId);
  const set =
    end.kind === 'succeeded'
      ? sql`status = 'ended', frame = 'null', output = ${end.output}`
      : sql`status = 'failed', ${failedColumns(thread, end.failure)}`;
  await move(database, thread, { set, history });
  const open = fork.open - 1;
  const failed = fork.failed + (end.kind === 'failed' ? 1 : 0);
  if (end.kind === 'failed' && failed > fork.tolerated) {
    return { threadId: parentId, turn: await failFork(database, parentId, end.failure) };
  }
  if (open === 0) {
    return { threadId: parentId, turn: await joinFork(database, { threadId: parentId, maxResultBytes }) };
  }
  const started = await startQueued(database, parentId, fork.next);
  await countEnd(database, {
    threadId: parentId,
    open,
    failed,
    next: started ? started.position + 1 : fork.next,
  });
  return started;
}

/** A thread that needs a job. */
export interface Started {
  threadId: string;
  turn: number;
  /** It is a fork whose threads were stopped, and waits for them again; see `continueForks`. */
  isStoppedFork?: boolean;
}

/** A thread that waits for its child threads. */
interface Fork {
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
 * @throws StaleCheckpointError if the fork was stopped or its execution ended
 */
async function lockFork(database: Database, threadId: string): Promise<Fork> {
  const { rows } = await sql<Fork>`
    select id as "threadId", turn, fork_open as open, fork_failed as failed, fork_tolerated as tolerated,
      fork_next as next
    from threads where id = ${threadId} and status = 'waiting' and awaiting = 'fork' for update
  `.execute(database);
  const [fork] = rows;
  assertCurrent(fork !== undefined);
  return fork;
}

/** Updates the counters after a child thread ended and, possibly, a queued one was started. */
async function countEnd(
  database: Database,
  { threadId, open, failed, next }: Omit<Fork, 'tolerated' | 'turn'>,
): Promise<void> {
  await sql`update threads set fork_open = ${open}, fork_failed = ${failed}, fork_next = ${next}
    where id = ${threadId}`.execute(database);
}

/** Starts the first thread that is queued at a position or behind it. @returns undefined if there is none */
export async function startQueued(
  database: Database,
  parentId: string,
  position: number,
): Promise<(Started & { position: number }) | undefined> {
  const { rows } = await sql<Started & { position: number }>`
    update threads set status = 'ready' where id = (
      select id from threads where parent_id = ${parentId} and position >= ${position} and status = 'queued'
      order by position limit 1)
    returning id as "threadId", turn, position, awaiting = 'fork' and outcome is null as "isStoppedFork"
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

/** Fails a fork and stops its child threads. @returns the turn of the job that continues the fork */
async function failFork(database: Database, threadId: string, failure: MachineError): Promise<number> {
  await stopFork(database, threadId);
  const outcome = JSON.stringify({ kind: 'failed', failure });
  const { rows } = await sql<{ turn: number }>`
    update threads set status = 'ready', step = step + 1, turn = turn + 1, outcome = ${outcome}
    where id = ${threadId} returning turn`.execute(database);
  return (rows[0] as { turn: number }).turn;
}

async function deleteThreads(database: Database, parentId: string): Promise<void> {
  await sql`delete from threads where parent_id = ${parentId}`.execute(database);
}
