import { randomUUIDv7 } from 'node:crypto';
import type { webhooks } from '../../../generated/types.ts';
import { afterCommit, changedDatabase, statementWithNext } from '../../postgres-client/index.ts';
import { currentTraceparent, identifiersOf, note, noteAmong } from '../tracing/trace.ts';
import { type AuditedChange, auditChange } from './audit.ts';
import type { Database } from './database.ts';

/** The event types: the names of the contract's webhooks. */
export type EventType = keyof webhooks;
type Payload<Type extends EventType> = webhooks[Type]['post']['requestBody']['content']['application/json'];
/** The `data` of an event type, as the contract declares it. */
export type EventData<Type extends EventType> = Payload<Type>['data'];

export interface NewEvent<Type extends EventType> {
  type: Type;
  organizationId: string;
  workspaceId?: string;
  data: EventData<Type>;
  now: Date;
  /** Of what causes the event, if that is not the request or job in which it is recorded. */
  traceparent?: string | null;
}

/** Records an event at the end of the transaction of the change, so that both are committed or neither is. */
export async function recordEvent<Type extends EventType>(
  transaction: Database,
  event: NewEvent<Type>,
): Promise<void> {
  await recordEvents(transaction, [event as NewEvent<EventType>]);
}

/** Records several events in one statement. */
export async function recordEvents(transaction: Database, events: NewEvent<EventType>[]): Promise<void> {
  const rows = events.map(({ type, organizationId, workspaceId, data, now, traceparent }) => ({
    id: randomUUIDv7(),
    type,
    organization_id: organizationId,
    workspace_id: workspaceId,
    data,
    created_at: now,
    traceparent: currentTraceparent() ?? traceparent,
  }));
  for (const event of events) auditChange(transaction, changeOf(event));
  afterCommit(transaction, () => {
    listeners.get(changedDatabase(transaction) as object)?.();
    for (const { id, data } of rows) {
      note(identifiersOf(data));
      noteAmong('eventIds', id);
    }
  });
  await transaction.executeQuery(statementWithNext`
    insert into events (id, type, organization_id, workspace_id, data, created_at, traceparent)
    select id, type, organization_id, workspace_id, data, created_at, traceparent
    from json_to_recordset(${JSON.stringify(rows)}::json)
      as event (id uuid, type text, organization_id uuid, workspace_id uuid, data jsonb, created_at timestamptz,
        traceparent text)`);
}

/** What an event says of a change: the object, and the other identifiers. Not names, which may be of people. */
function changeOf({ type, organizationId, data }: NewEvent<EventType>): AuditedChange {
  const [resource = ''] = type.split('.');
  const { [`${resource}Id`]: own, userId, status } = data as Record<string, unknown>;
  const id = String(own ?? userId);
  const kind = resource === 'workflow' ? 'execution' : own === undefined ? 'user' : resource;
  const others = Object.entries(identifiersOf(data)).filter(([, value]) => value !== id);
  return {
    object: { kind, id },
    organizationId,
    details: { event: type, ...Object.fromEntries(others), ...(status !== undefined && { status }) },
  };
}

const listeners = new WeakMap<object, () => void>();

/** Calls `listener` after each commit of `transact` on one of these databases in which events were recorded. */
export function onEvents(databases: Database[], listener: () => void): void {
  for (const database of databases) listeners.set(database, listener);
}
