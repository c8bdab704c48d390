import { randomUUID } from 'node:crypto';
import { unwrap } from '@wrp/client';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { openLogger } from '../../server/src/observability/logger.ts';
import type { Database } from '../../server/src/store/database.ts';
import { findLastEvent } from '../../server/src/store/webhook-events.ts';
import { relayEvents } from '../../server/src/store/webhook-relay.ts';
import { eventWatch } from '../../server/src/webhooks/event-polling.ts';
import { type Api, api as startApi } from '../support/api.ts';
import { problemsOf } from '../support/events.ts';
import { given as givenIn } from '../support/given.ts';
import { openClone } from '../support/postgres.ts';
import { expectRefusal } from '../support/responses.ts';
import { until } from '../support/waiting.ts';
import { isSigned } from './receiver.ts';
import { makeEvents } from './support.ts';

const platform = await startApi();
const { owner, stranger, world, clock } = platform;
const nil = '00000000-0000-0000-0000-000000000000';
const hour = 3_600_000;

interface Query {
  cursor?: string;
  since?: number;
  eventId?: string;
  size?: number;
  wait?: number;
}

const call = (query: Query, actor: Api['owner'] = owner) =>
  actor.GET('/webhooks/events', { params: { query } });
const poll = async (query: Query, actor: Api['owner'] = owner) => unwrap(call(query, actor));
const idsOf = ({ events }: { events: { id: string }[] }) => events.map(({ id }) => id);

/** Makes events and waits until the relay has given them their places. */
async function given(count: number): Promise<string[]> {
  const { nextCursor } = await poll({});
  const made = await makeEvents(platform, count);
  const listed = async () => idsOf(await poll({ cursor: nextCursor, size: 100 }));
  await until(async () => (await listed()).length === count);
  expect(new Set(await listed())).toEqual(new Set(made));
  return listed();
}

describe('pollWebhookEvents', () => {
  test('returns no events without a cursor, and later those after its cursor', async () => {
    const { events, nextCursor } = await poll({});
    expect(events).toEqual([]);
    const made = await given(3);
    const page = await poll({ cursor: nextCursor, size: 2 });
    expect(idsOf(page)).toEqual(made.slice(0, 2));
    expect(page.nextCursor).toBe(made[1]);
    const rest = await poll({ cursor: page.nextCursor, size: 2 });
    expect([idsOf(rest), rest.nextCursor]).toEqual([made.slice(2), made[2]]);
    expect(await poll({ cursor: rest.nextCursor })).toEqual({ events: [], nextCursor: made[2] });
  });

  test('returns the headers and the body of the webhook, with a signature of the environment', async () => {
    const [id] = await given(1);
    const [event] = (await poll({ eventId: id as string })).events;
    expect(event).toMatchObject({
      id,
      type: 'parameters.created',
      headers: { 'Content-Type': 'application/json', 'Webhook-Sandbox': 'true' },
    });
    const { body = '', headers } = event ?? {};
    expect(problemsOf(JSON.parse(body))).toEqual([]);
    expect(JSON.parse(body)).toMatchObject({ id, organizationId: world.organization.id });
    const signature = headers?.['Webhook-Signature'] ?? '';
    const { kid } = JSON.parse(Buffer.from(signature.split('.')[0] as string, 'base64url').toString());
    const params = { path: { keyId: kid } };
    const der = await unwrap(owner.GET('/auth/webhooks/key/{keyId}', { params, parseAs: 'text' }));
    expect(isSigned(signature, Buffer.from(body), { der })).toBe(true);
  });

  test('has the traceparent of the request that caused the event', async () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const { nextCursor } = await poll({});
    const body = { workflowDefinitionId: world.workflowDefinition.id, parameters: {} };
    await unwrap(owner.POST('/parameters', { body, headers: { traceparent } }));
    const { events } = await poll({ cursor: nextCursor, wait: 20 });
    expect(events[0]?.headers.traceparent).toBe(traceparent);
  });

  test('waits for the next event', async () => {
    const { nextCursor } = await poll({});
    const waiting = poll({ cursor: nextCursor, wait: 20 });
    const [made] = await makeEvents(platform, 1);
    expect(idsOf(await waiting)).toEqual([made]);
  });

  test('waits for no longer than requested, and not for events of other organizations', async () => {
    const { nextCursor } = await poll({}, stranger);
    const startedAt = performance.now();
    const waiting = poll({ cursor: nextCursor, wait: 1 }, stranger);
    await makeEvents(platform, 1);
    expect(await waiting).toEqual({ events: [], nextCursor });
    expect(performance.now() - startedAt).toBeGreaterThan(900);
  });

  test('lets 10 requests of an organization wait; more return at once', async () => {
    let last = 1;
    const watch = eventWatch(async () => last, openLogger('silent'));
    const { signal } = new AbortController();
    const wait = { after: 1, until: Number.POSITIVE_INFINITY, signal };
    const waiting = Array.from({ length: 10 }, () => watch.next('full', wait));
    expect(await watch.next('full', wait)).toBeUndefined();
    waiting.push(watch.next('other', wait));
    last = 2;
    expect(await Promise.all(waiting)).toEqual(Array(11).fill(2));
  });

  test('starts up to 24 hours ago', async () => {
    const [old] = await given(1);
    clock.forward(2 * hour);
    const [recent] = await given(1);
    expect(idsOf(await poll({ since: 3600, size: 100 }))).toEqual([recent]);
    expect(idsOf(await poll({ since: 3 * 3600, size: 100 }))).toEqual(expect.arrayContaining([old, recent]));
    clock.forward(23 * hour);
    const all = idsOf(await poll({ cursor: nil, size: 100 }));
    expect(all).toContain(recent);
    expect(all).not.toContain(old);
    expect(idsOf(await poll({ cursor: old as string }))).toEqual([recent]);
    expect(idsOf(await poll({ eventId: old as string }))).toEqual([]);
    expect(idsOf(await poll({ since: 0 }))).toEqual([]);
    await expectRefusal(call({ since: 86_401 }), 400, 'parameter_invalid');
  });

  test('returns each event once, in one order, while many are made at the same time', async () => {
    let { nextCursor: cursor } = await poll({});
    const making = Promise.all([
      makeEvents(platform, 20),
      makeEvents(platform, 20),
      makeEvents(platform, 20),
    ]);
    const seen: string[] = [];
    const takePage = async () => {
      const page = await poll({ cursor, size: 7, wait: 1 });
      seen.push(...idsOf(page));
      cursor = page.nextCursor;
    };
    await until(async () => {
      await takePage();
      return seen.length >= 60;
    });
    await making;
    await takePage();
    expect(seen).toHaveLength(60);
    expect(new Set(seen).size).toBe(60);
  });

  test("shows an organization no other one's events, and refuses their IDs as cursors: 400", async () => {
    const [id] = await given(1);
    expect(idsOf(await poll({ cursor: nil, size: 100 }, stranger))).toEqual([]);
    expect(idsOf(await poll({ eventId: id as string }, stranger))).toEqual([]);
    for (const cursor of [id as string, randomUUID()])
      await expectRefusal(call({ cursor }, stranger), 400, 'parameter_invalid');
  });

  test('counts as an ordinary request for the rate limit', async () => {
    const { response } = await call({});
    expect(response.headers.get('RateLimit-Policy')).toMatch(/^"requests"/);
  });
});

