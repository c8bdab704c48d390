import type { Selectable } from 'kysely';
import type { WebhookEvent } from '../domain/webhooks.ts';
import type { Database } from './database.ts';
import type { Schema } from './schema.ts';

/** An event that can be polled for. */
export interface PolledEvent {
  event: WebhookEvent;
  traceparent: string | null;
}

/** A place in the order of the events. */
export interface EventPlace {
  id: string;
  position: number;
}

/** The last event of an organization, or of all; undefined: there is none. */
export async function findLastEvent(
  database: Database,
  organizationId?: string,
): Promise<EventPlace | undefined> {
  let query = database.selectFrom('events').select(['id', 'position']);
  if (organizationId !== undefined) query = query.where('organization_id', '=', organizationId);
  return placeOf(
    await query.where('position', 'is not', null).orderBy('position', 'desc').limit(1).executeTakeFirst(),
  );
}

/** @returns undefined if the organization has no such event that can be polled for */
export async function findEvent(
  database: Database,
  organizationId: string,
  id: string,
): Promise<EventPlace | undefined> {
  const row = await database
    .selectFrom('events')
    .select(['id', 'position'])
    .where('id', '=', id)
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();
  return placeOf(row);
}

function placeOf(row: { id: string; position: number | null } | undefined): EventPlace | undefined {
  return row && row.position !== null ? { id: row.id, position: row.position } : undefined;
}

/** The events of an organization in order, from the first that was created at `since` or later. */
export async function listEvents(
  database: Database,
  organizationId: string,
  { after, since, id, limit }: { after: number; since: Date; id?: string | undefined; limit: number },
): Promise<PolledEvent[]> {
  let query = database
    .selectFrom('events')
    .select(['id', 'type', 'created_at', 'organization_id', 'workspace_id', 'data', 'traceparent'])
    .where('organization_id', '=', organizationId)
    .where('position', '>', after)
    .where('created_at', '>=', since);
  if (id !== undefined) query = query.where('id', '=', id);
  const rows = await query.orderBy('position').limit(limit).execute();
  return rows.map((row) => ({ event: eventOf(row), traceparent: row.traceparent }));
}

type EventRow = Selectable<Schema['events']>;

/** An event as receivers get it. */
export function eventOf(
  row: Pick<EventRow, 'id' | 'type' | 'created_at' | 'organization_id' | 'workspace_id' | 'data'>,
): WebhookEvent {
  return {
    id: row.id,
    type: row.type,
    createdDateTime: row.created_at.toISOString(),
    organizationId: row.organization_id,
    workspaceId: row.workspace_id,
    data: row.data,
  };
}
