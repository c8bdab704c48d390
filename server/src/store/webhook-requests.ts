import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from './database.ts';

/** Deliveries by id, or all undelivered ones of an endpoint. */
export type Undelivered = { deliveryIds: string[] } | { endpointId: string };

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
  return rows.map(({ id }) => id);
}

export type TestRequest =
  | { kind: 'requested'; deliveryId: string; eventId: string }
  | { kind: 'unknown' | 'disabled' | 'no_workspace' };

/**
 * Requests delivery of a test event to one endpoint, marked as from the sandbox.
 *
 * @param event `inWorkspace`: events of this type belong to a workspace; the organization's first one is used
 */
export async function requestTest(
  database: Database,
  endpointId: string,
  event: { type: string; data: object; inWorkspace: boolean },
  now: Date,
): Promise<TestRequest> {
  return database.transaction().execute(async (transaction) => {
    const endpoint = await transaction
      .selectFrom('webhook_endpoints')
      .select(['organization_id', 'disabled_at'])
      .where('id', '=', endpointId)
      .executeTakeFirst();
    if (!endpoint) return { kind: 'unknown' };
    if (endpoint.disabled_at) return { kind: 'disabled' };
    const workspace = await transaction
      .selectFrom('workspaces')
      .select('id')
      .where('organization_id', '=', endpoint.organization_id)
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
        organization_id: endpoint.organization_id,
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
    return { kind: 'requested', deliveryId, eventId };
  });
}
