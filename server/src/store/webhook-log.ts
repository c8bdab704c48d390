import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { isoTime } from '../../postgres-client/index.ts';
import { auditChange } from './audit.ts';
import type { Database } from './database.ts';
import { boundOf, equals, type Page, type PageQuery, pageOf } from './pages.ts';
import type { DeliveryStatus } from './schema.ts';

/** An endpoint as the command line shows it. Times are ISO 8601 in UTC. */
export interface EndpointEntry {
  id: string;
  organization: { id: string; name: string };
  url: string;
  /** `all`, or the event types. */
  events: 'all' | string[];
  disabledDateTime: string | null;
  disabledBy: 'receiver' | 'operator' | null;
  /** Since when every attempt has failed. */
  failingSince: string | null;
  /** Deliveries still to be made. */
  open: number;
  createdDateTime: string;
}

export interface DeliveryEntry {
  id: string;
  endpointId: string;
  event: { id: string; type: string; createdDateTime: string; test: boolean };
  status: DeliveryStatus;
  attempts: number;
  /** The outcome of the last attempt: the response status, or why there was none. */
  lastOutcome: string | null;
  nextAttemptAt: string | null;
}

export interface AttemptEntry {
  number: number;
  at: string;
  milliseconds: number;
  status: number | null;
  error: string | null;
}

/** In order of creation. */
export async function listEndpoints(database: Database): Promise<EndpointEntry[]> {
  const { rows } = await sql<EndpointEntry>`
    select e.id, json_build_object('id', o.id, 'name', o.name) as organization, e.url,
      coalesce(to_json(e.event_types), '"all"') as events, ${isoTime('e.disabled_at')} as "disabledDateTime",
      e.disabled_by as "disabledBy", ${isoTime('e.failing_since')} as "failingSince",
      (select count(*) from webhook_deliveries d
        where d.endpoint_id = e.id and d.status in ('requested', 'pending')) as open,
      ${isoTime('e.created_at')} as "createdDateTime"
    from webhook_endpoints e join organizations o on o.id = e.organization_id
    order by e.created_at, e.id`.execute(database);
  return rows;
}

export interface DeliveryFilter {
  endpointId?: string | undefined;
  status?: DeliveryStatus | undefined;
  type?: string | undefined;
}

/** The newest first. */
export async function listDeliveries(
  database: Database,
  { endpointId, status, type }: DeliveryFilter,
  page: PageQuery,
): Promise<Page<DeliveryEntry>> {
  const { rows } = await sql<DeliveryEntry & { created_at: Date }>`
    select d.created_at, d.id, d.endpoint_id as "endpointId", json_build_object('id', v.id, 'type', v.type,
        'createdDateTime', ${isoTime('v.created_at')}, 'test', v.test) as event, d.status, d.attempts,
      (select coalesce(a.error, a.status::text) from webhook_attempts a where a.delivery_id = d.id
        order by a.number desc, a.at desc limit 1) as "lastOutcome",
      ${isoTime('d.next_attempt_at')} as "nextAttemptAt"
    from webhook_deliveries d join events v on v.id = d.event_id
    where (d.created_at, d.id) < ${boundOf(page, 'descending')} and ${equals('d.endpoint_id', endpointId)}
      and ${equals('d.status', status)} and ${equals('v.type', type)}
    order by d.created_at desc, d.id desc limit ${page.size + 1}`.execute(database);
  return pageOf(rows, page, ({ created_at: _, ...entry }) => entry);
}

/** The attempts of a delivery in order; undefined if the delivery does not exist. */
export async function listAttempts(
  database: Database,
  deliveryId: string,
): Promise<AttemptEntry[] | undefined> {
  const delivery = await database
    .selectFrom('webhook_deliveries')
    .select('id')
    .where('id', '=', deliveryId)
    .executeTakeFirst();
  if (!delivery) return undefined;
  const { rows } = await sql<AttemptEntry>`
    select number, ${isoTime('at')} as at, milliseconds, status, error from webhook_attempts
    where delivery_id = ${deliveryId} order by number, webhook_attempts.at`.execute(database);
  return rows;
}

/** Deliveries by id, or all undelivered ones of an endpoint. */
type Undelivered = { deliveryIds: string[] } | { endpointId: string };

/**
 * Requests redelivery with a new retry schedule, which starts as soon as the platform runs. Deliveries to disabled
 * endpoints are not changed.
 *
 * @returns the ids of the deliveries that will be made
 */
export async function requestRedelivery(
  database: Database,
  selection: Undelivered,
  now: Date,
): Promise<string[]> {
  const rows = await database
    .updateTable('webhook_deliveries as d')
    .from('webhook_endpoints as e')
    .set({ status: 'requested', attempts_before: sql`d.attempts`, next_attempt_at: now })
    .whereRef('e.id', '=', 'd.endpoint_id')
    .where('e.disabled_at', 'is', null)
    .where((where) =>
      'deliveryIds' in selection
        ? where('d.id', 'in', selection.deliveryIds)
        : where.and([
            where('d.endpoint_id', '=', selection.endpointId),
            where('d.status', '!=', 'delivered'),
          ]),
    )
    .returning('d.id')
    .execute();
  const ids = rows.map(({ id }) => id);
  const changed =
    'deliveryIds' in selection
      ? ids.map((id) => ({ object: { kind: 'webhook delivery', id } }))
      : [
          {
            object: { kind: 'webhook endpoint', id: selection.endpointId },
            details: { deliveries: ids.length },
          },
        ];
  for (const change of changed) auditChange(database, change);
  return ids;
}

type TestRequest =
  | { kind: 'requested'; deliveryId: string; eventId: string }
  | { kind: 'unknown' | 'disabled' | 'no_workspace' };

/**
 * Requests delivery of a test event to one endpoint, marked as from the sandbox.
 *
 * @param event `inWorkspace`: events of this type belong to a workspace; the organization's first one is used
 */
export async function requestTest(
  transaction: Database,
  endpointId: string,
  event: { type: string; data: object; inWorkspace: boolean },
  now: Date,
): Promise<TestRequest> {
  const endpoint = await transaction
    .selectFrom('webhook_endpoints')
    .select(['organization_id', 'disabled_at'])
    .where('id', '=', endpointId)
    .executeTakeFirst();
  if (!endpoint) return { kind: 'unknown' };
  if (endpoint.disabled_at) return { kind: 'disabled' };
  const { organization_id: organizationId } = endpoint;
  const workspace = await transaction
    .selectFrom('workspaces')
    .select('id')
    .where('organization_id', '=', organizationId)
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirst();
  if (event.inWorkspace && !workspace) return { kind: 'no_workspace' };
  const [eventId, deliveryId] = [randomUUID(), randomUUID()];
  await transaction
    .insertInto('events')
    .values({
      id: eventId,
      type: event.type,
      organization_id: organizationId,
      workspace_id: event.inWorkspace ? (workspace?.id ?? null) : null,
      data: JSON.stringify(event.data),
      test: true,
      created_at: now,
      relayed_at: now,
    })
    .execute();
  await transaction
    .insertInto('webhook_deliveries')
    .values({
      id: deliveryId,
      event_id: eventId,
      endpoint_id: endpointId,
      status: 'requested',
      next_attempt_at: now,
      created_at: now,
    })
    .execute();
  auditChange(transaction, { object: { kind: 'webhook endpoint', id: endpointId }, organizationId });
  return { kind: 'requested', deliveryId, eventId };
}
