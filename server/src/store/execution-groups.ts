import { sql } from 'kysely';
import { reportedFailure } from '../../asl/index.ts';
import type { Position } from '../domain/cursors.ts';
import type { Database } from './database.ts';
import { type ExecutionFilter, matchingExecutions } from './execution-filter.ts';

/** Failed executions of a definition whose last run failed in the same state with the same error. */
interface FailureGroup {
  workspace: { id: string; name: string };
  workflowDefinitionId: string;
  /** The name of the definition when the example started. */
  name: string;
  /** The innermost state that failed; null if the execution as a whole did, or its history is deleted. */
  state: string | null;
  error: string;
  count: number;
  firstEndedAt: Date;
  lastEndedAt: Date;
  /** The first in the order of the list. */
  exampleId: string;
}

interface FailedExecution extends Pick<FailureGroup, 'workspace' | 'workflowDefinitionId' | 'name'> {
  id: string;
  createdAt: Date;
  endedAt: Date;
  error: string | null;
}

const columns = sql`e.id, e.name, e.created_at as "createdAt", e.ended_at as "endedAt", e.error,
  e.workflow_definition_id as "workflowDefinitionId", json_build_object('id', w.id, 'name', w.name) as workspace`;

/** Executions that are grouped at once. */
export const maxGrouped = 10_000;

/**
 * Groups the failed executions that match: the first 10,000 in the order of `matchingExecutions`. The largest group first.
 *
 * @param after continues after those that were grouped before
 */
export async function failureGroups(
  database: Database,
  filter: ExecutionFilter,
  { after, size = maxGrouped }: { after?: Position | undefined; size?: number },
): Promise<{ groups: FailureGroup[]; grouped: number; next: Position | undefined }> {
  const failed = { ...filter, status: 'FAILED' as const };
  const { content, next } = await matchingExecutions<FailedExecution>(
    database,
    failed,
    { after, size },
    columns,
  );
  const states = await failedStates(
    database,
    content.map(({ id }) => id),
  );
  const groups = new Map<string, FailureGroup>();
  for (const { id, endedAt, createdAt: _, ...execution } of content) {
    const { error } = reportedFailure(execution.error, null);
    const state = states.get(id) ?? null;
    const key = JSON.stringify([execution.workflowDefinitionId, state, error]);
    const group = groups.get(key);
    if (group) {
      group.count += 1;
      if (endedAt < group.firstEndedAt) group.firstEndedAt = endedAt;
      if (endedAt > group.lastEndedAt) group.lastEndedAt = endedAt;
    } else {
      const times = { firstEndedAt: endedAt, lastEndedAt: endedAt };
      groups.set(key, { ...execution, state, error, count: 1, ...times, exampleId: id });
    }
  }
  const sorted = [...groups.values()].sort((a, b) => b.count - a.count);
  return { groups: sorted, grouped: content.length, next };
}

/** The history entries at the end of an execution among which its failed states are looked for. */
const lastEntries = 30;

/**
 * The state in which each execution failed. Its last entry is `failed`, of its root thread. If that was a fork, the first
 * `failed` entry since it started is taken for the branch or item that made it fail: with a tolerance, or an error that a
 * branch has caught, it can be an earlier one.
 */
async function failedStates(database: Database, ids: string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; state: string }>`
    select e.id, h.state from unnest(${ids}::uuid[]) e (id) cross join lateral (
      select state from (
        select *, count(*) filter (where kind <> 'failed' and thread_id = root) over (order by sequence desc) as before
        from (
          select *, first_value(thread_id) over newest as root, first_value(kind) over newest as last_kind
          from (select state, kind, sequence, thread_id from execution_history where execution_id = e.id
            order by sequence desc limit ${lastEntries}) entries
          window newest as (order by sequence desc)) entries) entries
      where last_kind = 'failed' and kind = 'failed' and before = 0 order by sequence limit 1) h`.execute(
    database,
  );
  return new Map(rows.map(({ id, state }) => [id, state]));
}
