import { type Selectable, sql } from 'kysely';
import type { WorkflowExecutionSummary } from '../../../generated/types.ts';
import { reportedFailure } from '../../asl/index.ts';
import type { Json } from '../../json/index.ts';
import type { Caller } from '../domain/caller.ts';
import type { Position } from '../domain/cursors.ts';
import { isViewable } from './access.ts';
import type { Database } from './database.ts';
import {
  type ExecutionFilter,
  type IndexedFilter,
  matchingExecutions,
  newest,
  ofRecord,
  type SearchLimits,
} from './execution-filter.ts';
import { summaryOf } from './executions.ts';
import { equals, type Page, type PageQuery, pageOf } from './pages.ts';
import type { ExecutionStatus, Schema } from './schema.ts';

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
  workflowDefinitionId: string;
  recordId: string | null;
}

/** An execution with everything that the command line shows. */
export interface DescribedExecution extends ListedExecution {
  version: number;
  locale: string;
  parameters: Json;
  origin: Json;
  startedBy: string | null;
  expiresAt: Date;
  resultSize: number | null;
  /** The execution runs, and its definition is paused. */
  pause: { since: Date; reason: string | null } | null;
}

/** The executions of all organizations that match; see `matchingExecutions` for their order. */
export async function listExecutions(
  database: Database,
  filter: ExecutionFilter,
  page: PageQuery,
  limits?: SearchLimits,
): Promise<Page<ListedExecution>> {
  const { content, next } = await matchingExecutions<ListedExecution>(
    database,
    filter,
    page,
    columns,
    limits,
  );
  return { content: content.map(withReportedFailure), next };
}

/** Executions that a bulk change reads at once. */
const bulkSize = 200;

/**
 * All executions that match, a page at a time, whatever changes meanwhile: an execution that starts, fails or ends after
 * the first page is read is not among them. A page may be empty.
 *
 * @param after continues after a page
 */
export async function* executionPages(
  database: Database,
  filter: ExecutionFilter,
  after?: Position,
): AsyncGenerator<Page<ListedExecution>, void> {
  let position = after;
  do {
    const page = await listExecutions(database, filter, { after: position, size: bulkSize });
    position = page.next;
    yield page;
  } while (position);
}

/** With the error and cause of the API, of which a failed execution always has both. */
function withReportedFailure<Row extends ListedExecution>(row: Row): Row {
  if (row.status !== 'FAILED') return row;
  const { error, cause } = reportedFailure(row.error, row.cause);
  return { ...row, error, cause };
}

export interface VisibleExecutionFilter extends PageQuery, IndexedFilter {
  workspaceId?: string | undefined;
  workflowDefinitionId?: string | undefined;
  recordId?: string | undefined;
}

/** The executions in the workspaces in which the caller holds can_view_workspace, newest first. */
export async function listVisibleExecutions(
  database: Database,
  caller: Caller,
  { workspaceId, workflowDefinitionId, recordId, after, size, ...filter }: VisibleExecutionFilter,
): Promise<Page<WorkflowExecutionSummary>> {
  const page = { after, size };
  const source =
    recordId === undefined
      ? sql`workspaces w join workflow_definitions d on d.workspace_id = w.id cross join ${newest(filter, page)}`
      : sql`${ofRecord(recordId, filter, page)}
        join workflow_definitions d on d.id = e.workflow_definition_id join workspaces w on w.id = d.workspace_id`;
  const { rows } = await sql<Selectable<Schema['executions']>>`
    select e.* from ${source}
    where ${isViewable(caller)} and e.workspace_id = w.id
      and ${equals('w.id', workspaceId)} and ${equals('d.id', workflowDefinitionId)}
    order by e.created_at desc, e.id desc limit ${page.size + 1}`.execute(database);
  return pageOf(rows, page, summaryOf);
}

export async function describeExecution(
  database: Database,
  id: string,
): Promise<DescribedExecution | undefined> {
  const { rows } = await sql<
    Omit<DescribedExecution, 'pause'> & { pausedAt: Date | null; pausedReason: string | null }
  >`
    select ${columns}, e.version, e.locale, e.parameters, e.origin, u.email as "startedBy",
      e.expires_at as "expiresAt", e.result_size as "resultSize", d.paused_at as "pausedAt",
      d.paused_reason as "pausedReason"
    from executions e join workspaces w on w.id = e.workspace_id
      join workflow_definitions d on d.id = e.workflow_definition_id left join users u on u.id = e.started_by
    where e.id = ${id}`.execute(database);
  const [row] = rows;
  if (!row) return undefined;
  const { pausedAt, pausedReason, ...execution } = row;
  const pause = pausedAt && execution.endedAt === null ? { since: pausedAt, reason: pausedReason } : null;
  return withReportedFailure({ ...execution, pause });
}

const columns = sql`e.id, e.name, e.revision, e.status,
  json_build_object('id', w.id, 'name', w.name) as workspace, e.execution_type as "executionType",
  e.created_at as "createdAt", e.ended_at as "endedAt", e.error, e.cause,
  e.workflow_definition_id as "workflowDefinitionId", e.record_id as "recordId"`;

export interface LiveThread {
  label: string;
  state: string | null;
  status: string;
  awaiting: string | null;
  enteredAt: string | null;
  timeoutAt: Date | null;
  /** When a callback must have sent its next heartbeat. */
  heartbeatUntil: Date | null;
  /** Its definition is paused. */
  suspended: boolean;
}

/** The state of each thread of a running execution. */
export async function liveThreads(database: Database, executionId: string): Promise<LiveThread[]> {
  const { rows } = await sql<LiveThread>`
    select label, frame->>'state' as state, status, awaiting, frame->>'enteredAt' as "enteredAt",
      timeout_at as "timeoutAt", heartbeat_until as "heartbeatUntil", parked_for is not null as suspended
    from threads where execution_id = ${executionId} and status in ('ready', 'waiting', 'queued')
      and exists (select from executions where id = ${executionId} and ended_at is null)
    order by label, position`.execute(database);
  return rows;
}
