import { type RawBuilder, sql } from 'kysely';
import type { Frame, ScopePath } from '../domain/checkpoints.ts';
import type { MachineError } from '../domain/failures.ts';
import type { Json } from '../domain/json.ts';
import type { Database } from './database.ts';
import type { Awaiting } from './schema.ts';

/** Work that a thread waits for. */
export interface ThreadTask {
  resource: string;
  arguments: Json;
  /** Seconds. */
  timeoutSeconds: number;
  heartbeatSeconds: number | null;
}

/** A thread of a running execution at its checkpoint, with what its states may know of the execution. */
export interface Thread {
  id: string;
  executionId: string;
  parentId: string | null;
  position: number;
  label: string;
  scope: ScopePath;
  /** A `Frame` as JSON; null before its first state. */
  frame: string | null;
  /** The state of the frame. */
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
  /** Entries of its history, those excepted that processes have not counted yet. */
  historyEntries: number;
  workspaceId: string;
  organizationId: string;
}

/** One line of what an execution has done; see `store/history.ts`. */
export interface HistoryEntry {
  at: Date;
  kind: 'state' | 'waiting' | 'task' | 'forked' | 'retry' | 'failed';
  state: string;
  detail: object;
}

/**
 * The threads that jobs are to take on, in the order asked for.
 *
 * @returns undefined where a job has nothing to do any more: the execution has ended, its fork was stopped,
 *   or the thread has gone on by another job
 */
export async function loadThreads(
  database: Database,
  wanted: { threadId: string; turn: number }[],
): Promise<(Thread | undefined)[]> {
  const { rows } = await sql<Thread & { created: Date; deadline: Date; parameters: string }>`
    select t.id, t.execution_id as "executionId", t.parent_id as "parentId", t.position, t.label, t.scope,
      nullif(t.frame::text, 'null') as frame, t.frame->>'state' as state, t.step, t.turn, t.status,
      t.awaiting, t.outcome::text as outcome, t.task, t.callback_step as "callbackStep",
      t.timeout_at as "timeoutAt", t.heartbeat_until as "heartbeatUntil",
      json_build_object('id', e.id, 'definitionId', e.workflow_definition_id,
        'revisionId', e.definition_revision_id, 'name', e.name, 'locale', e.locale, 'recordId', e.record_id, 'resultOrigin', e.result_origin,
        'startedBy', e.started_by, 'workspaceId', e.workspace_id, 'organizationId', w.organization_id,
        'historyEntries', e.history_entries
      ) as execution, e.parameters::text as parameters, e.created_at as created, e.deadline_at as deadline
    from json_to_recordset(${JSON.stringify(wanted)}::json) as wanted ("threadId" uuid, turn bigint)
      join threads t on t.id = wanted."threadId" and t.turn = wanted.turn
      join executions e on e.id = t.execution_id join workspaces w on w.id = e.workspace_id
    where t.status in ('ready', 'waiting')
  `.execute(database);
  const loaded = new Map(rows.map((row) => [`${row.id} ${row.turn}`, row]));
  return wanted.map(({ threadId, turn }) => {
    const row = loaded.get(`${threadId} ${turn}`);
    if (!row) return undefined;
    const { created, deadline, parameters, ...thread } = row;
    const execution = { ...thread.execution, parameters, createdAt: created, deadlineAt: deadline };
    return { ...thread, execution };
  });
}

/** Which row is written, and from where. */
export type Position = Pick<Thread, 'id' | 'step'>;

/** Where a thread goes on from: written if nobody else has written since. */
interface Move {
  thread: Position;
  /** Columns to be set besides the step. */
  set: RawBuilder<unknown>;
  history: HistoryEntry[];
}

/** One statement, so that a checkpoint is one round trip. @returns false where the thread was elsewhere */
async function move(database: Database, { thread, set, history }: Move): Promise<boolean> {
  const entries = JSON.stringify(history);
  const { rows } = await sql<{ moved: number }>`
    with moved as (
      update threads set step = step + 1, ${set}
      where id = ${thread.id} and step = ${thread.step} and status in ('ready', 'waiting')
      returning id, execution_id
    ), told as (
      insert into execution_history (execution_id, thread_id, at, kind, state, detail)
      select moved.execution_id, moved.id, h.at, h.kind, h.state, h.detail
      from moved, json_to_recordset(${entries}::json)
        as h (at timestamptz, kind text, state text, detail json)
    )
    select count(*) as moved from moved`.execute(database);
  return rows[0]?.moved === 1;
}

