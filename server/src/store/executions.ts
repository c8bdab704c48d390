import { type Selectable, sql } from 'kysely';
import type { WorkflowExecution, WorkflowExecutionSummary } from '../../../generated/types.ts';
import { reportedFailure } from '../../asl/index.ts';
import type { JsonObject } from '../../json/index.ts';
import { statement, statementWithNext } from '../../postgres-client/index.ts';
import { currentTraceparent } from '../tracing/trace.ts';
import type { Database } from './database.ts';
import type { StartableDefinition } from './definitions.ts';
import type { ExecutionStatus, Schema } from './schema.ts';
import { type FailingThread, failRoot, stopExecution } from './stopped-threads.ts';
import type { HistoryEntry } from './threads.ts';

type ExecutionRow = Selectable<Schema['executions']>;

export interface NewExecution {
  id: string;
  definition: StartableDefinition;
  locale: string;
  parameters: JsonObject;
  recordId: string | undefined;
  executionType: ExecutionRow['execution_type'];
  origin: WorkflowExecution['origin'];
  resultOrigin: JsonObject;
  startedBy: string;
  createdAt: Date;
  expiresAt: Date;
  /** When it times out or expires: no later than `expiresAt`. */
  deadlineAt: Date;
  rootThreadId: string;
}

/** Adds an execution with its root thread. @returns the execution as the contract describes it */
export async function insertExecution(
  database: Database,
  execution: NewExecution,
): Promise<WorkflowExecution> {
  const { id, definition, parameters, origin } = execution;
  const row = {
    id,
    workspace_id: definition.workspaceId,
    workflow_definition_id: definition.id,
    name: definition.name,
    revision: definition.revision,
    status: 'RUNNING' as const,
    locale: execution.locale,
    record_id: execution.recordId ?? null,
    execution_type: execution.executionType,
    version: 1,
    expires_at: execution.expiresAt,
    created_at: execution.createdAt,
    ended_at: null,
  };
  // The first step creates the frame.
  await database.executeQuery(statementWithNext`
    with execution as (
      insert into executions (id, workspace_id, workflow_definition_id, name, revision, status, locale, record_id,
        execution_type, version, expires_at, definition_revision_id, parameters, origin, result_origin, started_by,
        deadline_at, created_at, traceparent)
      values (${id}, ${row.workspace_id}, ${row.workflow_definition_id}, ${row.name}, ${row.revision}, ${row.status},
        ${row.locale}, ${row.record_id}, ${row.execution_type}, ${row.version}, ${row.expires_at},
        ${definition.revisionId}, ${JSON.stringify(parameters)}, ${JSON.stringify(origin)},
        ${JSON.stringify(execution.resultOrigin)}, ${execution.startedBy}, ${execution.deadlineAt},
        ${row.created_at}, ${currentTraceparent() ?? null}))
    insert into threads (id, execution_id, scope, frame, status)
    values (${execution.rootThreadId}, ${id}, '[]', 'null', 'ready')`);
  return toExecution({
    ...row,
    parameters,
    origin,
    ui_options: definition.uiOptions,
    error: null,
    cause: null,
  });
}

export async function findExecution(database: Database, id: string): Promise<WorkflowExecution | undefined> {
  const row = await database
    .selectFrom('executions')
    .innerJoin('definition_revisions', 'definition_revisions.id', 'executions.definition_revision_id')
    .selectAll('executions')
    .select('definition_revisions.ui_options')
    .where('executions.id', '=', id)
    .executeTakeFirst();
  return row && toExecution(row);
}

type SummaryRow = Pick<ExecutionRow, 'id' | 'workspace_id' | 'workflow_definition_id' | 'name' | 'revision'> &
  Pick<ExecutionRow, 'status' | 'error' | 'cause' | 'locale' | 'record_id' | 'execution_type' | 'version'> &
  Pick<ExecutionRow, 'created_at' | 'ended_at' | 'expires_at'> & { origin: unknown };

function toExecution(row: SummaryRow & { parameters: unknown; ui_options: unknown }): WorkflowExecution {
  return {
    ...summaryOf(row),
    parameters: row.parameters as JsonObject,
    uiOptions: row.ui_options as JsonObject,
  };
}

/** An execution without its parameters and display hints. */
export function summaryOf(row: SummaryRow): WorkflowExecutionSummary {
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    workflowDefinitionId: row.workflow_definition_id,
    name: row.name,
    revision: row.revision,
    status: row.status,
    ...(row.status === 'FAILED' && { failure: reportedFailure(row.error, row.cause) }),
    locale: row.locale,
    createdDateTime: row.created_at.toISOString(),
    ...(row.ended_at && { endedDateTime: row.ended_at.toISOString() }),
    expiresAt: row.expires_at.toISOString(),
    ...(row.record_id && { recordId: row.record_id }),
    executionType: row.execution_type,
    executionVersion: row.version,
    origin: row.origin as WorkflowExecution['origin'],
  };
}

export async function statusOfExecution(
  database: Database,
  id: string,
): Promise<ExecutionStatus | undefined> {
  const row = await database
    .selectFrom('executions')
    .select('status')
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.status;
}

