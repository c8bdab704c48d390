import { sql } from 'kysely';
import type { Definition, ScopePath } from '../../asl/index.ts';
import type { Json } from '../../json/index.ts';
import type { Database } from './database.ts';
import type { HistoryEntry } from './threads.ts';

/** An execution that runs again. */
export interface ReopenedExecution {
  id: string;
  organizationId: string;
  version: number;
  deadlineAt: Date;
  /** With which it had failed. */
  error: string | null;
  /** Of the definition: that of its failed run, and the one that it continues with. */
  from: { revision: string; document: Definition };
  to: { revision: string; document: Definition };
}

/**
 * Makes a failed execution a running one. The row lock decides: exactly one concurrent caller does. Its TimeoutSeconds
 * begin again, and its expiry moves by the time since it failed.
 *
 * @param newest whether it continues with the definition's newest revision instead of its own
 * @returns undefined if it does not exist, has not failed, or its history is deleted
 */
export async function reopenExecution(
  database: Database,
  { executionId, newest, now }: { executionId: string; newest: boolean; now: Date },
): Promise<ReopenedExecution | undefined> {
  const { rows } = await sql<ReopenedExecution>`
    with failed as materialized (
      select e.id, e.error, e.ended_at, e.expires_at + (${now}::timestamptz - e.ended_at) as expires_at,
        json_build_object('revision', r.revision, 'document', r.document) as revision
      from executions e join definition_revisions r on r.id = e.definition_revision_id
      where e.id = ${executionId} and e.status = 'FAILED' and e.kept for no key update of e)
    update executions e set status = 'RUNNING', version = e.version + 1, ended_at = null, error = null, cause = null,
      history_entries = 0, definition_revision_id = r.id, revision = r.revision, expires_at = failed.expires_at,
      deadline_at = least(failed.expires_at,
        ${now}::timestamptz + (r.document->>'TimeoutSeconds')::float8 * interval '1 second')
    from failed, workspaces w, workflow_definitions d, definition_revisions r
    where e.id = failed.id and w.id = e.workspace_id and d.id = e.workflow_definition_id
      and r.workflow_definition_id = d.id and r.revision = case when ${newest} then d.revision else e.revision end
    returning e.id, w.organization_id as "organizationId", e.version, e.deadline_at as "deadlineAt", failed.error,
      failed.revision as "from",
      json_build_object('revision', r.revision, 'document', r.document) as "to"`.execute(database);
  return rows[0];
}

/** A state that a retry continues with. */
export interface StoppedState {
  scope: ScopePath;
  state: string;
  /** Whether it waits for the threads of its branches or items. */
  isFork: boolean;
}

/** The states of the threads of an execution that have not ended. */
export async function stoppedStates(database: Database, executionId: string): Promise<StoppedState[]> {
  const { rows } = await sql<Omit<StoppedState, 'scope'> & { scope: string }>`
    select distinct scope::text as scope, frame->>'state' as state, coalesce(awaiting = 'fork', false) as "isFork"
    from threads where execution_id = ${executionId} and status in ('stopped', 'failed', 'queued') and output is null
      and frame->>'state' is not null`.execute(database);
  return rows.map((row) => ({ ...row, scope: JSON.parse(row.scope) as ScopePath }));
}

/** A thread whose own state failed. */
interface FailedThread {
  id: string;
  label: string;
  scope: ScopePath;
  /** Null: the first state of the definition. */
  state: string | null;
}

/** @returns the first threads, not more than `limit`; forks that failed because of their threads are not among them */
export async function failedThreads(
  database: Database,
  executionId: string,
  limit: number,
): Promise<FailedThread[]> {
  const { rows } = await sql<FailedThread>`
    select t.id, t.label, t.scope, t.frame->>'state' as state from threads t
    where t.execution_id = ${executionId} and t.error is not null
      and not exists (select from threads below where below.parent_id = t.id)
    order by t.label limit ${limit}`.execute(database);
  return rows;
}

/** Replaces the input of a thread's state, which begins again. @param startAt the first state of the definition */
export async function replaceInput(
  database: Database,
  threadId: string,
  { input, startAt }: { input: Json; startAt: string },
): Promise<void> {
  const text = JSON.stringify(input);
  await sql`update threads set awaiting = null, outcome = null, frame = case json_typeof(frame)
      when 'object' then (select json_object_agg(key, case key when 'input' then ${text}::json else value end)
        from json_each(frame))
      else json_build_object('state', ${startAt}::text, 'input', ${text}::json, 'variables', '{}'::json,
        'outerVariables', '{}'::json, 'enteredAt', '', 'retries', '[]'::json) end
    where id = ${threadId}`.execute(database);
}

/** Adds an entry of the root thread to the history of an execution. */
export async function addRootEntry(
  database: Database,
  executionId: string,
  { at, kind, state, detail }: HistoryEntry,
): Promise<void> {
  await sql`insert into execution_history (execution_id, thread_id, at, kind, state, detail)
    select execution_id, id, ${at}, ${kind}, coalesce(frame->>'state', ${state}), ${JSON.stringify(detail)}
    from threads where execution_id = ${executionId} and parent_id is null`.execute(database);
}