/** The thread has done a state and goes on at once. @returns false where it was elsewhere */
export async function checkpoint(
  database: Database,
  thread: Position,
  { frame, history }: { frame: string; history: HistoryEntry[] },
): Promise<boolean> {
  const set = sql`frame = ${frame}, status = 'ready', awaiting = null, outcome = null,
    task = null, callback_step = null, timeout_at = null, heartbeat_seconds = null, heartbeat_until = null`;
  return move(database, { thread, set, history });
}

/** What a thread is put aside for. */
export interface Parking {
  /** A `Frame` as JSON. */
  frame: string;
  /** Null: it only lets others have their turn. */
  awaiting: Awaiting | null;
  task?: ThreadTask | null;
  callbackStep?: number | null;
  timeoutAt?: Date | null;
  heartbeatUntil?: Date | null;
  fork?: { threads: number; begun: number; tolerated: number };
  history: HistoryEntry[];
}

/** The thread goes on by another job, of the next turn. @returns false where it was elsewhere */
export async function park(
  database: Database,
  thread: Position,
  { frame, awaiting, task, callbackStep, timeoutAt, heartbeatUntil, fork, history }: Parking,
): Promise<boolean> {
  const set = sql`frame = ${frame}, turn = turn + 1,
    status = ${awaiting ? 'waiting' : 'ready'}, awaiting = ${awaiting},
    outcome = null, task = ${task ? JSON.stringify(task) : null}, callback_step = ${callbackStep ?? null},
    timeout_at = ${timeoutAt ?? null}, heartbeat_seconds = ${task?.heartbeatSeconds ?? null},
    heartbeat_until = ${heartbeatUntil ?? null}, fork_open = ${fork?.threads ?? 0}, fork_failed = 0,
    fork_tolerated = ${fork?.tolerated ?? 0}, fork_next = ${fork?.begun ?? 0}`;
  return move(database, { thread, set, history });
}

/** A thread below a fork, as it begins. */
export interface NewThread {
  id: string;
  position: number;
  label: string;
  scope: ScopePath;
  frame: Frame;
  status: 'ready' | 'queued';
}

/**
 * All of a fork's threads in one statement whose text does not depend on how many there are.
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

/** How a thread below a fork ended. */
export type ThreadEnd =
  | { kind: 'succeeded' /** As JSON. */; output: string; history: HistoryEntry[] }
  | { kind: 'failed'; failure: MachineError; history: HistoryEntry[] };

/** @returns false where the thread was elsewhere */
export async function endThread(database: Database, thread: Position, end: ThreadEnd): Promise<boolean> {
  const set =
    end.kind === 'succeeded'
      ? sql`status = 'ended', frame = 'null', output = ${end.output}`
      : sql`status = 'failed', frame = 'null', error = ${end.failure.error}, cause = ${end.failure.cause}`;
  return move(database, { thread, set, history: end.history });
}

/** The turns of those threads that are still there, by thread. */
export async function turnsOf(database: Database, ids: string[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: string; turn: number }>`
    select id, turn from threads where id = any(${ids}::uuid[])`.execute(database);
  return new Map(rows.map(({ id, turn }) => [id, turn]));
}

/** Holds a thread where it stands. @returns undefined where it has gone on */
export async function lockThread(
  database: Database,
  { id, step }: Pick<Thread, 'id' | 'step'>,
): Promise<Pick<Thread, 'outcome' | 'timeoutAt' | 'heartbeatUntil'> | undefined> {
  const { rows } = await sql<Pick<Thread, 'outcome' | 'timeoutAt' | 'heartbeatUntil'>>`
    select outcome::text as outcome, timeout_at as "timeoutAt", heartbeat_until as "heartbeatUntil"
    from threads where id = ${id} and step = ${step} for update`.execute(database);
  return rows[0];
}

/**
 * How a thread's step came out, so that no answer is taken for it any more.
 *
 * @param outcome a `StepOutcome` as JSON
 * @returns false where the thread was elsewhere
 */
export async function keepOutcome(
  database: Database,
  { id, step }: Position,
  outcome: string,
): Promise<boolean> {
  const { rows } = await sql`
    update threads set outcome = ${outcome} where id = ${id} and step = ${step} returning id`.execute(
    database,
  );
  return rows.length > 0;
}
