import type { Database } from './database.ts';

/**
 * The endpoint answers well again.
 *
 * @returns whether this ended a time in which it did not
 */
export async function markWell(database: Database, endpointId: string): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable('webhook_endpoints')
    .set({ failing_since: null })
    .where('id', '=', endpointId)
    .where('failing_since', 'is not', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** The endpoint did not answer well; since when is kept if it is so already. */
export async function markFailing(database: Database, endpointId: string, now: Date): Promise<void> {
  await database
    .updateTable('webhook_endpoints')
    .set({ failing_since: now })
    .where('id', '=', endpointId)
    .where('failing_since', 'is', null)
    .execute();
}

/** Whoever changes an endpoint and its deliveries begins with the endpoint. */
export async function lockEndpoint(transaction: Database, endpointId: string): Promise<void> {
  await transaction
    .selectFrom('webhook_endpoints')
    .select('id')
    .where('id', '=', endpointId)
    .forUpdate()
    .execute();
}

/** Sends nothing more to an endpoint: what waits for it is cancelled. */
export async function disableEndpoint(
  transaction: Database,
  endpointId: string,
  by: 'receiver' | 'operator',
  now: Date,
): Promise<'disabled' | 'disabled_before' | 'unknown'> {
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
  if (endpoint.disabled_at) return 'disabled_before';
  await transaction
    .updateTable('webhook_endpoints')
    .set({ disabled_at: now, disabled_by: by })
    .where('id', '=', endpointId)
    .execute();
  return 'disabled';
}

/** Sends to an endpoint again, what happens from now on. */
export async function enableEndpoint(
  database: Database,
  endpointId: string,
): Promise<'enabled' | 'enabled_before' | 'unknown'> {
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
  return endpoint.disabled_at ? 'enabled' : 'enabled_before';
}

/** Sees to it that there is this endpoint, with this address, for all events, and enabled. */
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
  const wanted = { url, event_types: null, disabled_at: null, disabled_by: null };
  await database
    .insertInto('webhook_endpoints')
    .values({ ...wanted, id: known?.id ?? id, organization_id: organizationId, created_at: now })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(wanted))
    .execute();
}