test('positions become visible in their order when several processes relay events', async () => {
  const { database: opened } = await openClone({ schema: 'sandbox' });
  const { organization } = (await givenIn(opened, clock)).world;
  const add = async () => {
    const [id, now] = [randomUUID(), clock.now()];
    const event = { id, type: 'user.updated', organization_id: organization.id, data: '{}', created_at: now };
    await opened.insertInto('events').values(event).execute();
    return id;
  };
  const relay = (transaction: Database) =>
    relayEvents(transaction, { now: clock.now(), limit: 10, numbered: true });
  const visible = async () => (await findLastEvent(opened, organization.id))?.id;
  const early = await add();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: relayed, resolve: markRelayed } = Promise.withResolvers<void>();
  const first = opened.transaction().execute(async (transaction) => {
    await relay(transaction);
    markRelayed();
    await released;
  });
  await relayed;
  const late = await add();
  const second = opened.transaction().execute(relay);
  const blocked = sql`select from pg_locks where locktype = 'advisory' and not granted`;
  await expect.poll(async () => (await blocked.execute(opened)).rows.length).toBeGreaterThan(0);
  expect(await visible()).toBeUndefined();
  release();
  await Promise.all([first, second]);
  const placed = await opened.selectFrom('events').select('id').orderBy('position').execute();
  expect(placed.map(({ id }) => id)).toEqual([early, late]);
});

describe('in production', () => {
  test('is refused, and events get no position: 403 sandbox_only', async () => {
    const real = await startApi({ pollable: ['sandbox'] });
    const refused = real.owner.GET('/webhooks/events', { params: { query: { since: 60 } } });
    await expectRefusal(refused, 403, 'sandbox_only');
    const [id] = await makeEvents(real, 1);
    const event = () =>
      real.database
        .selectFrom('events')
        .selectAll()
        .where('id', '=', id as string)
        .executeTakeFirst();
    await expect.poll(async () => (await event())?.relayed_at).toBeInstanceOf(Date);
    expect((await event())?.position).toBeNull();
  });
});

test('waiting polls end when the platform stops', async () => {
  const stopping = await startApi();
  const query = { wait: 20, since: 0 };
  const waiting = stopping.owner.GET('/webhooks/events', { params: { query } });
  await expect.poll(() => stopping.statements.some((text) => text.includes('"position"'))).toBe(true);
  const startedAt = performance.now();
  await stopping.close(0);
  expect(performance.now() - startedAt).toBeLessThan(query.wait * 750);
  expect((await waiting).response.status).toBe(200);
});
