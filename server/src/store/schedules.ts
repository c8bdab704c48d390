import type { Selectable } from 'kysely';
import { sql } from 'kysely';
import type { JsonObject } from '../../json/index.ts';
import { auditChange } from './audit.ts';
import type { Database } from './database.ts';
import type { ExecutionStatus, Schema, UserStatus } from './schema.ts';

type Row = Selectable<Schema['schedules']>;
export type ScheduleOutcome = NonNullable<Row['last_outcome']>;
export const scheduleOutcomes = ['started', 'queued', 'skipped', 'missed', 'refused'] as const;

/** What changes when something is due. */
export interface ScheduleState {
  /** The operator wants an execution besides the calendar's. */
  runRequestedAt: Date | null;
  nextDueAt: Date;
  /** The last due time that was decided on; null if there was none. */
  lastDueAt: Date | null;
  /** Due times that wait for the end of a running execution, in order. */
  waiting: Date[];
}

export interface Schedule extends ScheduleState {
  id: string;
  name: string;
  cron: string;
  /** An IANA name. */
  timeZone: string;
  overlap: Row['overlap'];
  catchUp: Row['catch_up'];
  jitterSeconds: number;
  expiresAfterSeconds: number | null;
  pausedAt: Date | null;
  /** Whether the execution that it started last is running. */
  isRunning: boolean;
}

/** A schedule with what a start needs, locked. */
export interface LockedSchedule extends Schedule {
  parameters: JsonObject;
  workflowDefinitionId: string;
  workspaceId: string;
  user: { userId: string; firstName: string; lastName: string; email: string };
  userStatus: UserStatus;
}

const columns = sql`s.id, s.name, s.cron, s.time_zone as "timeZone", s.overlap, s.catch_up as "catchUp",
  s.jitter_seconds as "jitterSeconds", s.expires_after_seconds as "expiresAfterSeconds", s.paused_at as "pausedAt",
  s.run_requested_at as "runRequestedAt", s.next_due_at as "nextDueAt", s.last_due_at as "lastDueAt", s.waiting,
  exists (select from executions e where e.id = s.last_execution_id and e.ended_at is null) as "isRunning"`;

/** Of a schedule about which there may be something to do. */
export const isDue = (now: Date) => sql`(run_requested_at is not null
  or paused_at is null and (next_due_at <= ${now} or waiting <> '{}'))`;

/** Those about which there may be something to do. */
export async function dueSchedules(database: Database, now: Date): Promise<Schedule[]> {
  const { rows } = await sql<Schedule>`
    select ${columns} from schedules s where ${isDue(now)}
    order by s.next_due_at, s.id`.execute(database);
  return rows;
}

/** Locks a schedule until the transaction ends. @returns undefined if another process has it */
export async function lockSchedule(database: Database, id: string): Promise<LockedSchedule | undefined> {
  const { rows: locked } = await sql`
    select from schedules where id = ${id} for no key update skip locked`.execute(database);
  if (locked.length === 0) return undefined;
  // A statement of its own: that of the lock may not see an execution that the former holder started.
  const { rows } = await sql<LockedSchedule>`
    select ${columns}, s.parameters, s.workflow_definition_id as "workflowDefinitionId",
      s.workspace_id as "workspaceId", u.status as "userStatus",
      json_build_object('userId', u.id, 'firstName', u.first_name, 'lastName', u.last_name, 'email', u.email) as "user"
    from schedules s join users u on u.id = s.user_id where s.id = ${id}`.execute(database);
  return rows[0];
}

/** Locks the schedules of a workspace until the transaction ends. */
export async function lockSchedulesOf(database: Database, workspaceId: string): Promise<void> {
  await sql`select from schedules where workspace_id = ${workspaceId} for no key update`.execute(database);
}

/** Sets the next due time of a calendar that has changed. What waits belongs to the old one. */
export async function planSchedule(database: Database, id: string, nextDueAt: Date): Promise<void> {
  await database
    .updateTable('schedules')
    .set({ next_due_at: nextDueAt, waiting: [] })
    .where('id', '=', id)
    .execute();
}

