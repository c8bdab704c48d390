import { sql } from 'kysely';
import type { Database } from './database.ts';
import type { ExecutionStatus } from './schema.ts';

// Arbitrary, but unique among the advisory locks of the database; combined with the schema.
const positionLock = 7_203_121;

/** An attempt of a delivery, for a job. */
export interface QueuedDelivery {
  deliveryId: string;
  endpointId: string;
  /** The attempt to make. A job whose attempt has already been made does nothing. */
  attempt: number;
  /** Most of the endpoint's last attempts failed. */
  failing: boolean;
}

/** Attempts of several deliveries of one endpoint. */
export interface DeliveryBatch extends Pick<QueuedDelivery, 'endpointId'> {
  /** No UUID, so that a process of version 3.3 fails the job and leaves it to others, which read `batch`. */
  deliveryId: 'batch';
  batch: Pick<QueuedDelivery, 'deliveryId' | 'attempt'>[];
}

/** The data of a delivery job. */
export type DeliveryJob = QueuedDelivery | DeliveryBatch;

const endTypes = ['workflow.completed', 'workflow.failed', 'workflow.cancelled', 'workflow.expired'];

/** The end of an execution, as its event says it. */
export interface ExecutionEnd {
  definitionId: string;
  /** Of the definition; null if it does not exist. */
  name: string | null;
  status: Exclude<ExecutionStatus, 'RUNNING'>;
  /** Null: it did not fail. */
  error: string | null;
}

/** Whether an event is to be relayed or a delivery has no job yet. */
export async function hasWorkToRelay(database: Database): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from events where relayed_at is null)
      or exists (select from webhook_deliveries where status = 'requested') as found`.execute(database);
  return rows[0]?.found === true;
}

/**
 * Adds deliveries of at most `limit` events, oldest first, to the endpoints that subscribe to them. Events that another
 * process is relaying are skipped.
 *
 * @param numbered gives the events positions, for polling. Positions become visible in their order, so that none is
 *   missed by a reader that continues after the last one it has seen
 * @returns the deliveries, the number of events, and the ends of executions among them: each is an event, whoever
 *   causes it, and is relayed once
 */
export async function relayEvents(
  transaction: Database,
  { now, limit, numbered }: { now: Date; limit: number; numbered: boolean },
): Promise<{ events: number; deliveries: QueuedDelivery[]; ended: ExecutionEnd[] }> {
  if (numbered) await lockPositions(transaction);
  const { rows: events } = await sql<{ id: string; ended: ExecutionEnd | null }>`
    select id, case when type = any(${endTypes}::text[]) then json_build_object(
        'definitionId', data->>'workflowDefinitionId', 'status', data->>'status', 'error', data->>'error',
        'name', (select name from workflow_definitions d where d.id = (data->>'workflowDefinitionId')::uuid)
      ) end as ended
    from events where relayed_at is null
    order by created_at, id limit ${limit} for update of events skip locked`.execute(transaction);
  const ended = events.flatMap((event) => event.ended ?? []);
  if (events.length === 0) return { events: 0, deliveries: [], ended };
  const ids = events.map(({ id }) => id);
  const { rows } = await sql<QueuedDelivery>`
    with places as materialized (
      select id, case when ${numbered} then nextval('event_positions') end as position
      from unnest(${ids}::uuid[]) as listed (id)),
    relayed as (
      update events v set relayed_at = ${now}, position = places.position from places where v.id = places.id),
    added as (
      insert into webhook_deliveries (id, event_id, endpoint_id, status, next_attempt_at, created_at)
      select gen_random_uuid(), v.id, e.id, 'pending', ${now}::timestamptz, ${now}::timestamptz
      from events v join webhook_endpoints e on e.organization_id = v.organization_id
      where v.id = any(${ids}::uuid[]) and e.disabled_at is null
        and (e.event_types is null or v.type = any(e.event_types))
      order by v.created_at, v.id
      on conflict (event_id, endpoint_id) do nothing
      returning id, endpoint_id)
    select added.id as "deliveryId", e.id as "endpointId", 1 as attempt, e.failing
    from added join webhook_endpoints e on e.id = added.endpoint_id`.execute(transaction);
  return { events: ids.length, deliveries: rows, ended };
}

/** Until the end of the transaction, so that positions are committed in their order. */
async function lockPositions(transaction: Database): Promise<void> {
  await sql`select pg_advisory_xact_lock(${sql.lit(positionLock)}, hashtext(current_schema()))`.execute(
    transaction,
  );
}

/** Makes up to `limit` requested deliveries `pending`. */
export async function takeRequested(
  transaction: Database,
  { limit }: { limit: number },
): Promise<QueuedDelivery[]> {
  const { rows } = await sql<QueuedDelivery>`
    update webhook_deliveries d set status = 'pending'
    from webhook_endpoints e
    where e.id = d.endpoint_id and d.id in (
      select id from webhook_deliveries where status = 'requested'
      order by created_at limit ${limit} for update skip locked)
    returning d.id as "deliveryId", d.endpoint_id as "endpointId", d.attempts + 1 as attempt,
      e.failing`.execute(transaction);
  return rows;
}
