import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { api } from '../support/api.ts';
import { bodyOf } from '../support/responses.ts';
import { until } from '../support/waiting.ts';
import { respond, startReceiver } from './receiver.ts';
import {
  attempted,
  attemptsMade,
  attemptsOf,
  deliveriesTo,
  givenEndpoint,
  hurry,
  makeEvents,
  nothingUnderWay,
  toThisMachine,
} from './support.ts';

const platform = await api(toThisMachine);
const { database, world, clock } = platform;
const organizationId = world.organization.id;

const unique = (events: { id: string }[]) => [...new Set(events.map(({ id }) => id))].sort();

describe('all events arrive at a receiver', () => {
  test('that was down', async () => {
    const receiver = await startReceiver();
    const endpoint = await givenEndpoint(database, { url: receiver.url, organizationId });
    await receiver.down();
    const ids = await makeEvents(platform, 20);
    await attempted(database, endpoint, 20);
    expect(receiver.taken).toEqual([]);
    await receiver.up();
    hurry(database);
    await receiver.hasTaken(ids);
    expect(unique(receiver.taken)).toEqual(ids.sort());
    expect(receiver.taken).toHaveLength(20);
    const [delivery] = await deliveriesTo(database, endpoint);
    expect(await attemptsOf(database, delivery?.id as string)).toContainEqual({
      number: 1,
      status: null,
      error: 'connection_failed',
      milliseconds: expect.any(Number),
    });
  });

  test('that responds with 503 at random', async () => {
    // Not ten times for one event, which would then be given up.
    const refused = new Map<string, number>();
    const receiver = await startReceiver((response, received) => {
      const { id } = received.event;
      const before = refused.get(id) ?? 0;
      const refuses = before < 3 && Math.random() < 0.4;
      if (refuses) refused.set(id, before + 1);
      respond(refuses ? 503 : 200)(response, received);
    });
    await givenEndpoint(database, { url: receiver.url, organizationId });
    hurry(database);
    const ids = await makeEvents(platform, 60);
    await receiver.hasTaken(ids);
    expect(receiver.taken).toHaveLength(60);
    expect(receiver.received.length).toBeGreaterThan(60);
  });

  test('that redirected, and the target gets nothing', async () => {
    const elsewhere = await startReceiver();
    const receiver = await startReceiver(respond(308, { Location: elsewhere.url }));
    const endpoint = await givenEndpoint(database, { url: receiver.url, organizationId });
    const ids = await makeEvents(platform, 3);
    await attempted(database, endpoint, 3);
    const [delivery] = await deliveriesTo(database, endpoint);
    const [first] = await attemptsOf(database, delivery?.id as string);
    expect(first).toMatchObject({ number: 1, status: 308, error: 'redirect_not_followed' });
    receiver.responds(respond(200));
    hurry(database);
    await receiver.hasTaken(ids);
    expect(elsewhere.received).toEqual([]);
  });

  test('that is slow', async () => {
    const receiver = await startReceiver((response) => {
      setTimeout(() => response.writeHead(202).end(), 1_500);
    });
    await givenEndpoint(database, { url: receiver.url, organizationId });
    const ids = await makeEvents(platform, 40);
    await receiver.hasTaken(ids);
    expect(receiver.received).toHaveLength(40);
  });

  test('that was down for hours, as soon as it accepts one', async () => {
    const receiver = await startReceiver(respond(500));
    const endpoint = await givenEndpoint(database, { url: receiver.url, organizationId });
    const ids = await makeEvents(platform, 10);
    await attempted(database, endpoint, 10);
    // As after many attempts: the next ones are due in hours.
    const far = { next_attempt_at: new Date(clock.now().getTime() + 20 * 3_600_000), attempts: 5 };
    await database.updateTable('webhook_deliveries').set(far).where('endpoint_id', '=', endpoint).execute();
    clock.forward(3 * 3_600_000);
    receiver.responds(respond(200));
    ids.push(...(await makeEvents(platform, 1)));
    await receiver.hasTaken(ids);
    expect(receiver.taken).toHaveLength(11);
  });
});

describe('a receiver that unsubscribes', () => {
  test('with 410 has its pending deliveries cancelled', async () => {
    const receiver = await startReceiver(respond(503));
    const endpoint = await givenEndpoint(database, { url: receiver.url, organizationId });
    await makeEvents(platform, 5);
    await attempted(database, endpoint, 5);
    receiver.responds(respond(410));
    hurry(database);
    await expect
      .poll(async () => (await deliveriesTo(database, endpoint)).map(({ status }) => status))
      .toEqual(Array(5).fill('cancelled'));
    // Up to five attempts were in progress at the first response.
    await nothingUnderWay(database, endpoint);
    const known = receiver.received.length;
    const [row] = await database
      .selectFrom('webhook_endpoints')
      .selectAll()
      .where('id', '=', endpoint)
      .execute();
    expect(row).toMatchObject({ disabled_by: 'receiver', disabled_at: clock.now() });
    const watch = await startReceiver();
    await givenEndpoint(database, { url: watch.url, organizationId });
    await watch.hasTaken(await makeEvents(platform, 3));
    expect(await deliveriesTo(database, endpoint)).toHaveLength(5);
    expect(receiver.received.length).toBe(known);
  });
});

