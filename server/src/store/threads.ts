import { type RawBuilder, sql } from 'kysely';
import type { ScopePath } from '../../asl/index.ts';
import type { Json } from '../../json/index.ts';
import { statement } from '../../postgres-client/index.ts';
import type { Database } from './database.ts';
import type { Awaiting } from './schema.ts';

/** A task that a thread waits for. */
export interface ThreadTask {
  resource: string;
  arguments: Json;
  /** Seconds. */
  timeoutSeconds: number;
  heartbeatSeconds: number | null;
}

/** A thread of a running execution at its checkpoint, with the data of its execution. */
export interface Thread {
  id: string;
  executionId: string;
  parentId: string | null;
  position: number;
  label: string;
  scope: ScopePath;
  /** A `Frame` as JSON; null before its first state. */
  frame: string | null;
  /** The current state. */
  state: string | null;
  step: number;
  turn: number;
  status: 'ready' | 'waiting';
  awaiting: Awaiting | null;
  /** A `StepOutcome` as JSON. */
  outcome: string | null;
  task: ThreadTask | null;
  callbackStep: number | null;
  timeoutAt: Date | null;
  heartbeatUntil: Date | null;
  execution: ThreadExecution;
}

export interface ThreadExecution {
  id: string;
  definitionId: string;
  revisionId: string;
  name: string;
  /** As JSON. */
  parameters: string;
  locale: string;
  recordId: string | null;
  resultOrigin: Json;
  startedBy: string;
  createdAt: Date;
  deadlineAt: Date;
  /** Whether its definition is paused. */
  isPaused: boolean;
  /** The number of history entries, except those that processes have not added to the count yet. */
  historyEntries: number;
  workspaceId: string;
  organizationId: string;
  /** The `traceparent` of the request that started it. */
  traceparent: string | null;
  /** Grows when the execution ends, and when it is retried. */
  version: number;
}

/** An entry of an execution's history; see `store/execution-history.ts`. */
export interface HistoryEntry {
  at: Date;
  kind: 'state' | 'waiting' | 'task' | 'forked' | 'retry' | 'failed' | 'retried';
  state: string;
  detail: object;
  /** Large values of which the detail has the size only, as JSON, until `storeLargeValues` stores them. */
  largeValues?: Record<string, string>;
}

type LoadedRow = Thread & { created: Date; deadline: Date; parameters: string };

/**
 * Loads the threads of jobs, in the order of `turns`. With offsets, because a plan made while there were few rows would
 * otherwise read all of them.
 *
 * @returns undefined for a job that is obsolete: the execution has ended, the fork was stopped, or another job has
 *   continued the thread
 */
export async function loadThreads(
  database: Database,
  turns: { threadId: string; turn: number }[],
): Promise<(Thread | undefined)[]> {
  const { rows } = await database.executeQuery(statement<LoadedRow>`
    select t.id, t.execution_id as "executionId", t.parent_id as "parentId", t.position, t.label, t.scope,
      nullif(t.frame::text, 'null') as frame, t.frame->>'state' as state, t.step, t.turn, t.status,
      t.awaiting, t.outcome::text as outcome, t.task, t.callback_step as "callbackStep",
      t.timeout_at as "timeoutAt", t.heartbeat_until as "heartbeatUntil",
      json_build_object('id', e.id, 'definitionId', e.workflow_definition_id,
        'revisionId', e.definition_revision_id, 'name', e.name, 'locale', e.locale, 'recordId', e.record_id,
        'resultOrigin', e.result_origin, 'startedBy', e.started_by, 'workspaceId', e.workspace_id, 'organizationId', w.organization_id,
        'historyEntries', e.history_entries, 'traceparent', e.traceparent,
        'version', e.version,
        'isPaused', (select paused_at is not null from workflow_definitions where id = e.workflow_definition_id)
      ) as execution, e.parameters::text as parameters, e.created_at as created, e.deadline_at as deadline
    from json_to_recordset(${JSON.stringify(turns)}::json) as wanted ("threadId" uuid, turn bigint)
      cross join lateral (select * from threads where id = wanted."threadId" offset 0) t
      cross join lateral (select * from executions where id = t.execution_id offset 0) e
      join workspaces w on w.id = e.workspace_id
    where t.turn = wanted.turn and t.status in ('ready', 'waiting')`);
  const loaded = new Map(rows.map((row) => [`${row.id} ${row.turn}`, row]));
  return turns.map(({ threadId, turn }) => {
    const row = loaded.get(`${threadId} ${turn}`);
    if (!row) return undefined;
    const { created, deadline, parameters, ...thread } = row;
    const execution = { ...thread.execution, parameters, createdAt: created, deadlineAt: deadline };
    return { ...thread, execution };
  });
}

/**
 * The row to update, and the step and turn that it must be at: a thread that was stopped and continues after a retry can
 * be at the same step in another turn.
 */
type Checkpoint = Pick<Thread, 'id' | 'step' | 'turn'>;

/** Rolls a transaction back: another job moved the thread on, or its execution has ended. Not an error. */
export class StaleCheckpointError extends Error {
  override name = 'StaleCheckpointError';

  constructor() {
    super('The thread has left this checkpoint.');
  }
}

/** @throws StaleCheckpointError if the thread has left its checkpoint */
export function assertCurrent(isCurrent: boolean): asserts isCurrent {
  if (!isCurrent) throw new StaleCheckpointError();
}

