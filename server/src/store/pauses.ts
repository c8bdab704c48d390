import { sql } from 'kysely';
import { statement } from '../../postgres-client/index.ts';
import type { Database } from './database.ts';
import { markDefinition } from './definitions.ts';
import type { Awaiting } from './schema.ts';

/** Pauses a definition: its executions stop at their next step, and new ones at their first. */
export async function pauseDefinition(
  database: Database,
  id: string,
  { reason, now }: { reason: string | undefined; now: Date },
): Promise<'paused' | 'already_paused'> {
  const set = { paused_reason: reason ?? null };
  const changed = await markDefinition(database, id, {
    column: 'paused_at',
    at: now,
    set,
    details: { reason },
  });
  return changed ? 'paused' : 'already_paused';
}

/** Resumes a definition. A round of the platform starts its threads again: see `wakeThreads`. */
export async function resumeDefinition(database: Database, id: string): Promise<'resumed' | 'not_paused'> {
  const set = { paused_reason: null };
  const changed = await markDefinition(database, id, { column: 'paused_at', at: null, set });
  return changed ? 'resumed' : 'not_paused';
}

/** A pause or resumption of the definition of an execution, from the audit log. */
export interface PauseChange {
  at: Date;
  kind: 'paused' | 'resumed';
  /** The operator's user name. */
  by: string;
  reason: string | null;
}

/** Of an execution; the audit log may have more. */
const maxPauseChanges = 200;

/** The first pauses and resumptions while an execution ran, in order. */
export async function pausesDuring(database: Database, executionId: string): Promise<PauseChange[]> {
  const { rows } = await sql<PauseChange>`
    select a.at, case a.action when 'definition pause' then 'paused' else 'resumed' end as kind, a.actor as "by",
      a.details->>'reason' as reason
    from executions e join audit_entries a on a.object_id = e.workflow_definition_id::text
      and a.at between e.created_at and coalesce(e.ended_at, 'infinity')
    where e.id = ${executionId} and a.action in ('definition pause', 'definition resume')
    order by a.at, a.id limit ${maxPauseChanges}`.execute(database);
  return rows;
}

interface PausedTurn {
  threadId: string;
  turn: number;
  definitionId: string;
}

/**
 * Suspends a thread that a job would run, if its definition is paused. The lock on the definition decides between this and a
 * concurrent resumption: either that wakes the thread, or the job runs it.
 *
 * @returns false if the definition is not paused, or another job has continued the thread
 */
export async function suspendForPause(
  database: Database,
  { threadId, turn, definitionId }: PausedTurn,
): Promise<boolean> {
  const { rows } = await database.executeQuery(statement<{ id: string }>`
    with paused as materialized (
      select id from workflow_definitions where id = ${definitionId} and paused_at is not null for share)
    update threads set parked_for = (select id from paused)
    where id = ${threadId} and turn = ${turn} and status in ('ready', 'waiting') and exists (select from paused)
    returning id`);
  return rows.length > 0;
}

export interface WokenThread {
  threadId: string;
  turn: number;
  awaiting: Awaiting | null;
  hasOutcome: boolean;
  /** When it fails if no callback arrives. */
  dueAt: Date | null;
  organizationId: string;
}

/**
 * Wakes suspended threads of a definition, for which the caller adds jobs in the same transaction. The deadlines of a callback
 * whose request was not made begin again with the request.
 */
export async function wakeThreads(
  transaction: Database,
  definitionId: string,
  limit: number,
): Promise<WokenThread[]> {
  const { rows } = await transaction.executeQuery(statement<WokenThread>`
    with resumed as materialized (
      select id, workspace_id from workflow_definitions where id = ${definitionId} and paused_at is null for share
    ), suspended as materialized (
      select t.id from threads t, resumed where t.parked_for = resumed.id
      order by t.id limit ${limit} for update of t skip locked
    )
    update threads t set parked_for = null,
      timeout_at = case when awaiting = 'call' and outcome is null then null else timeout_at end,
      heartbeat_until = case when awaiting = 'call' and outcome is null then null else heartbeat_until end
    where id = any(array(select id from suspended))
    returning id as "threadId", turn, awaiting, outcome is not null as "hasOutcome",
      least(timeout_at, heartbeat_until) as "dueAt",
      (select organization_id from workspaces w join resumed r on r.workspace_id = w.id) as "organizationId"`);
  return rows;
}