/** The result of an execution: its bytes, or the blob that stores them. */
export type NewResult = { size: number; sha256: Buffer } & ({ blobKey: string } | { bytes: Buffer });

export interface Ending {
  executionId: string;
  status: Exclude<ExecutionStatus, 'RUNNING'>;
  now: Date;
  failure?: { error: string; cause: string };
  result?: NewResult;
  /** Of the job that ends it. Default: that of the request that started it. */
  traceparent?: string | undefined;
  /** Of the execution when the caller read it. Default: any. */
  version?: number;
  /** The checkpoint of the root thread that led to this ending, and the history entries to add. */
  root?: { thread: FailingThread; history: HistoryEntry[] };
}

export interface EndedExecution {
  id: string;
  organizationId: string;
  workspaceId: string;
  workflowDefinitionId: string;
  recordId: string | null;
  executionType: ExecutionRow['execution_type'];
  version: number;
  /** The `traceparent` of the request that started it. */
  traceparent: string | null;
  /** Whether the root thread was still at the checkpoint of the ending. */
  current: boolean;
}

/**
 * Ends running executions and deletes their threads, in one statement; those of an execution that failed are stopped
 * instead, so that it can be retried. The row lock decides: exactly one concurrent caller ends an execution. Threads are
 * deleted from the root downwards, which is the order in which they are always locked.
 *
 * A running execution is found by its `ended_at`: by its status, PostgreSQL would search the index of all running ones.
 *
 * @returns the executions in the order of `endings`; undefined for one that had already ended
 */
export async function endExecutions(
  database: Database,
  endings: Ending[],
): Promise<(EndedExecution | undefined)[]> {
  const { rows } = await database.executeQuery(statement<EndedExecution>`
    with endings as materialized (
      select * from json_to_recordset(${JSON.stringify(endings.map(rowOf))}::json) as ending (
        id uuid, status text, now timestamptz, error text, cause text, blob_key text, bytes text, size bigint,
        sha256 text, version bigint, thread_id uuid, step bigint, turn bigint, history json)
    ), ended as (
      update executions e set status = g.status, version = e.version + 1, ended_at = g.now,
        error = g.error, cause = g.cause, result_blob_key = g.blob_key, result_bytes = decode(g.bytes, 'base64'),
        result_size = g.size, result_sha256 = decode(g.sha256, 'base64')
      from endings g where e.id = g.id and e.ended_at is null and (g.version is null or e.version = g.version)
      returning e.id, e.workspace_id, e.workflow_definition_id, e.record_id, e.execution_type, e.version, e.traceparent,
        e.status, g.thread_id, g.step, g.turn, g.history
    ), stopped as (
      delete from threads using ended
      where ended.status <> 'FAILED' and threads.execution_id = ended.id and threads.parent_id is null
        and (ended.step is null or threads.step = ended.step and threads.turn = ended.turn)
      returning threads.execution_id
    ), history as (
      insert into execution_history (execution_id, thread_id, at, kind, state, detail)
      select ended.id, ended.thread_id, h.at, h.kind, h.state, h.detail
      from ended, json_to_recordset(ended.history) as h (at timestamptz, kind text, state text, detail json)
    )
    select ended.id, w.organization_id as "organizationId", w.id as "workspaceId",
      ended.workflow_definition_id as "workflowDefinitionId", ended.record_id as "recordId",
      ended.execution_type as "executionType", ended.version, ended.traceparent,
      exists (select from stopped where stopped.execution_id = ended.id) as current
    from ended join workspaces w on w.id = ended.workspace_id`);
  const ended = new Map(rows.map((row) => [row.id, row]));
  for (const { executionId, status, failure, root } of endings) {
    const row = ended.get(executionId);
    if (!row || status !== 'FAILED') continue;
    if (root && failure) row.current = await failRoot(database, root.thread, failure);
    else await stopExecution(database, executionId);
  }
  return endings.map(({ executionId }) => ended.get(executionId));
}

function rowOf({ executionId, status, now, failure, result, version, root }: Ending): object {
  return {
    id: executionId,
    status,
    now,
    version,
    ...failure,
    ...(result && { size: result.size, sha256: result.sha256.toString('base64') }),
    ...(result && 'blobKey' in result && { blob_key: result.blobKey }),
    ...(result && 'bytes' in result && { bytes: result.bytes.toString('base64') }),
    thread_id: root?.thread.id,
    step: root?.thread.step,
    turn: root?.thread.turn,
    history: root?.history ?? [],
  };
}

/** Adds to the number of an execution's history entries. @returns the new number; 0 if the execution does not exist */
export async function countHistory(database: Database, id: string, entries: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    update executions set history_entries = history_entries + ${entries}
    where id = ${id} returning history_entries as count`.execute(database);
  return rows[0]?.count ?? 0;
}

/** Running executions past their deadline, with their versions. */
export async function dueExecutions(
  database: Database,
  now: Date,
  limit: number,
): Promise<{ id: string; version: number; timedOut: boolean }[]> {
  const { rows } = await sql<{ id: string; version: number; timedOut: boolean }>`
    select id, version, deadline_at < expires_at as "timedOut" from executions
    where status = 'RUNNING' and deadline_at <= ${now} order by deadline_at limit ${limit}`.execute(database);
  return rows;
}
