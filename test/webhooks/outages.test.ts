import { describe, expect, test } from 'vitest';
import { bodyOf } from '../support/answers.ts';
import { api } from '../support/api.ts';
import { until } from '../support/waiting.ts';
import { answer, startReceiver } from './receiver.ts';
import { attemptsOf, deliveriesTo, givenEndpoint, hurry, makeEvents, toThisMachine } from './support.ts';

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
    await expect
      .poll(
        async () => (await deliveriesTo(database, endpoint)).filter(({ attempts }) => attempts > 0).length,
      )
      .toBe(20);
    expect(receiver.taken).toEqual([]);
    await receiver.up();
    hurry(database);
    await receiver.hasTaken(ids);
    expect(unique(receiver.taken)).toEqual(ids.sort());
    expect(receiver.taken).toHaveLength(20);
    const [delivery] = await deliveriesTo(database, endpoint);
    expect(await attemptsOf(database, delivery?.id as string)).toContainEqual({
      ...{ number: 1, status: null, error: 'connection_failed', milliseconds: expect.any(Number) },
    });
  });

  test('that answers 503 at random', async () => {
    const receiver = await startReceiver((response, received) =>
      answer(Math.random() < 0.4 ? 503 : 200)(response, received),
    );
    await givenEndpoint(database, { url: receiver.url, organizationId });
    hurry(database);
    const ids = await makeEvents(platform, 60);
    await receiver.hasTaken(ids);
    expect(receiver.taken).toHaveLength(60);
    expect(receiver.received.length).toBeGreaterThan(60);
  });

  test('that redirected, and nothing goes where it pointed', async () => {
    const elsewhere = await startReceiver();
    const receiver = await startReceiver(answer(308, { Location: elsewhere.url }));
    const endpoint = await givenEndpoint(database, { url: receiver.url, organizationId });
    const ids = await makeEvents(platform, 3);
    await expect.poll(() => receiver.received.length).toBeGreaterThanOrEqual(3);
    await expect
      .poll(async () => attemptsOf(database, (await deliveriesTo(database, endpoint))[0]?.id as string))
      .toMatchObject([{ number: 1, status: 308, error: 'redirect_not_followed' }]);
    receiver.answers(answer(200));
    hurry(database);
    await receiver.hasTaken(ids);
    expect(elsewhere.received).toEqual([]);
  });

  test('that takes its time', async () => {
    const receiver = await startReceiver((response) => {
      setTimeout(() => response.writeHead(202).end(), 1_500);
    });
    await givenEndpoint(database, { url: receiver.url, organizationId });
    const ids = await makeEvents(platform, 40);
    await receiver.hasTaken(ids);
    expect(receiver.received).toHaveLength(40);
  });

  test('that was gone for hours, as soon as it takes one', async () => {
    const receiver = await startReceiver(answer(500));
    const endpoint = await givenEndpoint(database, { url: receiver.url, organizationId });
    const ids = await makeEvents(platform, 10);
    await expect.poll(() => receiver.received.length).toBeGreaterThanOrEqual(10);
    // As after many attempts: the next ones are to be made in hours.
    const far = { next_attempt_at: new Date(clock.now().getTime() + 20 * 3_600_000), attempts: 5 };
    await database.updateTable('webhook_deliveries').set(far).where('endpoint_id', '=', endpoint).execute();
    clock.forward(3 * 3_600_000);
    receiver.answers(answer(200));
    ids.push(...(await makeEvents(platform, 1)));
    await receiver.hasTaken(ids);
    expect(receiver.taken).toHaveLength(11);
  });
});

describe('a receiver that wants no more', () => {
  test('says 410 once, and what waits for it is cancelled', async () => {
    const receiver = await startReceiver(answer(503));
    const endpoint = await givenEndpoint(database, { url: receiver.url, organizationId });
    await makeEvents(platform, 5);
    await expect
      .poll(
        async () => (await deliveriesTo(database, endpoint)).filter(({ attempts }) => attempts > 0).length,
      )
      .toBe(5);
    receiver.answers(answer(410));
    hurry(database);
    await expect
      .poll(async () => (await deliveriesTo(database, endpoint)).map(({ status }) => status))
      .toEqual(Array(5).fill('cancelled'));
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

describe('an event that nobody takes', () => {
  test('is given up after ten attempts, each written down', async () => {
    const receiver = await startReceiver(answer(500));
    const endpoint = await givenEndpoint(database, { url: receiver.url, organizationId });
    hurry(database);
    await makeEvents(platform, 1);
    await expect
      .poll(async () => (await deliveriesTo(database, endpoint))[0])
      .toMatchObject({ status: 'failed', attempts: 10, next_attempt_at: null });
    const [delivery] = await deliveriesTo(database, endpoint);
    const attempts = await attemptsOf(database, delivery?.id as string);
    expect(attempts.map(({ number, status }) => [number, status])).toEqual(
      Array.from({ length: 10 }, (_, index) => [index + 1, 500]),
    );
    expect(receiver.received).toHaveLength(10);
    expect(new Set(receiver.received.map(({ body }) => body.toString())).size).toBe(1);
  });
});

describe('a healthy receiver', () => {
  const percentile = (values: number[], part: number) =>
    values.toSorted((a, b) => a - b)[Math.ceil(values.length * part) - 1] as number;

  /** Makes events one after the other. @returns how long each took from its answered request to the receiver, ms */
  async function latencies(count: number): Promise<number[]> {
    const { owner } = platform;
    const receiver = await startReceiver();
    await givenEndpoint(database, { url: receiver.url, organizationId });
    const made = new Map<string, number>();
    const body = { workflowDefinitionId: world.workflowDefinition.id, parameters: {} };
    for (let number = 0; number < count; number++) {
      const answer_ = await bodyOf(201, owner.POST('/parameters', { body }));
      const { parametersId } = answer_ as { parametersId: string };
      made.set(parametersId, performance.now());
    }
    await until(() => receiver.taken.length >= count);
    expect(receiver.taken).toHaveLength(count);
    return receiver.received.map(({ event, at }) => {
      const { parametersId } = event.data as { parametersId: string };
      return at - (made.get(parametersId) as number);
    });
  }

  test('sees 200 events within 2 s, p95', async () => {
    expect(percentile(await latencies(200), 0.95)).toBeLessThan(2_000);
  });

  test('is not delayed by endpoints that never answer, redirect or are not there', async () => {
    const silent = await Promise.all([1, 2, 3].map(() => startReceiver(() => {})));
    for (const { url } of silent) await givenEndpoint(database, { url, organizationId });
    const gone = await startReceiver();
    await gone.down();
    await givenEndpoint(database, { url: gone.url, organizationId });
    expect(percentile(await latencies(100), 0.95)).toBeLessThan(2_000);
    // Each has its own places only.
    for (const { received } of silent) expect(received.length).toBeLessThanOrEqual(16);
  });
});
