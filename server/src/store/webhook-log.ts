import { sql } from 'kysely';
import type { Database } from './database.ts';
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
  /** Of the last attempt: the response status, or why there was none. */
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

/** In the order of creation. */
export async function listEndpoints(database: Database): Promise<EndpointEntry[]> {
  const rows = await database
    .selectFrom('webhook_endpoints as e')
    .innerJoin('organizations as o', 'o.id', 'e.organization_id')
    .select(['e.id', 'e.url', 'e.event_types', 'e.disabled_at', 'e.disabled_by', 'e.failing_since'])
    .select(['e.created_at', 'o.id as organization_id', 'o.name'])
    .select(({ selectFrom }) =>
      selectFrom('webhook_deliveries as d')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .whereRef('d.endpoint_id', '=', 'e.id')
        .where('d.status', 'in', ['requested', 'pending'])
        .as('open'),
    )
    .orderBy('e.created_at')
    .orderBy('e.id')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    organization: { id: row.organization_id, name: row.name },
    url: row.url,
    events: row.event_types ?? 'all',
    disabledDateTime: row.disabled_at?.toISOString() ?? null,
    disabledBy: row.disabled_by,
    failingSince: row.failing_since?.toISOString() ?? null,
    open: row.open ?? 0,
    createdDateTime: row.created_at.toISOString(),
  }));
}

export interface DeliveryFilter {
  endpointId?: string | undefined;
  status?: DeliveryStatus | undefined;
  type?: string | undefined;
  limit: number;
}

/** The newest first. */
export async function listDeliveries(
  database: Database,
  { endpointId, status, type, limit }: DeliveryFilter,
): Promise<DeliveryEntry[]> {
  let query = database
    .selectFrom('webhook_deliveries as d')
    .innerJoin('events as v', 'v.id', 'd.event_id')
    .select(['d.id', 'd.endpoint_id', 'd.status', 'd.attempts', 'd.next_attempt_at'])
    .select(['v.id as event_id', 'v.type', 'v.created_at', 'v.test'])
    .select(({ selectFrom }) =>
      selectFrom('webhook_attempts as a')
        .select(sql<string>`coalesce(a.error, a.status::text)`.as('outcome'))
        .whereRef('a.delivery_id', '=', 'd.id')
        .orderBy('a.number', 'desc')
        .orderBy('a.at', 'desc')
        .limit(1)
        .as('last_outcome'),
    )
    .orderBy('d.created_at', 'desc')
    .orderBy('d.id', 'desc')
    .limit(limit);
  if (endpointId !== undefined) query = query.where('d.endpoint_id', '=', endpointId);
  if (status !== undefined) query = query.where('d.status', '=', status);
  if (type !== undefined) query = query.where('v.type', '=', type);
  return (await query.execute()).map((row) => ({
    id: row.id,
    endpointId: row.endpoint_id,
    event: {
      id: row.event_id,
      type: row.type,
      createdDateTime: row.created_at.toISOString(),
      test: row.test,
    },
    status: row.status,
    attempts: row.attempts,
    lastOutcome: row.last_outcome,
    nextAttemptAt: row.next_attempt_at?.toISOString() ?? null,
  }));
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
  const rows = await database
    .selectFrom('webhook_attempts')
    .select(['number', 'at', 'milliseconds', 'status', 'error'])
    .where('delivery_id', '=', deliveryId)
    .orderBy('number')
    .orderBy('at')
    .execute();
  return rows.map(({ at, ...row }) => ({ ...row, at: at.toISOString() }));
}
