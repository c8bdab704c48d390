import type { ErrorObject } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect } from 'vitest';
import { withClosedObjects } from '../../server/contract/index.ts';
import type { Database } from '../../server/src/store/database.ts';
import { bundle } from './contract.ts';
import type { Clock, World } from './given.ts';

/** An event as a webhook delivers it. */
export interface Event {
  id: string;
  type: string;
  createdDateTime: string;
  organizationId: string;
  workspaceId?: string;
  data: unknown;
}

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema(withClosedObjects(bundle), 'contract');

/**
 * The events that a change leaves behind, in the order of their time, and any order at one time. The payload of each must
 * be as its webhook declares, without any other field.
 */
export async function eventsOf(database: Database, change: () => PromiseLike<unknown>): Promise<Event[]> {
  const before = new Set((await allEvents(database)).map(({ id }) => id));
  await change();
  const seen = (await allEvents(database)).filter(({ id }) => !before.has(id));
  for (const event of seen) expect(problemsOf(event), `the payload of ${event.type}`).toEqual([]);
  return seen;
}

/** Describes an event of the world's organization that is emitted now. */
export const emittedBy =
  ({ clock, world }: { clock: Clock; world: World }) =>
  (type: string, data: object, workspace?: { id: string }): Event => ({
    id: expect.any(String),
    type,
    createdDateTime: clock.now().toISOString(),
    data,
    organizationId: world.organization.id,
    ...(workspace && { workspaceId: workspace.id }),
  });

/** All events, in a stable order. */
export async function allEvents(database: Database): Promise<Event[]> {
  const rows = await database.selectFrom('events').selectAll().orderBy('created_at').orderBy('id').execute();
  return rows.map((row) => ({
    id: row.id,
    type: row.type,
    createdDateTime: row.created_at.toISOString(),
    organizationId: row.organization_id,
    ...(row.workspace_id && { workspaceId: row.workspace_id }),
    data: row.data,
  }));
}

/** Differences between an event's payload and its declaration; [] if there are none. */
export function problemsOf(event: Event): ErrorObject[] {
  const operation = `#/webhooks/${event.type}/post/requestBody/content/application~1json/schema`;
  const validate = ajv.getSchema(`contract${operation}`);
  if (!validate) throw new Error(`The contract declares no webhook ${event.type}.`);
  return validate(event) ? [] : (validate.errors ?? []);
}
