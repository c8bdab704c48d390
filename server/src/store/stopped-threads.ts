import { type RawBuilder, sql } from 'kysely';
import type { MachineError } from '../../asl/index.ts';
import { batchSize } from '../../postgres-client/index.ts';
import type { Database } from './database.ts';
import type { Awaiting } from './schema.ts';
import type { Thread } from './threads.ts';

/*
 * Threads that cannot continue, because their execution failed or a fork above them did. They keep their checkpoints, so
 * that a retry of the execution continues them.
 *
 * - `failed`: its state failed. It has the frame of the state, and begins it again. A fork whose threads failed waits
 *   for them again; one whose result could not be used keeps it as its outcome.
 * - `stopped`: another thread failed, or the execution. It continues where it was: a call that was in progress is
 *   repeated with its idempotency key, as after a crash. A step that waited for a callback begins its state again,
 *   because the callback may have been refused meanwhile.
 * - `queued`: it has not started.
 * - The child threads of a fork that failed have negative positions, and those of them that ended are `stopped` with
 *   their output. So they are no part of a fork that the same thread starts later.
 */

/** A thread at its checkpoint; `frame` and `awaiting` are those of the state that failed. */
export type FailingThread = Pick<Thread, 'id' | 'step' | 'turn' | 'frame' | 'awaiting'>;

/** Columns of a thread whose state failed. */
export function failedColumns(
  { frame, awaiting }: FailingThread,
  { error, cause }: MachineError,
): RawBuilder<unknown> {
  const isFork = awaiting === 'fork';
  return sql`frame = ${frame ?? 'null'}, error = ${error}, cause = ${cause},
    awaiting = case when ${isFork} and outcome->>'kind' in ('failed', 'succeeded') then 'fork' end,
    outcome = case when ${isFork} and outcome->>'kind' = 'succeeded' then outcome end,
    turn = turn + 1, task = null, callback_step = null, timeout_at = null, heartbeat_seconds = null,
    heartbeat_until = null`;
}

const awaitsCallback = sql`callback_step is not null and outcome is null`;

/** Columns of a thread that is stopped: its calls are aborted, and its callbacks refused. */
const stoppedColumns = sql`turn = turn + 1, step = step + case when ${awaitsCallback} then 1 else 0 end,
  awaiting = case when ${awaitsCallback} then null else awaiting end,
  task = case when ${awaitsCallback} then null else task end,
  timeout_at = case when ${awaitsCallback} then null else timeout_at end,
  callback_step = null, heartbeat_seconds = null, heartbeat_until = null, parked_for = null`;

const isStarted = sql`status in ('ready', 'waiting')`;

/** Stops the root thread of an execution, whose state failed. @returns false if it has left its checkpoint */
export async function failRoot(
  database: Database,
  thread: FailingThread,
  failure: MachineError,
): Promise<boolean> {
  const { rows } = await sql`
    update threads set status = 'stopped', step = step + 1, parked_for = null, ${failedColumns(thread, failure)}
    where id = ${thread.id} and step = ${thread.step} and turn = ${thread.turn} and status in ('ready', 'waiting')
    returning id`.execute(database);
  return rows.length > 0;
}

interface Stopped {
  id: string;
  isFork: boolean;
}

const stopped = sql`id, awaiting = 'fork' and outcome is null as "isFork"`;

/** Stops the threads of an execution that has failed as a whole. Parents are locked before their child threads. */
export async function stopExecution(database: Database, executionId: string): Promise<void> {
  const { rows } = await sql<Stopped>`
    update threads set status = 'stopped', ${stoppedColumns}
    where execution_id = ${executionId} and parent_id is null and ${isStarted}
    returning ${stopped}`.execute(database);
  await stopBelow(database, rows);
}

/** Stops the child threads of a fork that fails, whose row is locked. */
export async function stopFork(database: Database, threadId: string): Promise<void> {
  await deleteStopped(database, threadId);
  const { rows } = await sql<Stopped>`
    update threads set position = -1 - position,
      status = case when status in ('queued', 'failed') then status else 'stopped' end, ${stoppedColumns}
    where parent_id = ${threadId} returning ${stopped}`.execute(database);
  await stopBelow(database, rows);
}

