import {
  ConnectionError,
  createClient,
  downloadResource,
  TimeoutError,
  TooManyRequestsError,
  unwrap,
} from '@wrp/client';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { until } from '../support/waiting.ts';
import { cutOff, faultyServer, page, refusal, reset, type Seen, silent } from './support.ts';

const server = await faultyServer();
const client = createClient({ baseUrl: server.baseUrl, token: 'tot_1' });
const userId = '5b0e7c1a-52f4-4a0b-8a54-0d6f3c1b9a02';
const params = { path: { userId } };
const body = { workflowDefinitionId: userId };
const listUsers = (options: object = {}) => client.GET('/organizations/users', options);
const statusOf = async (answer: Promise<{ response: Response }>) => (await answer).response.status;
const keysOf = (seen: Seen[]) => seen.map(({ headers }) => headers['idempotency-key']);

// No backoff, unless a test is about it: full jitter begins at nothing.
beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0));
afterEach(() => void vi.restoreAllMocks());

describe('a failure that may pass', () => {
  test.each([408, 429, 500, 502, 503, 504])('%i is tried again', async (status) => {
    server.answers(status, status);
    expect(await statusOf(listUsers())).toBe(200);
    expect(server.seen).toHaveLength(3);
  });

  test.each([400, 401, 403, 404, 409, 413, 415, 422, 501])('%i is the answer', async (status) => {
    server.answers([status, {}, refusal('body_invalid')]);
    expect(await statusOf(listUsers())).toBe(status);
    expect(server.seen).toHaveLength(1);
  });

  test('is tried twice again, and then is the answer', async () => {
    server.answers(503, 503, [503, {}, refusal('service_unavailable')]);
    const { error } = await listUsers();
    expect(error?.errors[0]?.code).toBe('service_unavailable');
    expect(server.seen).toHaveLength(3);
  });

  test('is tried as often as the client, or the call, says', async () => {
    server.answers(503, 503, 503, 503);
    expect(await statusOf(listUsers({ retries: 4 }))).toBe(200);
    server.answers(503);
    expect(await statusOf(listUsers({ retries: 0 }))).toBe(503);
    server.answers(503, 503);
    const once = createClient({ baseUrl: server.baseUrl, retries: 1 });
    expect(await statusOf(once.GET('/organizations/users'))).toBe(503);
    expect(server.seen).toHaveLength(2);
  });

  test('a connection that is reset is opened again', async () => {
    server.answers(reset, reset);
    expect(await unwrap(listUsers())).toEqual(page);
  });

  test('an answer that breaks off is asked for again', async () => {
    server.answers(cutOff);
    expect(await unwrap(listUsers())).toEqual(page);
  });

  test('a connection that stays broken is a ConnectionError with its cause', async () => {
    server.answers(reset, reset, reset);
    const error = await listUsers().catch((caught) => caught);
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error.message).toMatch(/^The connection failed: .*(socket|ECONNRESET)/);
    expect(error.cause).toBeInstanceOf(TypeError);
  });
});

describe('what is safe to repeat', () => {
  test('PUT and DELETE are', async () => {
    server.answers(503);
    const role = { roleId: userId };
    await client.PUT('/organizations/users/{userId}/role', { params, body: role });
    expect(server.seen.map(({ body: sent }) => JSON.parse(sent.toString()))).toEqual([role, role]);
    server.answers(reset);
    const path = { workspaceId: userId, userId };
    await client.DELETE('/workspaces/{workspaceId}/memberships/{userId}', { params: { path } });
    expect(server.seen).toHaveLength(2);
  });

  test('POST is, with a key that is the same for every attempt and new for every call', async () => {
    server.answers(503, reset);
    await client.POST('/workflows', { body });
    const [first, ...repeats] = keysOf(server.seen);
    expect(first).toMatch(/^[0-9a-f]{32}$/);
    expect(repeats).toEqual([first, first]);
    await client.POST('/workflows', { body });
    expect(keysOf(server.seen).at(-1)).not.toBe(first);
  });

  test("a caller's own key stands", async () => {
    server.answers(503);
    await client.POST('/workflows', { body, params: { header: { 'Idempotency-Key': 'mine' } } });
    await client.POST('/workflows', { body, headers: { 'Idempotency-Key': 'mine too' } });
    expect(keysOf(server.seen)).toEqual(['mine', 'mine', 'mine too']);
  });

  test('POST whose first request is still under way is asked again', async () => {
    server.answers([409, {}, refusal('idempotency_key_in_use')]);
    expect(await statusOf(client.POST('/workflows', { body }))).toBe(200);
    server.answers([409, {}, refusal('execution_already_ended')]);
    expect(await statusOf(client.POST('/workflows', { body }))).toBe(409);
  });

  test('the token operations are not, and get no key', async () => {
    server.answers(503);
    const refreshed = client.POST('/auth/refresh', { body: { refreshToken: 'ey' } });
    expect(await statusOf(refreshed)).toBe(503);
    expect(keysOf(server.seen)).toEqual([undefined]);
  });

  test('without retries no key is added', async () => {
    server.answers(503);
    expect(await statusOf(client.POST('/workflows', { body, retries: 0 }))).toBe(503);
    expect(keysOf(server.seen)).toEqual([undefined]);
  });
});

