import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { onTestFinished } from 'vitest';
import type { Database } from '../../server/src/store/database.ts';
import type { EventType } from '../../server/src/store/events.ts';
import type { Api } from '../support/api.ts';

/** Platforms of these tests send to receivers on this machine. */
export const toThisMachine = { allowPrivateTargets: true };

/** An endpoint of the world's organization, unless another is named; of all events, unless some are. */
export async function givenEndpoint(
  database: Database,
  endpoint: { url: string; organizationId: string; types?: EventType[] },
): Promise<string> {
  const id = randomUUID();
  const { url, organizationId, types = null } = endpoint;
  await database
    .insertInto('webhook_endpoints')
    .values({ id, url, organization_id: organizationId, event_types: types })
    .execute();
  // Its test is over: nothing more is to be sent there.
  onTestFinished(async () => {
    await database
      .updateTable('webhook_endpoints')
      .set({ disabled_at: new Date(), disabled_by: 'operator' })
      .where('id', '=', id)
      .execute();
  });
  return id;
}

/** Makes `count` events, each by a request of its own. @returns their identifiers */
export async function makeEvents(platform: Api, count: number): Promise<string[]> {
  const { database, owner, world } = platform;
  const before = await eventIds(database);
  for (let made = 0; made < count; made++) {
    const body = { workflowDefinitionId: world.workflowDefinition.id, parameters: { made } };
    const { response } = await owner.POST('/parameters', { body });
    if (response.status !== 201) throw new Error(`A parameter set was answered with ${response.status}.`);
  }
  const known = new Set(before);
  return (await eventIds(database)).filter((id) => !known.has(id));
}

export async function eventIds(database: Database): Promise<string[]> {
  const rows = await database.selectFrom('events').select('id').execute();
  return rows.map(({ id }) => id);
}

/** Makes the pauses between attempts short, whatever the schedule says, until the test ends. */
export function hurry(database: Database, schema = 'production_jobs'): void {
  const timer = setInterval(() => {
    sql`update ${sql.table(`${schema}.job`)} set start_after = now()
      where name = 'webhook-delivery' and state < 'active' and start_after > now()`
      .execute(database)
      .catch(() => {});
  }, 100);
  onTestFinished(() => clearInterval(timer));
}

export async function deliveriesTo(database: Database, endpointId: string) {
  return database
    .selectFrom('webhook_deliveries')
    .select(['id', 'event_id', 'status', 'attempts', 'next_attempt_at'])
    .where('endpoint_id', '=', endpointId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

export async function attemptsOf(database: Database, deliveryId: string) {
  return database
    .selectFrom('webhook_attempts')
    .select(['number', 'status', 'error', 'milliseconds'])
    .where('delivery_id', '=', deliveryId)
    .orderBy('number')
    .execute();
}