/** What came of a due time, or of a request to run. */
export interface ScheduleResult {
  outcome: ScheduleOutcome;
  at: Date;
  /** Null if it was started. */
  reason: string | null;
  executionId?: string;
}

export async function storeSchedule(
  database: Database,
  id: string,
  { runRequestedAt, nextDueAt, lastDueAt, waiting }: ScheduleState,
  { outcome, at, reason, executionId }: ScheduleResult,
): Promise<void> {
  await database
    .updateTable('schedules')
    .set({
      run_requested_at: runRequestedAt,
      next_due_at: nextDueAt,
      last_due_at: lastDueAt,
      waiting,
      last_outcome: outcome,
      last_outcome_at: at,
      last_reason: reason,
      ...(executionId && { last_execution_id: executionId }),
    })
    .where('id', '=', id)
    .execute();
}

export interface ListedSchedule extends Schedule {
  workspace: { id: string; name: string };
  definition: { id: string; name: string };
  /** Email address. */
  user: string;
  lastOutcome: ScheduleOutcome | null;
  lastOutcomeAt: Date | null;
  lastReason: string | null;
  /** The last that was started. */
  lastExecutionId: string | null;
  /** Null if there is none, or retention has deleted it. */
  lastExecutionStatus: ExecutionStatus | null;
}

/** Every schedule, by workspace and name. */
export async function listSchedules(database: Database): Promise<ListedSchedule[]> {
  const { rows } = await sql<ListedSchedule>`
    select ${columns}, json_build_object('id', w.id, 'name', w.name) as workspace,
      json_build_object('id', d.id, 'name', d.name) as definition, u.email as "user",
      s.last_outcome as "lastOutcome", s.last_outcome_at as "lastOutcomeAt", s.last_reason as "lastReason",
      s.last_execution_id as "lastExecutionId", e.status as "lastExecutionStatus"
    from schedules s join workspaces w on w.id = s.workspace_id
      join workflow_definitions d on d.id = s.workflow_definition_id join users u on u.id = s.user_id
      left join executions e on e.id = s.last_execution_id
    order by w.name, s.name, s.id`.execute(database);
  return rows;
}

/** Pauses a schedule: what waits is discarded. @returns false if it was paused already */
export async function pauseSchedule(database: Database, id: string, now: Date): Promise<boolean> {
  const paused = await database
    .updateTable('schedules')
    .set({ paused_at: now, waiting: [] })
    .where('id', '=', id)
    .where('paused_at', 'is', null)
    .returning(organizationId)
    .executeTakeFirst();
  return audited(database, id, paused);
}

/** @returns false if it was not paused */
export async function resumeSchedule(database: Database, id: string, nextDueAt: Date): Promise<boolean> {
  const resumed = await database
    .updateTable('schedules')
    .set({ paused_at: null, next_due_at: nextDueAt })
    .where('id', '=', id)
    .where('paused_at', 'is not', null)
    .returning(organizationId)
    .executeTakeFirst();
  return audited(database, id, resumed);
}

/**
 * Wants an execution now. The platform starts it within some seconds, while it is running.
 *
 * @returns false if there is no such schedule
 */
export async function requestRun(database: Database, id: string, now: Date): Promise<boolean> {
  const requested = await database
    .updateTable('schedules')
    .set({ run_requested_at: now })
    .where('id', '=', id)
    .returning(organizationId)
    .executeTakeFirst();
  return audited(database, id, requested);
}

const organizationId = sql<string>`(select organization_id from workspaces w where w.id = workspace_id)`.as(
  'organizationId',
);

function audited(database: Database, id: string, changed: { organizationId: string } | undefined): boolean {
  if (changed) auditChange(database, { object: { kind: 'schedule', id }, ...changed });
  return changed !== undefined;
}