describe('the pause before a repeat', () => {
  afterEach(() => void vi.useRealTimers());

  /** How long each pause was, when answers come at once; the last one is good. */
  async function pauses(...refusals: ResponseInit[]): Promise<number[]> {
    vi.useFakeTimers({
      toFake: ['setTimeout', 'clearTimeout', 'Date'],
      now: Date.parse('2026-11-19T09:00:00Z'),
    });
    const sentAt: number[] = [];
    const fetch = async () => {
      const refused = refusals[sentAt.push(Date.now()) - 1];
      return refused ? new Response('{}', refused) : Response.json(page);
    };
    const patient = createClient({ baseUrl: server.baseUrl, fetch, retries: refusals.length });
    const answer = patient.GET('/organizations/users');
    // Not all timers: fetch keeps one of its own going for as long as a connection of another test is open.
    const status = statusOf(answer);
    let answered = false;
    void status.then(() => {
      answered = true;
    });
    while (!answered) await vi.advanceTimersToNextTimerAsync();
    expect(await status).toBe(200);
    return sentAt.slice(1).map((at, index) => at - (sentAt[index] ?? 0));
  }

  test('grows twofold, to 8 seconds, anywhere between nothing and that', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0.5);
    const refusals = Array.from({ length: 6 }, () => ({ status: 503 }));
    expect(await pauses(...refusals)).toEqual([250, 500, 1000, 2000, 4000, 4000]);
    vi.spyOn(Math, 'random').mockReturnValue(0);
    expect(await pauses(...refusals)).toEqual([0, 0, 0, 0, 0, 0]);
  });

  test('is at least what Retry-After says, in seconds or as a date', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0.1);
    const seconds = { status: 429, headers: { 'Retry-After': '7' } };
    const date = { status: 503, headers: { 'Retry-After': 'Thu, 19 Nov 2026 09:00:27 GMT' } };
    expect(await pauses(seconds)).toEqual([7_050]);
    expect(await pauses(date)).toEqual([27_050]);
  });

  test('is not taken where Retry-After asks for more than a minute', async () => {
    server.answers([429, { 'Retry-After': '61' }, refusal('rate_limit_exceeded')]);
    const error = await unwrap(listUsers()).catch((caught) => caught);
    expect(error).toBeInstanceOf(TooManyRequestsError);
    expect(error.retryAfter).toBe(61);
  });

  test('is not taken where it would end after the deadline', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    server.answers([503, { 'Retry-After': '3' }]);
    // No time passes here: a pause would never end.
    expect(await statusOf(listUsers({ timeout: 2_000 }))).toBe(503);
    expect(server.seen).toHaveLength(1);
  });
});

