import type { ServerResponse } from 'node:http';
import { describe, expect, test, vi } from 'vitest';
import { api } from '../support/api.ts';
import { problemsOf } from '../support/events.ts';
import { cloneDatabase } from '../support/postgres.ts';
import { scaledTimeout } from '../support/timeout.ts';
import { until } from '../support/waiting.ts';
import { runWrp, wrpOn } from '../support/wrp.ts';
import { headerOf, respond, startReceiver } from './receiver.ts';
import {
  allRecorded,
  attempted,
  attemptsMade,
  deliveriesTo,
  eventsDeliveredTo,
  givenEndpoint,
  hurry,
  makeEvents,
  toThisMachine,
} from './support.ts';

// Every command is a process of its own.
vi.setConfig({ testTimeout: scaledTimeout(90_000) });

const shared = await cloneDatabase();
const platform = await api({ ...toThisMachine, databaseUrl: shared.connectionString });
const { database, world } = platform;
const organizationId = world.organization.id;

const wrp = wrpOn(shared.connectionString, 'webhook');
const json = async (...args: string[]) => JSON.parse((await wrp(...args, '--json')).stdout);

describe('wrp webhook', () => {
  test('lists endpoints, deliveries and attempts, for people and for programs', async () => {
    const receiver = await startReceiver();
    const endpoint = await givenEndpoint(database, {
      url: receiver.url,
      organizationId,
      types: ['parameters.created'],
    });
    const [event] = await makeEvents(platform, 1);
    await receiver.hasTaken([event as string]);
    await allRecorded(database, endpoint);

    const [entry] = await json('endpoints');
    expect(entry).toMatchObject({
      id: endpoint,
      organization: { id: organizationId },
      url: receiver.url,
      events: ['parameters.created'],
      disabledDateTime: null,
      failingSince: null,
    });
    const endpoints = await wrp('endpoints');
    expect(endpoints.stdout).toMatch(/^ID +ORGANIZATION +URL +EVENTS +STATE +OPEN\n/);
    expect(endpoints.stdout).toMatch(new RegExp(`^${endpoint} .* parameters.created +ok +0$`, 'm'));

    const [delivery] = await json('deliveries', '--endpoint', endpoint, '--type', 'parameters.created');
    expect(delivery).toMatchObject({
      endpointId: endpoint,
      status: 'delivered',
      attempts: 1,
      lastOutcome: '204',
      event: { id: event, type: 'parameters.created', test: false },
    });
    expect(await json('deliveries', '--endpoint', endpoint, '--status', 'failed')).toEqual([]);
    const attempts = await wrp('attempts', delivery.id);
    expect(attempts.stdout).toMatch(/^NUMBER +AT +MILLISECONDS +STATUS +ERROR\n +1 +\S+ +\d+ +204 +-\n$/);
  });

  test('disables and enables an endpoint, and delivers what was cancelled with the same event id', async () => {
    const receiver = await startReceiver(respond(500));
    const endpoint = await givenEndpoint(database, { url: receiver.url, organizationId });
    const ids = await makeEvents(platform, 2);
    await attempted(database, endpoint, 2);
    expect((await wrp('disable', endpoint)).stderr).toBe('The endpoint is disabled.\n');
    expect((await wrp('disable', endpoint)).stderr).toBe('The endpoint was already disabled.\n');
    expect(
      (await json('deliveries', '--endpoint', endpoint)).map(({ status }: { status: string }) => status),
    ).toEqual(['cancelled', 'cancelled']);
    for (const command of [['test'], ['redeliver', '--endpoint']]) {
      const { status, stderr } = await wrp(...command, endpoint);
      expect([status, stderr]).toEqual([1, 'The endpoint is disabled: enable it first.\n']);
    }
    receiver.responds(respond(204));
    expect((await wrp('enable', endpoint)).stderr).toMatch(/^The endpoint is enabled\.\n/);
    expect((await wrp('redeliver', '--endpoint', endpoint)).stderr).toMatch(/^2 queued for redelivery/);
    await receiver.hasTaken(ids);
  });

  test('sends a delivery that succeeded again, by its id', async () => {
    const receiver = await startReceiver();
    const endpoint = await givenEndpoint(database, { url: receiver.url, organizationId });
    const ids = await makeEvents(platform, 1);
    await receiver.hasTaken(ids);
    await allRecorded(database, endpoint);
    const [delivery] = await deliveriesTo(database, endpoint);
    expect(await json('redeliver', delivery?.id as string)).toEqual({ deliveryIds: [delivery?.id] });
    await expect.poll(() => receiver.taken.length).toBe(2);
    const [first, second] = receiver.received;
    expect(second?.body.equals(first?.body as Buffer)).toBe(true);
    await expect
      .poll(() => deliveriesTo(database, endpoint))
      .toMatchObject([{ status: 'delivered', attempts: 2 }]);
  });

  test('accepts a 2xx of an attempt that was in progress when redelivery was requested', async () => {
    const held: ServerResponse[] = [];
    const receiver = await startReceiver((response) => void held.push(response));
    const endpoint = await givenEndpoint(database, { url: receiver.url, organizationId });
    await makeEvents(platform, 1);
    await until(async () => held.length === 1);
    await wrp('redeliver', '--endpoint', endpoint);
    await until(async () => held.length === 2);
    const [first, second] = held;
    second?.writeHead(503).end();
    await attemptsMade(database, endpoint, 1);
    first?.writeHead(204).end();
    await allRecorded(database, endpoint);
  });

  test('gives a failed delivery a whole new schedule', async () => {
    const receiver = await startReceiver(respond(503));
    const endpoint = await givenEndpoint(database, { url: receiver.url, organizationId });
    hurry(database);
    await makeEvents(platform, 1);
    await attemptsMade(database, endpoint, 10);
    expect(await deliveriesTo(database, endpoint)).toMatchObject([{ status: 'failed', attempts: 10 }]);
    await wrp('redeliver', '--endpoint', endpoint);
    await attemptsMade(database, endpoint, 20);
    expect(await deliveriesTo(database, endpoint)).toMatchObject([{ status: 'failed', attempts: 20 }]);
  });

  test('sends a marked test event of any type to one endpoint, and prints the response', async () => {
    const [receiver, other] = [await startReceiver(respond(202)), await startReceiver()];
    const endpoint = await givenEndpoint(database, { url: receiver.url, organizationId });
    const otherEndpoint = await givenEndpoint(database, { url: other.url, organizationId });
    expect((await wrp('test', endpoint)).stderr).toMatch(/^Response 202 after \d+ ms\.\n$/);
    const { eventId, attempt } = await json('test', endpoint, '--type', 'link.used');
    expect(attempt).toMatchObject({ number: 1, status: 202, error: null });
    expect(receiver.received.map(({ event }) => event.type)).toEqual(['workflow.started', 'link.used']);
    for (const { event, headers } of receiver.received) {
      expect(problemsOf(event)).toEqual([]);
      expect(event.organizationId).toBe(organizationId);
      expect(headers['webhook-sandbox']).toBe('true');
    }
    expect(receiver.received[1]?.event.id).toBe(eventId);
    expect(await eventsDeliveredTo(database, otherEndpoint)).toEqual([]);
    expect(other.received).toEqual([]);
    receiver.responds(respond(500));
    const failed = await wrp('test', endpoint, '--type', 'user.updated');
    expect(failed.status).toBe(1);
    expect(failed.stderr).toMatch(
      /^Response 500 after \d+ ms\.\nThe delivery is retried: wrp webhook attempts /,
    );
  });

  test('explains why it cannot listen', async () => {
    const listen = (env: NodeJS.ProcessEnv, ...args: string[]) =>
      runWrp(['webhook', 'listen', ...args], { env });
    const to = ['--to', 'http://127.0.0.1:9/'];
    const { status, stderr } = await listen(
      { WRP_BASE_URL: platform.baseUrl, WRP_TOKEN: 'tot_unknown' },
      ...to,
    );
    expect([status, stderr]).toEqual([1, expect.stringMatching(/ does not accept the token\. /)]);
    expect((await listen({}, ...to)).stderr).toMatch(/^Set WRP_TOKEN /);
    expect((await listen({})).status).toBe(2);
  });

  test('rotates the keys of a running platform', async () => {
    const receiver = await startReceiver();
    await givenEndpoint(database, { url: receiver.url, organizationId });
    await receiver.hasTaken(await makeEvents(platform, 1));
    const { retired } = await json('rotate-keys');
    const kidOf = (index: number) =>
      headerOf(String(receiver.received.at(index)?.headers['webhook-signature'])).kid;
    expect(retired).toEqual([{ id: kidOf(0), servedUntil: expect.stringMatching(/Z$/) }]);
    await expect
      .poll(
        async () => {
          await receiver.hasTaken(await makeEvents(platform, 1));
          return kidOf(-1) !== kidOf(0);
        },
        { interval: 500 },
      )
      .toBe(true);
  });

  test.each([
    ['an unknown endpoint', ['enable', '5e8f7a6b-1c2d-4e3f-8a4b-5c6d7e8f9a01'], /^There is no endpoint 5e8f/],
    ['no identifier', ['attempts', 'x'], /^There is no delivery x in production\.\n$/],
    [
      'an unknown delivery',
      ['redeliver', '5e8f7a6b-1c2d-4e3f-8a4b-5c6d7e8f9a01'],
      /^There is no such delivery/,
    ],
    [
      'an unknown endpoint to redeliver to',
      ['redeliver', '--endpoint', '5e8f7a6b-1c2d-4e3f-8a4b-5c6d7e8f9a01'],
      /^There is no endpoint 5e8f/,
    ],
    [
      'deliveries to an unknown endpoint',
      ['deliveries', '--endpoint', '5e8f7a6b-1c2d-4e3f-8a4b-5c6d7e8f9a01'],
      /^There is no endpoint 5e8f/,
    ],
  ])('reports a failure in one line and exits with 1: %s', async (_what, args, line) => {
    const { status, stdout, stderr } = await wrp(...args);
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(line);
  });

  test.each([
    ['deliveries', '--type', 'moon.rise'],
    ['test', '5e8f7a6b-1c2d-4e3f-8a4b-5c6d7e8f9a01', '--type', 'moon.rise'],
  ])('%s refuses an unknown event type as wrong usage', async (...args) => {
    const { status, stdout, stderr } = await wrp(...args);
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^moon\.rise is not an event type of the contract: workflow\.started, /);
  });

  test.each([
    ['nothing', []],
    ['deliveries and an endpoint', ['x', '--endpoint', 'y']],
  ])('redeliver with %s exits with 2', async (_what, args) => {
    const { status, stdout, stderr } = await wrp('redeliver', ...args);
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^error: name deliveries, or an endpoint with --endpoint\n\(add --help/);
  });
});
