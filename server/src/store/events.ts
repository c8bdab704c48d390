import { randomUUID } from 'node:crypto';
import type { webhooks } from '../../../generated/types.ts';
import type { Database } from './database.ts';

/** The kinds of event, as the contract's webhooks name them. */
export type EventType = keyof webhooks;
type Payload<Type extends EventType> = webhooks[Type]['post']['requestBody']['content']['application/json'];
/** What the contract says that an event of this kind tells. */
export type EventData<Type extends EventType> = Payload<Type>['data'];

export interface NewEvent<Type extends EventType> {
  type: Type;
  organizationId: string;
  workspaceId?: string;
  data: EventData<Type>;
  now: Date;
}

/**
 * Writes down that something changed, in the transaction of the change: no event is lost, and none tells
 * of what did not happen.
 */
export async function recordEvent<Type extends EventType>(
  transaction: Database,
  event: NewEvent<Type>,
): Promise<void> {
  await transaction
    .insertInto('events')
    .values({
      id: randomUUID(),
      type: event.type,
      organization_id: event.organizationId,
      workspace_id: event.workspaceId ?? null,
      data: JSON.stringify(event.data),
      created_at: event.now,
    })
    .execute();
}