describe('deadlines', () => {
  /** Deadlines of so many milliseconds, which is long: they pass when a test rings them, not while a machine is slow. */
  function heldDeadlines(held: number): (() => void)[] {
    const rings: (() => void)[] = [];
    const { setTimeout } = globalThis;
    const cleared = vi.spyOn(globalThis, 'clearTimeout');
    const hold = (ring: () => void, milliseconds?: number) => {
      const timer = setTimeout(ring, milliseconds);
      const isOff = () => cleared.mock.calls.some(([one]) => one === timer);
      if (milliseconds === held) rings.push(() => isOff() || ring());
      return timer;
    };
    vi.spyOn(globalThis, 'setTimeout').mockImplementation(hold as typeof setTimeout);
    return rings;
  }
  const long = 54_321;

  test('an attempt that is not answered in time is made again', async () => {
    server.answers(silent, silent);
    const rings = heldDeadlines(long);
    const answer = unwrap(listUsers({ attemptTimeout: long }));
    for (const attempts of [1, 2]) {
      await until(() => server.seen.length === attempts);
      expect(rings).toHaveLength(attempts);
      rings.at(-1)?.();
    }
    expect(await answer).toEqual(page);
    expect(server.seen).toHaveLength(3);
  });

  test('the last one is a TimeoutError of the attempt', async () => {
    server.answers(silent);
    const error = await listUsers({ attemptTimeout: 50, retries: 0 }).catch((caught) => caught);
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({ deadline: 'attempt', message: expect.stringContaining('50 ms') });
  });

  test('one that is over already lets nothing be sent', async () => {
    server.answers();
    for (const options of [{ timeout: 0 }, { attemptTimeout: 0, retries: 0 }])
      expect(await listUsers(options).catch((caught) => caught)).toBeInstanceOf(TimeoutError);
    expect(server.seen).toHaveLength(0);
  });

  test('the whole call has one of its own', async () => {
    server.answers(503, silent);
    const rings = heldDeadlines(long);
    const failing = listUsers({ timeout: long }).catch((caught) => caught);
    await until(() => server.seen.length === 2);
    expect(rings).toHaveLength(1);
    rings[0]?.();
    expect(await failing).toMatchObject({ name: 'TimeoutError', deadline: 'call' });
    expect(server.seen).toHaveLength(2);
  });

  test('a body that stands still is an attempt that is not answered', async () => {
    server.answers((response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' });
      response.write('{"content":');
    });
    let begun = 0;
    const fetched = async (request: Request) => {
      const response = await fetch(request);
      begun += 1;
      return response;
    };
    const rings = heldDeadlines(long);
    const answer = unwrap(listUsers({ attemptTimeout: long, fetch: fetched }));
    await until(() => begun === 1);
    rings[0]?.();
    expect(await answer).toEqual(page);
    expect(begun).toBe(2);
  });

  test('a download that has begun does not end when they pass', async () => {
    let end = () => {};
    server.answers((response) => {
      response.writeHead(200, { 'Content-Length': '4' });
      response.write('ab');
      end = () => void response.end('cd');
    });
    const rings = heldDeadlines(long);
    const to = createClient({ baseUrl: server.baseUrl, attemptTimeout: long, timeout: long });
    const download = await downloadResource(to, userId);
    expect(rings.length).toBeGreaterThan(0);
    for (const ring of rings) ring();
    end();
    expect(await new Response(download.stream).text()).toBe('abcd');
  });
});

describe('a caller that gives up', () => {
  test('during an attempt gets its own reason, and nothing is repeated', async () => {
    const controller = new AbortController();
    const reason = new Error('The user left.');
    server.answers(() => controller.abort(reason));
    await expect(listUsers({ signal: controller.signal })).rejects.toBe(reason);
    await expect(listUsers({ signal: controller.signal })).rejects.toBe(reason);
    expect(server.seen).toHaveLength(1);
  });

  test('during a pause does not wait for its end', async () => {
    const controller = new AbortController();
    server.answers([503, { 'Retry-After': '20' }]);
    const timers = vi.spyOn(globalThis, 'setTimeout');
    const pauses = () => timers.mock.results.filter((_, at) => timers.mock.calls[at]?.[1] === 20_000);
    const failing = expect(listUsers({ signal: controller.signal })).rejects.toThrow('aborted');
    await until(() => pauses().length === 1);
    // A call that waited for it would never end.
    clearTimeout(pauses()[0]?.value as NodeJS.Timeout);
    controller.abort();
    await failing;
    expect(server.seen).toHaveLength(1);
  });

  test('after the answer leaves no timer and no listener behind', async () => {
    const { signal } = new AbortController();
    const added = vi.spyOn(signal, 'addEventListener');
    const [set, cleared] = [vi.spyOn(globalThis, 'setTimeout'), vi.spyOn(globalThis, 'clearTimeout')];
    // By their length they are told from those that fetch sets for itself.
    const deadlines = { timeout: 76_543, attemptTimeout: 54_321 };
    await Promise.all(Array.from({ length: 10 }, () => listUsers({ signal, ...deadlines })));
    const ours = set.mock.results.filter((_, at) =>
      Object.values(deadlines).includes(Number(set.mock.calls[at]?.[1])),
    );
    expect(ours).toHaveLength(20);
    const offs = cleared.mock.calls.map(([timer]) => timer);
    for (const { value } of ours) expect(offs).toContain(value);
    expect(added).not.toHaveBeenCalled();
  });
});