describe('an event that no receiver accepts', () => {
  test('is given up after ten recorded attempts', async () => {
    const receiver = await startReceiver(respond(500));
    const endpoint = await givenEndpoint(database, { url: receiver.url, organizationId });
    hurry(database);
    await makeEvents(platform, 1);
    await attemptsMade(database, endpoint, 10);
    const [delivery] = await deliveriesTo(database, endpoint);
    expect(delivery).toMatchObject({ status: 'failed', attempts: 10, next_attempt_at: null });
    const attempts = await attemptsOf(database, delivery?.id as string);
    expect(attempts.map(({ number, status }) => [number, status])).toEqual(
      Array.from({ length: 10 }, (_, index) => [index + 1, 500]),
    );
    expect(receiver.received).toHaveLength(10);
    expect(new Set(receiver.received.map(({ body }) => body.toString())).size).toBe(1);
  });
});

describe('the concurrency of an endpoint', () => {
  const hasSlowJobs = async (endpointId: string) => {
    const { rows } = await sql`select from production_jobs.job
      where data->>'endpointId' = ${endpointId} and group_tier is not null`.execute(database);
    return rows.length > 0;
  };

  test('stays the same if it fails now and then', async () => {
    let requests = 0;
    const receiver = await startReceiver((response, received) => {
      requests += 1;
      respond(requests % 5 === 0 ? 500 : 204)(response, received);
    });
    const endpoint = await givenEndpoint(database, { url: receiver.url, organizationId });
    const ids = await makeEvents(platform, 40);
    await receiver.hasTaken(ids);
    expect(receiver.received.length).toBeGreaterThan(40);
    expect(await hasSlowJobs(endpoint)).toBe(false);
  });

  test('is four while most of its last 20 attempts failed', async () => {
    const receiver = await startReceiver(respond(500));
    const endpoint = await givenEndpoint(database, { url: receiver.url, organizationId });
    const ids = await makeEvents(platform, 11);
    // Their next attempts are scheduled while it is failing.
    await until(async () => {
      const deliveries = await deliveriesTo(database, endpoint);
      return deliveries.filter(({ attempts }) => attempts > 1).length === 11;
    });
    const open: ServerResponse[] = [];
    receiver.responds((response) => void open.push(response));
    ids.push(...(await makeEvents(platform, 10)));
    await until(() => open.length === 4);
    // More than the time after which the others would start.
    await sleep(1_500);
    expect(open).toHaveLength(4);
    receiver.responds(respond(204));
    for (const response of open) response.writeHead(204).end();
    await receiver.hasTaken(ids);
    const { failing } = await database
      .selectFrom('webhook_endpoints')
      .select('failing')
      .where('id', '=', endpoint)
      .executeTakeFirstOrThrow();
    expect(failing).toBe(false);
  });
});

describe('a healthy receiver', () => {
  const percentile = (values: number[], part: number) =>
    values.toSorted((a, b) => a - b)[Math.ceil(values.length * part) - 1] as number;

  /** Milliseconds within which a machine with nothing else to do responds to a request that makes an event. */
  const quick = 20;

  /**
   * Makes events one after the other, and measures how long each takes from the response to its request until it
   * reaches the receiver.
   *
   * @returns the 95th percentile in milliseconds, less the share that the machine spends on other work: the requests
   *   of the same moments show how slow it is
   */
  async function latency(count: number): Promise<number> {
    const { owner } = platform;
    const receiver = await startReceiver();
    await givenEndpoint(database, { url: receiver.url, organizationId });
    const made = new Map<string, number>();
    const requests: number[] = [];
    const body = { workflowDefinitionId: world.workflowDefinition.id, parameters: {} };
    for (let number = 0; number < count; number++) {
      const sentAt = performance.now();
      const { parametersId } = (await bodyOf(201, owner.POST('/parameters', { body }))) as {
        parametersId: string;
      };
      made.set(parametersId, performance.now());
      requests.push(performance.now() - sentAt);
    }
    await until(() => receiver.taken.length >= count);
    expect(receiver.taken).toHaveLength(count);
    const latencies = receiver.received.map(({ event, at }) => {
      const { parametersId } = event.data as { parametersId: string };
      return at - (made.get(parametersId) as number);
    });
    return percentile(latencies, 0.95) / Math.max(1, percentile(requests, 0.5) / quick);
  }

  test('receives 95 % of 200 events within 2 s', async () => {
    expect(await latency(200)).toBeLessThan(2_000);
  });

  test('is not delayed by endpoints that never respond or do not exist', async () => {
    let mostAtOnce = 0;
    for (const _ of [1, 2, 3]) {
      let open = 0;
      const silent = await startReceiver((response) => {
        open += 1;
        mostAtOnce = Math.max(mostAtOnce, open);
        response.on('close', () => {
          open -= 1;
        });
      });
      await givenEndpoint(database, { url: silent.url, organizationId });
    }
    const gone = await startReceiver();
    await gone.down();
    await givenEndpoint(database, { url: gone.url, organizationId });
    expect(await latency(100)).toBeLessThan(2_000);
    // An attempt that times out makes room for the next: an endpoint never exceeds its concurrency limit.
    expect(mostAtOnce).toBeGreaterThan(0);
    expect(mostAtOnce).toBeLessThanOrEqual(20);
  });
});