interface Move {
  /** Columns to set besides the step. */
  set: RawBuilder<unknown>;
  history: HistoryEntry[];
}

/** Moves a thread from a step to the next one, in one round trip. @throws StaleCheckpointError */
export async function move(
  database: Database,
  { id, step, turn }: Checkpoint,
  { set, history }: Move,
): Promise<void> {
  const entries = JSON.stringify(history);
  const { rows } = await sql<{ moved: number }>`
    with moved as (
      update threads set step = step + 1, parked_for = null, ${set}
      where id = ${id} and step = ${step} and turn = ${turn} and status in ('ready', 'waiting')
      returning id, execution_id
    ), history as (
      insert into execution_history (execution_id, thread_id, at, kind, state, detail)
      select moved.execution_id, moved.id, h.at, h.kind, h.state, h.detail
      from moved, json_to_recordset(${entries}::json)
        as h (at timestamptz, kind text, state text, detail json)
    )
    select count(*) as moved from moved`.execute(database);
  assertCurrent(rows[0]?.moved === 1);
}

/** Checkpoints a thread that continues in the same job. @throws StaleCheckpointError */
export async function checkpoint(
  database: Database,
  thread: Checkpoint,
  { frame, history }: { frame: string; history: HistoryEntry[] },
): Promise<void> {
  const set = sql`frame = ${frame}, status = 'ready', awaiting = null, outcome = null,
    task = null, callback_step = null, timeout_at = null, heartbeat_seconds = null, heartbeat_until = null`;
  await move(database, thread, { set, history });
}

/** The checkpoint of a suspended thread, and what it waits for. */
export interface Suspension {
  /** A `Frame` as JSON. */
  frame: string;
  /** Null: nothing; it only yields to other threads. */
  awaiting: Awaiting | null;
  task?: ThreadTask | null;
  callbackStep?: number | null;
  timeoutAt?: Date | null;
  heartbeatUntil?: Date | null;
  fork?: NewFork;
}

/** The child threads of a fork. */
export interface NewFork {
  /** A list of `NewThread` as JSON. */
  threads: string;
  count: number;
  /** The threads that start immediately; the others are queued. */
  started: string[];
  toleratedFailures: number;
}

/** Checkpoints a thread that another job, of the next turn, continues. @throws StaleCheckpointError */
export async function suspendThread(
  database: Database,
  thread: Checkpoint,
  { suspension, history }: { suspension: Suspension; history: HistoryEntry[] },
): Promise<void> {
  const { frame, awaiting, task, callbackStep, timeoutAt, heartbeatUntil, fork } = suspension;
  const set = sql`frame = ${frame}, turn = turn + 1,
    status = ${awaiting ? 'waiting' : 'ready'}, awaiting = ${awaiting},
    outcome = null, task = ${task ? JSON.stringify(task) : null}, callback_step = ${callbackStep ?? null},
    timeout_at = ${timeoutAt ?? null}, heartbeat_seconds = ${task?.heartbeatSeconds ?? null},
    heartbeat_until = ${heartbeatUntil ?? null}, fork_open = ${fork?.count ?? 0}, fork_failed = 0,
    fork_tolerated = ${fork?.toleratedFailures ?? 0}, fork_next = ${fork?.started.length ?? 0},
    fork_concurrency = ${fork?.started.length ?? 0}`;
  await move(database, thread, { set, history });
}

/** The current turns of those threads that still exist, by id. */
export async function turnsOf(database: Database, ids: string[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: string; turn: number }>`
    select id, turn from threads where id = any(${ids}::uuid[])`.execute(database);
  return new Map(rows.map(({ id, turn }) => [id, turn]));
}

/** Begins the next turn of a thread at the same step. @throws StaleCheckpointError if another job has continued it */
export async function beginTurn(
  database: Database,
  { id, turn }: Pick<Thread, 'id' | 'turn'>,
): Promise<void> {
  const { rows } = await sql`
    update threads set turn = turn + 1, parked_for = null where id = ${id} and turn = ${turn} returning id`.execute(
    database,
  );
  assertCurrent(rows.length > 0);
}

/** Locks a thread at a step. @throws StaleCheckpointError */
export async function lockThread(
  database: Database,
  { id, step, turn }: Checkpoint,
): Promise<Pick<Thread, 'outcome' | 'timeoutAt' | 'heartbeatUntil'>> {
  const { rows } = await sql<Pick<Thread, 'outcome' | 'timeoutAt' | 'heartbeatUntil'>>`
    select outcome::text as outcome, timeout_at as "timeoutAt", heartbeat_until as "heartbeatUntil"
    from threads where id = ${id} and step = ${step} and turn = ${turn} for update`.execute(database);
  const [row] = rows;
  assertCurrent(row !== undefined);
  return row;
}

/**
 * Stores the outcome of a thread's step, so that it accepts no callback any more.
 *
 * @param outcome a `StepOutcome` as JSON
 * @throws StaleCheckpointError
 */
export async function storeOutcome(
  database: Database,
  { id, step, turn }: Checkpoint,
  outcome: string,
): Promise<void> {
  const { rows } = await sql`
    update threads set outcome = ${outcome} where id = ${id} and step = ${step} and turn = ${turn} returning id`.execute(
    database,
  );
  assertCurrent(rows.length > 0);
}
