import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { deleteInBatches } from './batches.ts';
import type { Database } from './database.ts';
import type { DeliveryStatus } from './schema.ts';

/** A delivery with all that an attempt needs. */
export interface LoadedDelivery {
  id: string;
  status: DeliveryStatus;
  attempts: number;
  attemptsBefore: number;
  endpoint: { id: string; url: string; enabled: boolean; failingSince: Date | null };
  event: {
    id: string;
    type: string;
    createdDateTime: string;
    organizationId: string;
    workspaceId: string | null;
    data: object;
  };
  /** From a SANDBOX workspace, or made up. */
  sandbox: boolean;
}

/** How one attempt came out. */
export interface Attempt {
  number: number;
  at: Date;
  milliseconds: number;
  /** Of the answer; null where there was none. */
  status: number | null;
  /** Why it counts as failed, where the status does not say it. */
  error: string | null;
}

/** Each delivery with all that an attempt needs, in the order asked for; undefined where there is none. */
export async function loadDeliveries(
  database: Database,
  ids: string[],
): Promise<(LoadedDelivery | undefined)[]> {
  const rows = await database
    .selectFrom('webhook_deliveries as d')
    .innerJoin('webhook_endpoints as e', 'e.id', 'd.endpoint_id')
    .innerJoin('events as v', 'v.id', 'd.event_id')
    .leftJoin('workspaces as w', 'w.id', 'v.workspace_id')
    .select(['d.id', 'd.status', 'd.attempts', 'd.attempts_before', 'd.endpoint_id'])
    .select(['e.url', 'e.disabled_at', 'e.failing_since', 'v.id as event_id', 'v.type', 'v.created_at'])
    .select(['v.organization_id', 'v.workspace_id', 'v.data', 'v.test', 'w.type as workspace_type'])
    .where('d.id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute();
  const loaded = new Map(
    rows.map((row): [string, LoadedDelivery] => [
      row.id,
      {
        id: row.id,
        status: row.status,
        attempts: row.attempts,
        attemptsBefore: row.attempts_before,
        endpoint: {
          id: row.endpoint_id,
          url: row.url,
          enabled: row.disabled_at === null,
          failingSince: row.failing_since,
        },
        event: {
          id: row.event_id,
          type: row.type,
          createdDateTime: row.created_at.toISOString(),
          organizationId: row.organization_id,
          workspaceId: row.workspace_id,
          data: row.data,
        },
        sandbox: row.test || row.workspace_type === 'SANDBOX',
      },
    ]),
  );
  return ids.map((id) => loaded.get(id));
}

/** What a delivery is after an attempt. */
export interface AttemptMade extends Attempt {
  deliveryId: string;
  after: { status: 'delivered' | 'failed' | 'cancelled' } | { status: 'pending'; nextAttemptAt: Date };
}

/** Writes attempts down with what the deliveries are after them, in one statement; one that moved on stays. */
export async function recordAttempts(database: Database, attempts: AttemptMade[]): Promise<void> {
  const rows = attempts.map(({ deliveryId, after, number, at, milliseconds, status, error }) => ({
    ...{ id: randomUUID(), delivery_id: deliveryId, number, at, milliseconds, status, error },
    ...{ after: after.status, next: 'nextAttemptAt' in after ? after.nextAttemptAt : null },
  }));
  await sql`
    with given as materialized (
      select * from json_to_recordset(${JSON.stringify(rows)}::json) as given (
        id uuid, delivery_id uuid, number integer, at timestamptz, milliseconds integer, status integer, error text,
        after text, next timestamptz)),
    moved as (
      update webhook_deliveries d set status = g.after, attempts = g.number, next_attempt_at = g.next
      from given g where d.id = g.delivery_id and d.status = 'pending' and d.attempts = g.number - 1)
    insert into webhook_attempts (id, delivery_id, number, at, milliseconds, status, error)
    select id, delivery_id, number, at, milliseconds, status, error from given`.execute(database);
}

/** A delivery that is no longer wanted: its endpoint is disabled. */
export async function cancelDelivery(database: Database, deliveryId: string): Promise<void> {
  await database
    .updateTable('webhook_deliveries')
    .set({ status: 'cancelled', next_attempt_at: null })
    .where('id', '=', deliveryId)
    .where('status', 'in', ['requested', 'pending'])
    .execute();
}

/**
 * Asks for the next attempt of what waits for an endpoint at once, where that would be later than `after`.
 *
 * @returns how many there were
 */
export async function bringForward(
  database: Database,
  endpointId: string,
  { now, after }: { now: Date; after: Date },
): Promise<number> {
  const { numUpdatedRows } = await database
    .updateTable('webhook_deliveries')
    .set({ status: 'requested', next_attempt_at: now })
    .where('endpoint_id', '=', endpointId)
    .where('status', '=', 'pending')
    .where('next_attempt_at', '>', after)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/**
 * Asks again for attempts that should have been made long ago: no job of them can be left. One more than is needed
 * does no harm, see `QueuedDelivery.attempt`.
 */
export async function requestOverdue(
  database: Database,
  { now, dueBefore }: { now: Date; dueBefore: Date },
): Promise<void> {
  await database
    .updateTable('webhook_deliveries')
    .set({ status: 'requested', next_attempt_at: now })
    .where('status', '=', 'pending')
    .where('next_attempt_at', '<', dueBefore)
    .execute();
}

/** Deletes deliveries that have ended, with their attempts, and events that nobody waits for, from before a time. */
export async function forgetDeliveries(database: Database, before: Date): Promise<number> {
  const deliveries = await deleteInBatches(
    database,
    (limit) => sql`
      with forgotten as materialized (
        select id from webhook_deliveries
        where created_at < ${before} and status not in ('requested', 'pending')
        order by created_at, id limit ${limit} for update skip locked)
      delete from webhook_deliveries d using forgotten f where d.id = f.id`,
  );
  const events = await deleteInBatches(
    database,
    (limit) => sql`
      with forgotten as materialized (
        select id from events v
        where created_at < ${before} and relayed_at is not null
          and not exists (select from webhook_deliveries d where d.event_id = v.id)
        order by created_at, id limit ${limit} for update skip locked)
      delete from events v using forgotten f where v.id = f.id`,
  );
  return deliveries + events;
}
