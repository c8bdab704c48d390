import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { WorkflowExecutionSummary } from '../../../generated/types.ts';
import { reportedFailure } from '../../asl/index.ts';
import type { Json } from '../../json/index.ts';
import type { Caller } from '../domain/caller.ts';
import { isViewable } from './access.ts';
import type { Database } from './database.ts';
import { summaryOf } from './executions.ts';
import { boundOf, equals, type Page, type PageQuery, pageOf } from './pages.ts';
import { type ExecutionStatus, executionStatuses, type Schema } from './schema.ts';
import type { HistoryEntry } from './threads.ts';

export interface ListedExecution {
  id: string;
  name: string;
  revision: string;
  status: ExecutionStatus;
  workspace: { id: string; name: string };
  executionType: string;
  createdAt: Date;
  endedAt: Date | null;
  error: string | null;
  cause: string | null;
}

/** An execution with everything that the command line shows. */
export interface DescribedExecution extends ListedExecution {
  workflowDefinitionId: string;
  version: number;
  locale: string;
  parameters: Json;
  recordId: string | null;
  origin: Json;
  startedBy: string | null;
  expiresAt: Date;
  resultSize: number | null;
}

export interface ExecutionFilter {
  status?: ExecutionStatus | undefined;
  /** Its current name, or its identifier. */
  definition?: string | undefined;
}

/** The newest executions of all organizations first. */
export async function listExecutions(
  database: Database,
  { status, definition }: ExecutionFilter,
  page: PageQuery,
): Promise<Page<ListedExecution>> {
  const isListed = definition ? sql`(d.name = ${definition} or d.id::text = ${definition})` : sql`true`;
  const { rows } = await sql<ListedExecution>`
    select ${columns} from workflow_definitions d cross join ${newest(status, page)}
      join workspaces w on w.id = e.workspace_id
    where ${isListed}
    order by e.created_at desc, e.id desc limit ${page.size + 1}`.execute(database);
  const last = rows.length > page.size ? rows[page.size - 1] : undefined;
  return { content: rows.slice(0, page.size).map(withReportedFailure), next: last };
}

/** With the error and cause of the API, of which a failed execution always has both. */
function withReportedFailure<
  Row extends { status: ExecutionStatus; error: string | null; cause?: string | null },
>(row: Row): Row {
  if (row.status !== 'FAILED') return row;
  const { error, cause } = reportedFailure(row.error, row.cause);
  return { ...row, error, ...('cause' in row && { cause }) };
}

/**
 * The newest executions of each definition `d` as `e`: a range of an index for each status, however many executions there
 * are of other definitions and with other statuses.
 */
function newest(status: ExecutionStatus | undefined, page: PageQuery): RawBuilder<unknown> {
  const statuses: ExecutionStatus[] = status ? [status] : [...executionStatuses];
  return sql`unnest(${statuses}::text[]) s (status) cross join lateral (
    select * from executions e where e.workflow_definition_id = d.id and e.status = s.status
      and (e.created_at, e.id) < ${boundOf(page, 'descending')}
    order by e.created_at desc, e.id desc limit ${page.size + 1}) e`;
}

export interface VisibleExecutionFilter extends PageQuery {
  workspaceId?: string | undefined;
  workflowDefinitionId?: string | undefined;
  status?: ExecutionStatus | undefined;
}

/** The executions in the workspaces in which the caller holds can_view_workspace, newest first. */
export async function listVisibleExecutions(
  database: Database,
  caller: Caller,
  { workspaceId, workflowDefinitionId, status, ...page }: VisibleExecutionFilter,
): Promise<Page<WorkflowExecutionSummary>> {
  const { rows } = await sql<Selectable<Schema['executions']>>`
    select e.* from workspaces w join workflow_definitions d on d.workspace_id = w.id
      cross join ${newest(status, page)}
    where ${isViewable(caller)} and e.workspace_id = w.id
      and ${equals('w.id', workspaceId)} and ${equals('d.id', workflowDefinitionId)}
    order by e.created_at desc, e.id desc limit ${page.size + 1}`.execute(database);
  return pageOf(rows, page, summaryOf);
}

export async function describeExecution(
  database: Database,
  id: string,
): Promise<DescribedExecution | undefined> {
  const { rows } = await sql<DescribedExecution>`
    select ${columns}, e.workflow_definition_id as "workflowDefinitionId", e.version, e.locale, e.parameters,
      e.record_id as "recordId", e.origin, u.email as "startedBy", e.expires_at as "expiresAt",
      e.result_size as "resultSize"
    from executions e join workspaces w on w.id = e.workspace_id left join users u on u.id = e.started_by
    where e.id = ${id}`.execute(database);
  return rows[0] && withReportedFailure(rows[0]);
}

const columns = sql`e.id, e.name, e.revision, e.status,
  json_build_object('id', w.id, 'name', w.name) as workspace, e.execution_type as "executionType",
  e.created_at as "createdAt", e.ended_at as "endedAt", e.error, e.cause`;

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