async function stopBelow(database: Database, threads: Stopped[]): Promise<void> {
  for (let forks = threads; ; ) {
    const ids = forks.filter(({ isFork }) => isFork).map(({ id }) => id);
    if (ids.length === 0) return;
    const { rows } = await sql<Stopped>`
      update threads set status = 'stopped', ${stoppedColumns}
      where parent_id = any(${ids}::uuid[]) and ${isStarted} returning ${stopped}`.execute(database);
    forks = rows;
  }
}

/** Whether a thread continues after its fork failed: it then has stopped child threads. */
export function hasStoppedThreads({ awaiting, outcome }: Pick<Thread, 'awaiting' | 'outcome'>): boolean {
  return awaiting === 'fork' && outcome !== null && outcome.startsWith(failedOutcome);
}

/** How `failFork` writes the outcome. */
const failedOutcome = '{"kind":"failed"';

/** Deletes the child threads that a failed fork of this thread has left. */
export async function deleteStopped(database: Database, threadId: string): Promise<void> {
  await sql`delete from threads where parent_id = ${threadId} and position < 0`.execute(database);
}

/** A thread that continues after a retry, and needs a job. */
export interface Continued {
  id: string;
  turn: number;
  awaiting: Awaiting | null;
  hasOutcome: boolean;
  timeoutAt: Date | null;
}

interface Candidate extends Continued {
  parentId: string;
  position: number;
  status: string;
}

interface Fork {
  id: string;
  turn: number;
  concurrency: number;
  next: number;
}

const continued = sql`t.id, t.turn, t.awaiting, t.outcome is not null as "hasOutcome", t.timeout_at as "timeoutAt"`;

/** The frame with which a thread begins its state again at `now`. */
const begun = (now: Date) => sql`case json_typeof(t.frame) when 'object' then (
  select json_object_agg(key, case key when 'retries' then '[]'::json
    when 'enteredAt' then to_json(${now.toISOString()}::text) else value end) from json_each(t.frame)) else t.frame end`;

/** The root thread of a failed execution; undefined if its checkpoint is gone. */
export async function stoppedRoot(database: Database, executionId: string): Promise<Continued | undefined> {
  const { rows } = await sql<Continued>`
    select ${continued} from threads t
    where t.execution_id = ${executionId} and t.parent_id is null and t.status = 'stopped'`.execute(database);
  return rows[0];
}

/**
 * Makes forks wait for their threads again: those that ended keep their output, the others continue, no more at a time
 * than the fork runs at once.
 *
 * @param ids forks without an outcome
 * @returns the threads that need a job
 */
export async function continueForks(database: Database, ids: string[], now: Date): Promise<Continued[]> {
  const { forks, candidates } = await restoreChildren(database, ids);
  const started: Candidate[] = [];
  const queued: Candidate[] = [];
  const counters: object[] = [];
  const childless: Continued[] = [];
  for (const fork of forks) {
    const own = candidates.get(fork.id) ?? [];
    const last = own.at(-1);
    if (last) {
      const [first, later] = startable(fork, own);
      for (const thread of first) started.push(thread);
      for (const thread of later) queued.push(thread);
      counters.push({ id: fork.id, open: own.length, next: later[0]?.position ?? last.position + 1 });
    } else {
      childless.push({ ...fork, awaiting: null, hasOutcome: false, timeoutAt: null });
    }
  }
  await waitAgain(database, counters, childless);
  const requeued = queued.filter(({ status }) => status !== 'queued');
  await setStatus(database, requeued, 'queued', now);
  return [...childless, ...(await continueThreads(database, started, now))];
}

/** Divides the threads of a fork into those that start and those that are queued. */
function startable({ concurrency, next }: Fork, threads: Candidate[]): [Candidate[], Candidate[]] {
  const limit = concurrency || threads.filter(({ position }) => position < next).length;
  // What ran when the fork was stopped is within the limit.
  const isInProgress = ({ status, awaiting }: Candidate) => status === 'stopped' && awaiting !== null;
  const inProgress = threads.filter(isInProgress);
  const others = threads.filter((thread) => !isInProgress(thread));
  const begins = Math.max(limit - inProgress.length, inProgress.length === 0 ? 1 : 0);
  return [[...inProgress, ...others.slice(0, begins)], others.slice(begins)];
}

