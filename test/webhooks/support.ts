import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '../../server/src/store/database.ts';
import type { EventType } from '../../server/src/store/events.ts';
import type { Api } from '../support/api.ts';
import { atEnd } from '../support/temporary.ts';
import { until } from '../support/waiting.ts';

/** Platforms of these tests send to receivers on this machine. */
export const toThisMachine = { allowPrivateTargets: true };

/** An endpoint. Default: of the world's organization, for all events. */
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
  // Its test is over: nothing more is sent there.
  atEnd(async () => {
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
    if (response.status !== 201) throw new Error(`A parameter set got ${response.status}.`);
  }
  const known = new Set(before);
  return (await eventIds(database)).filter((id) => !known.has(id));
}

export async function eventIds(database: Database): Promise<string[]> {
  const rows = await database.selectFrom('events').select('id').execute();
  return rows.map(({ id }) => id);
}

/** Shortens the pauses between attempts until the test ends. */
export function hurry(database: Database, schema = 'production_jobs'): void {
  const timer = setInterval(() => {
    sql`update ${sql.table(`${schema}.job`)} set start_after = now()
      where name = 'webhook-delivery' and state < 'active' and start_after > now()`
      .execute(database)
      .catch(() => {});
  }, 100);
  atEnd(() => clearInterval(timer));
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

/**
 * The events for which an endpoint has deliveries. One transaction makes all deliveries of an event: what another
 * endpoint has taken, this one has a delivery of, or never gets.
 */
export async function eventsDeliveredTo(database: Database, endpointId: string): Promise<string[]> {
  return (await deliveriesTo(database, endpointId)).map(({ event_id }) => event_id);
}

/** Waits until each delivery to an endpoint is recorded as delivered: that comes after its response. */
export async function allRecorded(database: Database, endpointId: string): Promise<void> {
  await until(async () =>
    (await deliveriesTo(database, endpointId)).every(({ status }) => status === 'delivered'),
  );
}

/** Waits until an attempt of so many deliveries to an endpoint is recorded. */
export async function attempted(database: Database, endpointId: string, count: number): Promise<void> {
  await until(async () => {
    const deliveries = await deliveriesTo(database, endpointId);
    return deliveries.filter(({ attempts }) => attempts > 0).length === count;
  });
}

/** Waits for one attempt after the other of the only delivery to an endpoint, until there are so many. */
export async function attemptsMade(database: Database, endpointId: string, count: number): Promise<void> {
  for (let made = 1; made <= count; made++)
    await until(async () => ((await deliveriesTo(database, endpointId))[0]?.attempts ?? 0) >= made);
}

/** Waits until the queue has no job for an endpoint: no delivery is in progress or due. */
export async function nothingUnderWay(database: Database, endpointId: string): Promise<void> {
  await until(async () => {
    const { rows } = await sql`select from production_jobs.job
      where name = 'webhook-delivery' and data->>'endpointId' = ${endpointId} and state <= 'active'`.execute(
      database,
    );
    return rows.length === 0;
  });
}

export async function attemptsOf(database: Database, deliveryId: string) {
  return database
    .selectFrom('webhook_attempts')
    .select(['number', 'status', 'error', 'milliseconds'])
    .where('delivery_id', '=', deliveryId)
    .orderBy('number')
    .execute();
}
