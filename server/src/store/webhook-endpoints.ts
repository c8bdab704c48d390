import { sql } from 'kysely';
import { auditChange } from './audit.ts';
import type { Database } from './database.ts';

/** The number of attempts in `recent_failures`. */
const recentAttempts = 20;

/** The outcomes of consecutive attempts to deliver to one endpoint. */
export interface AttemptOutcomes {
  endpointId: string;
  /** From the earliest to the latest. */
  outcomes: { failed: boolean; at: Date }[];
}

/** An endpoint before and after recorded outcomes. */
export interface EndpointChange {
  id: string;
  /** Whether most of the last 20 attempts failed. */
  failing: boolean;
  wasFailing: boolean;
  /** Since when every attempt had failed; null if the last one succeeded. */
  failingSince: Date | null;
  wasFailingSince: Date | null;
}

/**
 * Records which attempts failed. Endpoints are locked in the order of their ids, and no deliveries, so call it outside
 * of a transaction.
 *
 * @param all at most one entry for each endpoint
 */
export async function recordOutcomes(database: Database, all: AttemptOutcomes[]): Promise<EndpointChange[]> {
  const rows = all.map(({ endpointId, outcomes }) => {
    const lastSuccess = outcomes.findLastIndex(({ failed }) => !failed);
    return {
      id: endpointId,
      count: outcomes.length,
      failures: outcomes
        .map(({ failed }) => (failed ? '1' : '0'))
        .join('')
        .slice(-recentAttempts)
        .padStart(recentAttempts, '0'),
      succeeded: lastSuccess !== -1,
      failing_since: outcomes[lastSuccess + 1]?.at ?? null,
    };
  });
  const { rows: changes } = await sql<EndpointChange>`
    with made as materialized (
      select * from json_to_recordset(${JSON.stringify(rows)}::json) as made (
        id uuid, count integer, failures bit(20), succeeded boolean, failing_since timestamptz)),
    before as materialized (
      select e.id, e.failing, e.failing_since from webhook_endpoints e
      where e.id in (select id from made) order by e.id for no key update)
    update webhook_endpoints e set
      recent_failures = (e.recent_failures << made.count) | made.failures,
      failing_since = case when made.succeeded then made.failing_since
        else coalesce(e.failing_since, made.failing_since) end
    from made join before on before.id = made.id
    where e.id = made.id
    returning e.id, e.failing, before.failing as "wasFailing", e.failing_since as "failingSince",
      before.failing_since as "wasFailingSince"`.execute(database);
  return changes;
}

/** The endpoint is always locked before its deliveries. Deliveries can still be added, which refer to its key. */
export async function lockEndpoint(transaction: Database, endpointId: string): Promise<void> {
  await transaction
    .selectFrom('webhook_endpoints')
    .select('id')
    .where('id', '=', endpointId)
    .forNoKeyUpdate()
    .execute();
}

/** Disables an endpoint and cancels its pending deliveries. */
export async function disableEndpoint(
  transaction: Database,
  endpointId: string,
  by: 'receiver' | 'operator',
  now: Date,
): Promise<'disabled' | 'already_disabled' | 'unknown'> {
  const endpoint = await transaction
    .selectFrom('webhook_endpoints')
    .select(['disabled_at', 'organization_id as organizationId'])
    .where('id', '=', endpointId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!endpoint) return 'unknown';
  await transaction
    .updateTable('webhook_deliveries')
    .set({ status: 'cancelled', next_attempt_at: null })
    .where('endpoint_id', '=', endpointId)
    .where('status', 'in', ['requested', 'pending'])
    .execute();
  if (endpoint.disabled_at) return 'already_disabled';
  await transaction
    .updateTable('webhook_endpoints')
    .set({ disabled_at: now, disabled_by: by })
    .where('id', '=', endpointId)
    .execute();
  const { organizationId } = endpoint;
  auditChange(transaction, { object: { kind: 'webhook endpoint', id: endpointId }, organizationId });
  return 'disabled';
}

/** Enables an endpoint, which receives events from now on. */
export async function enableEndpoint(
  database: Database,
  endpointId: string,
): Promise<'enabled' | 'already_enabled' | 'unknown'> {
  const endpoint = await database
    .selectFrom('webhook_endpoints')
    .select(['disabled_at', 'organization_id as organizationId'])
    .where('id', '=', endpointId)
    .executeTakeFirst();
  if (!endpoint) return 'unknown';
  await database
    .updateTable('webhook_endpoints')
    .set({
      disabled_at: null,
      disabled_by: null,
      failing_since: null,
      recent_failures: '0'.repeat(recentAttempts),
    })
    .where('id', '=', endpointId)
    .execute();
  if (!endpoint.disabled_at) return 'already_enabled';
  const { organizationId } = endpoint;
  auditChange(database, { object: { kind: 'webhook endpoint', id: endpointId }, organizationId });
  return 'enabled';
}

/** Adds the endpoint with this URL, or updates it, so that it is enabled and receives all events. */
export async function registerEndpoint(
  database: Database,
  { id, organizationId, url, now }: { id: string; organizationId: string; url: string; now: Date },
): Promise<void> {
  const known = await database
    .selectFrom('webhook_endpoints')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('url', '=', url)
    .executeTakeFirst();
  const values = { url, event_types: null, disabled_at: null, disabled_by: null };
  await database
    .insertInto('webhook_endpoints')
    .values({ ...values, id: known?.id ?? id, organization_id: organizationId, created_at: now })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(values))
    .execute();
}