/** Puts child threads back to their positions. @returns those of each fork that have not ended, in order */
async function restoreChildren(
  database: Database,
  ids: string[],
): Promise<{ forks: Fork[]; candidates: Map<string, Candidate[]> }> {
  // A process of a version without retries left child threads of an earlier fork behind.
  await sql`delete from threads where position < 0 and parent_id in (
    select id from unnest(${ids}::uuid[]) f (id)
    where exists (select from threads where parent_id = f.id and position >= 0))`.execute(database);
  await sql`update threads set position = -1 - position,
      status = case when output is not null then 'ended' else status end
    where parent_id = any(${ids}::uuid[]) and position < 0`.execute(database);
  const { rows: forks } = await sql<Fork>`
    select id, turn, fork_concurrency as concurrency, fork_next as next from threads
    where id = any(${ids}::uuid[])`.execute(database);
  const { rows } = await sql<Candidate>`
    select ${continued}, t.parent_id as "parentId", t.position, t.status from threads t
    where t.parent_id = any(${ids}::uuid[]) and t.status in ('stopped', 'failed', 'queued')
    order by t.position`.execute(database);
  const candidates = new Map<string, Candidate[]>(ids.map((id) => [id, []]));
  for (const row of rows) candidates.get(row.parentId)?.push(row);
  return { forks, candidates };
}

/** @param childless forks whose threads are gone: they begin their state again */
async function waitAgain(database: Database, counters: object[], childless: { id: string }[]): Promise<void> {
  await sql`update threads t set status = 'waiting', fork_open = n.open, fork_failed = 0, fork_next = n.next
    from json_to_recordset(${JSON.stringify(counters)}::json) as n (id uuid, open integer, next integer)
    where t.id = n.id`.execute(database);
  if (childless.length === 0) return;
  await sql`update threads set status = 'ready', awaiting = null
    where id = any(${childless.map(({ id }) => id)}::uuid[])`.execute(database);
}

/**
 * Makes threads continue that can: a fork waits for its threads again.
 *
 * @returns the threads that need a job
 */
export async function continueThreads(
  database: Database,
  threads: Continued[],
  now: Date,
): Promise<Continued[]> {
  const waits = ({ awaiting, hasOutcome }: Continued) => awaiting !== null && !hasOutcome;
  await setStatus(database, threads.filter(waits), 'waiting', now);
  await setStatus(
    database,
    threads.filter((thread) => !waits(thread)),
    'ready',
    now,
  );
  const isFork = (thread: Continued) => thread.awaiting === 'fork' && waits(thread);
  const forks = threads.filter(isFork);
  const others = threads.filter((thread) => !isFork(thread));
  const below =
    forks.length > 0
      ? await continueForks(
          database,
          forks.map(({ id }) => id),
          now,
        )
      : [];
  return [...others.map((thread) => ({ ...thread, turn: thread.turn + 1 })), ...below];
}

/** A thread that failed begins its state again; its Retry counts from zero. */
async function setStatus(
  database: Database,
  threads: Continued[],
  status: 'ready' | 'waiting' | 'queued',
  now: Date,
): Promise<void> {
  if (threads.length === 0) return;
  await sql`update threads t set status = ${status}, turn = turn + 1, error = null, cause = null,
      frame = case when error is null then frame else ${begun(now)} end
    where id = any(${threads.map(({ id }) => id)}::uuid[])`.execute(database);
}

/**
 * Makes sure that executions that ended before a time are not retried any more: their root threads are `failed`. The row
 * lock decides between this and a retry.
 *
 * @returns the executions with the oldest end that have not been cleaned up, at most `limit`
 */
export async function discardCheckpoints(
  database: Database,
  endedBefore: Date,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with old as materialized (
      select id from executions where kept and ended_at <= ${endedBefore} order by ended_at limit ${limit}
      for no key update skip locked
    ), discarded as (
      update threads t set status = 'failed' from old where t.execution_id = old.id and t.parent_id is null)
    select id from old`.execute(database);
  return rows.map(({ id }) => id);
}

/** Deletes the threads of ended executions in batches, child threads first: an execution can have 100,000. */
export async function deleteCheckpoints(database: Database, executionIds: string[]): Promise<void> {
  for (;;) {
    const { numAffectedRows = 0n } = await sql`
      with old as materialized (
        select id from threads t where t.execution_id = any(${executionIds}::uuid[])
          and not exists (select from threads below where below.parent_id = t.id) limit ${batchSize})
      delete from threads t using old where t.id = old.id`.execute(database);
    if (numAffectedRows === 0n) return;
  }
}
