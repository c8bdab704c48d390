import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from './database.ts';

/** Which deliveries: some by name, or all of an endpoint that have not arrived. */
export type Undelivered = { deliveryIds: string[] } | { endpointId: string };

/**
 * Asks for deliveries to be made anew, with a whole new schedule; the platform does so as soon as it runs. Those to
 * disabled endpoints are left alone.
 *
 * @returns the identifiers of those that will be made
 */
export async function requestRedelivery(
  database: Database,
  which: Undelivered,
  now: Date,
): Promise<string[]> {
  const rows = await database
    .updateTable('webhook_deliveries as d')
    .from('webhook_endpoints as e')
    .set({ status: 'requested', attempts_before: sql`d.attempts`, next_attempt_at: now })
    .whereRef('e.id', '=', 'd.endpoint_id')
    .where('e.disabled_at', 'is', null)
    .where((where) =>
      'deliveryIds' in which
        ? where('d.id', 'in', which.deliveryIds)
        : where.and([where('d.endpoint_id', '=', which.endpointId), where('d.status', '!=', 'delivered')]),
    )
    .returning('d.id')
    .execute();
  return rows.map(({ id }) => id);
}

export type TestRequest =
  | { kind: 'requested'; deliveryId: string; eventId: string }
  | { kind: 'unknown' | 'disabled' | 'no_workspace' };

/**
 * Asks for an event that never happened to be sent to one endpoint and no other, marked as of the sandbox.
 *
 * @param event `inWorkspace`: this kind tells of a workspace, which is the organization's first here
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
        ...{ id: eventId, type: event.type, organization_id: endpoint.organization_id, test: true },
        workspace_id: event.inWorkspace ? (workspace?.id ?? null) : null,
        ...{ data: JSON.stringify(event.data), created_at: now, relayed_at: now },
      })
      .execute();
    await transaction
      .insertInto('webhook_deliveries')
      .values({
        ...{ id: deliveryId, event_id: eventId, endpoint_id: endpointId, status: 'requested' },
        ...{ next_attempt_at: now, created_at: now },
      })
      .execute();
    return { kind: 'requested', deliveryId, eventId };
  });
}
