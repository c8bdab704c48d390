import type { Database } from './database.ts';

/** Records a successful attempt. @returns whether the endpoint had been failing */
export async function markHealthy(database: Database, endpointId: string): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable('webhook_endpoints')
    .set({ failing_since: null })
    .where('id', '=', endpointId)
    .where('failing_since', 'is not', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Records a failed attempt. If the endpoint was failing already, the time since when is kept. */
export async function markFailing(database: Database, endpointId: string, now: Date): Promise<void> {
  await database
    .updateTable('webhook_endpoints')
    .set({ failing_since: now })
    .where('id', '=', endpointId)
    .where('failing_since', 'is', null)
    .execute();
}

/** The endpoint is always locked before its deliveries. */
export async function lockEndpoint(transaction: Database, endpointId: string): Promise<void> {
  await transaction
    .selectFrom('webhook_endpoints')
    .select('id')
    .where('id', '=', endpointId)
    .forUpdate()
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
    .select('disabled_at')
    .where('id', '=', endpointId)
    .forUpdate()
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
  return 'disabled';
}

/** Enables an endpoint, which receives events from now on. */
export async function enableEndpoint(
  database: Database,
  endpointId: string,
): Promise<'enabled' | 'already_enabled' | 'unknown'> {
  const endpoint = await database
    .selectFrom('webhook_endpoints')
    .select('disabled_at')
    .where('id', '=', endpointId)
    .executeTakeFirst();
  if (!endpoint) return 'unknown';
  await database
    .updateTable('webhook_endpoints')
    .set({ disabled_at: null, disabled_by: null, failing_since: null })
    .where('id', '=', endpointId)
    .execute();
  return endpoint.disabled_at ? 'enabled' : 'already_enabled';
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
