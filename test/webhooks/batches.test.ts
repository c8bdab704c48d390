import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { eventsTopic } from '../../server/src/jobs/jobs.ts';
import { deliveryJobs } from '../../server/src/webhooks/delivery-batches.ts';
import { api } from '../support/api.ts';
import { until } from '../support/waiting.ts';
import { type Responding, respond, startReceiver } from './receiver.ts';
import { allRecorded, attemptsOf, deliveriesTo, givenEndpoint, hurry, toThisMachine } from './support.ts';

const platform = await api(toThisMachine);
const { database, world } = platform;

const deliveries = (count: number, endpointId = 'a', failing = false) =>
  Array.from({ length: count }, (_, index) => ({
    deliveryId: `${endpointId} ${index}`,
    endpointId,
    attempt: 1,
    failing,
  }));

describe('the jobs of deliveries', () => {
  test.each([
    { count: 1, jobs: 1, longest: 1 },
    { count: 16, jobs: 16, longest: 1 },
    { count: 17, jobs: 9, longest: 2 },
    { count: 200, jobs: 16, longest: 13 },
    { count: 1_000, jobs: 63, longest: 16 },
  ])('of $count to one endpoint are $jobs, of at most $longest attempts', ({ count, jobs, longest }) => {
    const all = deliveries(count);
    const made = deliveryJobs(all);
    const attempts = made.map((job) => ('batch' in job ? job.batch : [job]));
    expect([made.length, Math.max(...attempts.map(({ length }) => length))]).toEqual([jobs, longest]);
    expect(attempts.flat().map(({ deliveryId }) => deliveryId)).toEqual(
      all.map(({ deliveryId }) => deliveryId),
    );
  });

  test('of an endpoint that fails are one each, whatever others have', () => {
    const made = deliveryJobs([...deliveries(40, 'failing', true), ...deliveries(32, 'other')]);
    const of = (id: string) => made.filter(({ endpointId }) => endpointId === id);
    expect([of('failing').length, of('other').length]).toEqual([40, 16]);
    expect(of('failing')).toEqual(deliveries(40, 'failing', true));
  });
});

/** An endpoint that gets `count` events at once. */
async function deliver(count: number, responding: Responding) {
  let open = 0;
  let mostOpen = 0;
  const receiver = await startReceiver((response, received) => {
    open += 1;
    mostOpen = Math.max(mostOpen, open);
    response.on('close', () => {
      open -= 1;
    });
    responding(response, received);
  });
  const endpoint = await givenEndpoint(database, {
    url: receiver.url,
    organizationId: world.organization.id,
    types: ['user.terminated'],
  });
  const data = JSON.stringify({ userId: randomUUID(), status: 'TERMINATED' });
  const { rows } = await sql<{ id: string }>`
    insert into events (id, type, organization_id, data)
    select gen_random_uuid(), 'user.terminated', ${world.organization.id}, ${data}::jsonb
    from generate_series(1, ${count}::integer) returning id`.execute(database);
  platform.jobs.signal(eventsTopic);
  return { receiver, endpoint, ids: rows.map(({ id }) => id), mostOpen: () => mostOpen };
}

test('of many events, each is sent once and at most 16 at a time, by few jobs', async () => {
  const { receiver, endpoint, ids, mostOpen } = await deliver(150, (response, received) => {
    setTimeout(() => respond(204)(response, received), 20);
  });
  await receiver.hasTaken(ids);
  await allRecorded(database, endpoint);
  expect(receiver.received.map(({ event }) => event.id).sort()).toEqual([...ids].sort());
  expect(mostOpen()).toBeLessThanOrEqual(16);
  const { rows } = await sql<{ jobs: number }>`select count(*)::integer as jobs from production_jobs.job
    where name = 'webhook-delivery' and data->>'endpointId' = ${endpoint}`.execute(database);
  expect(rows[0]?.jobs).toBeLessThan(100);
});

test('an endpoint that takes long gives the rest back, and gets each event once', async () => {
  const { receiver, endpoint, ids } = await deliver(100, (response, received) => {
    setTimeout(() => respond(204)(response, received), 900);
  });
  await receiver.hasTaken(ids, 60_000);
  await allRecorded(database, endpoint);
  expect(receiver.received.map(({ event }) => event.id).sort()).toEqual([...ids].sort());
  const all = await deliveriesTo(database, endpoint);
  expect(new Set(all.map(({ status, attempts }) => `${status} ${attempts}`))).toEqual(
    new Set(['delivered 1']),
  );
});

test('an event that is refused is tried again alone, and the others are sent once', async () => {
  hurry(database);
  const refused = new Set<string>();
  const { receiver, endpoint, ids } = await deliver(64, (response, received) => {
    const isFirst = Number.parseInt(received.event.id.slice(-1), 16) < 4 && !refused.has(received.event.id);
    if (isFirst) refused.add(received.event.id);
    respond(isFirst ? 500 : 204)(response, received);
  });
  await receiver.hasTaken(ids);
  await allRecorded(database, endpoint);
  for (const { id, event_id } of await deliveriesTo(database, endpoint)) {
    const statuses = (await attemptsOf(database, id)).map(({ status }) => status);
    expect(statuses).toEqual(refused.has(event_id) ? [500, 204] : [204]);
  }
});

test('an endpoint that unsubscribes gets nothing more from a batch', async () => {
  const { receiver, endpoint, ids } = await deliver(160, (response, received) => {
    setTimeout(() => respond(410)(response, received), 50);
  });
  await until(async () => {
    const open = await database
      .selectFrom('webhook_deliveries')
      .select('id')
      .where('endpoint_id', '=', endpoint)
      .where('status', 'in', ['pending', 'requested'])
      .execute();
    return open.length === 0;
  });
  expect(receiver.received.length).toBeLessThan(ids.length / 2);
});
