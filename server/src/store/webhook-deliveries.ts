import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { deleteInBatches } from '../../postgres-client/index.ts';
import type { WebhookEvent } from '../domain/webhooks.ts';
import type { Database } from './database.ts';
import type { DeliveryStatus } from './schema.ts';
import { eventOf } from './webhook-events.ts';

/** A delivery with what an attempt needs. */
export interface LoadedDelivery {
  id: string;
  status: DeliveryStatus;
  attempts: number;
  attemptsBefore: number;
  endpoint: {
    id: string;
    url: string;
    enabled: boolean;
    /** One of its recent attempts failed. */
    hasFailures: boolean;
  };
  event: WebhookEvent;
  /** The `traceparent` of the request that caused the event. */
  traceparent: string | null;
  /** The event is from a SANDBOX workspace, or a test event. */
  sandbox: boolean;
}

/** The outcome of an attempt. */
export interface Attempt {
  number: number;
  at: Date;
  milliseconds: number;
  /** The status of the response; null if there was none. */
  status: number | null;
  /** Why the attempt failed, if not because of the status. */
  error: string | null;
}

/** @returns the deliveries in the order of `ids`; undefined for one that does not exist */
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
    .select(['e.url', 'e.disabled_at', 'v.id as event_id', 'v.type', 'v.created_at'])
    .select(sql<boolean>`bit_count(e.recent_failures) > 0 or e.failing_since is not null`.as('has_failures'))
    .select([
      'v.organization_id',
      'v.workspace_id',
      'v.data',
      'v.test',
      'v.traceparent',
      'w.type as workspace_type',
    ])
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
          hasFailures: row.has_failures,
        },
        event: eventOf({ ...row, id: row.event_id }),
        traceparent: row.traceparent,
        sandbox: row.test || row.workspace_type === 'SANDBOX',
      },
    ]),
  );
  return ids.map((id) => loaded.get(id));
}

/** An attempt and the resulting state of its delivery. */
export interface AttemptMade extends Attempt {
  deliveryId: string;
  after: { status: 'delivered' | 'failed' | 'cancelled' } | { status: 'pending'; nextAttemptAt: Date };
}

/**
 * Records attempts and updates their deliveries in one statement. A delivery that has moved on meanwhile, for example
 * because redelivery was requested, is not changed unless the attempt delivered the event.
 */
export async function recordAttempts(database: Database, attempts: AttemptMade[]): Promise<void> {
  const rows = attempts.map(({ deliveryId, after, number, at, milliseconds, status, error }) => ({
    id: randomUUID(),
    delivery_id: deliveryId,
    number,
    at,
    milliseconds,
    status,
    error,
    after: after.status,
    next: 'nextAttemptAt' in after ? after.nextAttemptAt : null,
  }));
  await sql`
    with attempts as materialized (
      select * from json_to_recordset(${JSON.stringify(rows)}::json) as attempt (
        id uuid, delivery_id uuid, number integer, at timestamptz, milliseconds integer, status integer, error text,
        after text, next timestamptz)),
    moved as (
      update webhook_deliveries d
      set status = a.after, attempts = greatest(d.attempts, a.number), next_attempt_at = a.next
      from attempts a where d.id = a.delivery_id
        and (a.after = 'delivered' or (d.status = 'pending' and d.attempts = a.number - 1)))
    insert into webhook_attempts (id, delivery_id, number, at, milliseconds, status, error)
    select id, delivery_id, number, at, milliseconds, status, error from attempts`.execute(database);
}

/** Cancels a delivery whose endpoint is disabled. */
export async function cancelDelivery(database: Database, deliveryId: string): Promise<void> {
  await database
    .updateTable('webhook_deliveries')
    .set({ status: 'cancelled', next_attempt_at: null })
    .where('id', '=', deliveryId)
    .where('status', 'in', ['requested', 'pending'])
    .execute();
}

/**
 * Requests immediate attempts of an endpoint's pending deliveries whose next attempt is later than `after`.
 *
 * @returns the number of deliveries
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

/** Requests attempts again that were not made. */
export async function requestAttempts(
  database: Database,
  attempts: { deliveryId: string; attempt: number }[],
): Promise<void> {
  await sql`
    update webhook_deliveries d set status = 'requested'
    from json_to_recordset(${JSON.stringify(attempts)}::json) as a ("deliveryId" uuid, attempt integer)
    where d.id = a."deliveryId" and d.status = 'pending' and d.attempts = a.attempt - 1`.execute(database);
}

/**
 * Requests attempts that are long overdue, whose jobs must have been lost. A superfluous job does nothing, see
 * `QueuedDelivery.attempt`.
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

/** Deletes finished deliveries and their attempts, and events without deliveries, created before a time. */
export async function deleteOldDeliveries(database: Database, before: Date): Promise<number> {
  const deliveries = await deleteInBatches(
    database,
    (limit) => sql`
      with old as materialized (
        select id from webhook_deliveries
        where created_at < ${before} and status not in ('requested', 'pending')
        order by created_at, id limit ${limit} for update skip locked)
      delete from webhook_deliveries d using old where d.id = old.id`,
  );
  const events = await deleteInBatches(
    database,
    (limit) => sql`
      with old as materialized (
        select id from events v
        where created_at < ${before} and relayed_at is not null
          and not exists (select from webhook_deliveries d where d.event_id = v.id)
        order by created_at, id limit ${limit} for update skip locked)
      delete from events v using old where v.id = old.id`,
  );
  return deliveries + events;
}
