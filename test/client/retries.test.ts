import {
  type ClientOptions,
  ConnectionError,
  createClient,
  downloadResource,
  TimeoutError,
  TooManyRequestsError,
  unwrap,
  type WaitOptions,
  waitForResult,
} from '@wrp/client';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { until } from '../support/waiting.ts';
import { cutOff, errorBody, failingServer, page, type Received, reset, silent } from './support.ts';

const server = await failingServer();
const client = createClient({ baseUrl: server.baseUrl, token: 'tot_1' });
const userId = '5b0e7c1a-52f4-4a0b-8a54-0d6f3c1b9a02';
const params = { path: { userId } };
const body = { workflowDefinitionId: userId };
const listUsers = (options: object = {}) => client.GET('/organizations/users', options);
const statusOf = async (call: Promise<{ response: Response }>) => (await call).response.status;
const keysOf = (requests: Received[]) => requests.map(({ headers }) => headers['idempotency-key']);

// Full jitter with a random number of 0: no backoff.
beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0));
afterEach(() => void vi.restoreAllMocks());

describe('a transient failure', () => {
  test.each([408, 429, 500, 502, 503, 504])('%i is retried', async (status) => {
    server.respondWith(status, status);
    expect(await statusOf(listUsers())).toBe(200);
    expect(server.requests).toHaveLength(3);
  });

  test.each([400, 401, 403, 404, 409, 413, 415, 422, 501])('%i is not retried', async (status) => {
    server.respondWith([status, {}, errorBody('body_invalid')]);
    expect(await statusOf(listUsers())).toBe(status);
    expect(server.requests).toHaveLength(1);
  });

  test('is returned after two retries', async () => {
    server.respondWith(503, 503, [503, {}, errorBody('service_unavailable')]);
    const { error } = await listUsers();
    expect(error?.errors[0]?.code).toBe('service_unavailable');
    expect(server.requests).toHaveLength(3);
  });

  test('is retried as often as the client or the call allows', async () => {
    server.respondWith(503, 503, 503, 503);
    expect(await statusOf(listUsers({ retries: 4 }))).toBe(200);
    server.respondWith(503);
    expect(await statusOf(listUsers({ retries: 0 }))).toBe(503);
    server.respondWith(503, 503);
    const once = createClient({ baseUrl: server.baseUrl, retries: 1 });
    expect(await statusOf(once.GET('/organizations/users'))).toBe(503);
    expect(server.requests).toHaveLength(2);
  });

  test('a reset connection is retried', async () => {
    server.respondWith(reset, reset);
    expect(await unwrap(listUsers())).toEqual(page);
  });

  test('an incomplete response is retried', async () => {
    server.respondWith(cutOff);
    expect(await unwrap(listUsers())).toEqual(page);
  });

  test('a connection error after the last retry throws a ConnectionError with its cause', async () => {
    server.respondWith(reset, reset, reset);
    const error = await listUsers().catch((caught) => caught);
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error.message).toMatch(
      /^The connection to http:\/\/127\.0\.0\.1:\d+ failed: .*(socket|ECONNRESET)/,
    );
    expect(error.cause).toBeInstanceOf(TypeError);
  });
});

describe('retries of safe requests', () => {
  test('PUT and DELETE are retried', async () => {
    server.respondWith(503);
    const role = { roleId: userId };
    await client.PUT('/organizations/users/{userId}/role', { params, body: role });
    expect(server.requests.map(({ body: sent }) => JSON.parse(sent.toString()))).toEqual([role, role]);
    server.respondWith(reset);
    const path = { workspaceId: userId, userId };
    await client.DELETE('/workspaces/{workspaceId}/memberships/{userId}', { params: { path } });
    expect(server.requests).toHaveLength(2);
  });

  test('POST is retried with one idempotency key per call', async () => {
    server.respondWith(503, reset);
    await client.POST('/workflows', { body });
    const [first, ...retried] = keysOf(server.requests);
    expect(first).toMatch(/^[\w-]{22}$/);
    expect(retried).toEqual([first, first]);
    await client.POST('/workflows', { body });
    expect(keysOf(server.requests).at(-1)).not.toBe(first);
  });

  test("the caller's own idempotency key is kept", async () => {
    server.respondWith(503);
    await client.POST('/workflows', { body, params: { header: { 'Idempotency-Key': 'mine' } } });
    await client.POST('/workflows', { body, headers: { 'Idempotency-Key': 'mine too' } });
    expect(keysOf(server.requests)).toEqual(['mine', 'mine', 'mine too']);
  });

  test('POST is retried while its first request is in progress', async () => {
    server.respondWith([409, {}, errorBody('idempotency_key_in_use')]);
    expect(await statusOf(client.POST('/workflows', { body }))).toBe(200);
    server.respondWith([409, {}, errorBody('execution_already_ended')]);
    expect(await statusOf(client.POST('/workflows', { body }))).toBe(409);
  });

  test('token operations are not retried and have no key', async () => {
    server.respondWith(503);
    const refresh = client.POST('/auth/refresh', { body: { refreshToken: 'ey' } });
    expect(await statusOf(refresh)).toBe(503);
    expect(keysOf(server.requests)).toEqual([undefined]);
  });

  test('no key is added if retries is 0', async () => {
    server.respondWith(503);
    expect(await statusOf(client.POST('/workflows', { body, retries: 0 }))).toBe(503);
    expect(keysOf(server.requests)).toEqual([undefined]);
  });
});

describe('the delay before a retry', () => {
  afterEach(() => void vi.useRealTimers());

  /** Measures each delay. All responses are immediate, and the one after the given failures succeeds. */
  async function delays(...failures: ResponseInit[]): Promise<number[]> {
    vi.useFakeTimers({
      toFake: ['setTimeout', 'clearTimeout', 'Date'],
      now: Date.parse('2026-11-19T09:00:00Z'),
    });
    const sentAt: number[] = [];
    const fetch = async () => {
      const failure = failures[sentAt.push(Date.now()) - 1];
      return failure ? new Response('{}', failure) : Response.json(page);
    };
    const retrying = createClient({ baseUrl: server.baseUrl, fetch, retries: failures.length });
    const status = statusOf(retrying.GET('/organizations/users'));
    // Not all timers: fetch has a repeating one while another test's connection is open.
    let done = false;
    void status.then(() => {
      done = true;
    });
    while (!done) await vi.advanceTimersToNextTimerAsync();
    expect(await status).toBe(200);
    return sentAt.slice(1).map((at, index) => at - (sentAt[index] ?? 0));
  }

  test('is random between 0 and a bound that doubles up to 8 seconds', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0.5);
    const failures = Array.from({ length: 6 }, () => ({ status: 503 }));
    expect(await delays(...failures)).toEqual([250, 500, 1000, 2000, 4000, 4000]);
    vi.spyOn(Math, 'random').mockReturnValue(0);
    expect(await delays(...failures)).toEqual([0, 0, 0, 0, 0, 0]);
  });

  test('is at least Retry-After, in seconds or as a date', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0.1);
    const seconds = { status: 429, headers: { 'Retry-After': '7' } };
    const date = { status: 503, headers: { 'Retry-After': 'Thu, 19 Nov 2026 09:00:27 GMT' } };
    expect(await delays(seconds)).toEqual([7_050]);
    expect(await delays(date)).toEqual([27_050]);
  });

  test('a Retry-After of more than a minute ends the retries', async () => {
    server.respondWith([429, { 'Retry-After': '61' }, errorBody('rate_limit_exceeded')]);
    const error = await unwrap(listUsers()).catch((caught) => caught);
    expect(error).toBeInstanceOf(TooManyRequestsError);
    expect(error.retryAfter).toBe(61);
  });

  test('a delay beyond the timeout ends the retries', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    server.respondWith([503, { 'Retry-After': '3' }]);
    // Time stands still: a delay would never end.
    expect(await statusOf(listUsers({ timeout: 2_000 }))).toBe(503);
    expect(server.requests).toHaveLength(1);
  });
});

describe('timeouts', () => {
  /** Captures timers of exactly this delay. It is long, so that they fire only when the test calls them. */
  function captureTimers(delay: number): (() => void)[] {
    const timers: (() => void)[] = [];
    const { setTimeout } = globalThis;
    const cleared = vi.spyOn(globalThis, 'clearTimeout');
    const capture = (fire: () => void, milliseconds?: number) => {
      const timer = setTimeout(fire, milliseconds);
      const isCleared = () => cleared.mock.calls.some(([each]) => each === timer);
      if (milliseconds === delay) timers.push(() => isCleared() || fire());
      return timer;
    };
    vi.spyOn(globalThis, 'setTimeout').mockImplementation(capture as typeof setTimeout);
    return timers;
  }
  const long = 54_321;

  test('an attempt that times out is retried', async () => {
    server.respondWith(silent, silent);
    const timers = captureTimers(long);
    const users = unwrap(listUsers({ attemptTimeout: long }));
    for (const attempts of [1, 2]) {
      await until(() => server.requests.length === attempts);
      expect(timers).toHaveLength(attempts);
      timers.at(-1)?.();
    }
    expect(await users).toEqual(page);
    expect(server.requests).toHaveLength(3);
  });

  test('the last attempt throws a TimeoutError', async () => {
    server.respondWith(silent);
    const error = await listUsers({ attemptTimeout: 50, retries: 0 }).catch((caught) => caught);
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({
      deadline: 'attempt',
      message: 'GET /organizations/users timed out after 50 ms (attemptTimeout).',
    });
  });

  test('a timeout of 0 sends nothing', async () => {
    server.respondWith();
    for (const options of [{ timeout: 0 }, { attemptTimeout: 0, retries: 0 }])
      expect(await listUsers(options).catch((caught) => caught)).toBeInstanceOf(TimeoutError);
    expect(server.requests).toHaveLength(0);
  });

  test('the message of waitForResult names the execution and its last status', async () => {
    const execution = (status: string): [number, Record<string, string>, object] => [
      200,
      {},
      { id: userId, status },
    ];
    const messageOf = async (statuses: string[], options: WaitOptions = {}) => {
      server.respondWith(...statuses.map(execution), silent);
      const timers = captureTimers(long);
      const failing = waitForResult(client, userId, { timeout: long, interval: 1, ...options }).catch(
        (caught) => caught,
      );
      if (options.timeout !== 0) await until(() => server.requests.length === statuses.length + 1);
      timers[0]?.();
      vi.restoreAllMocks();
      return (await failing).message;
    };
    const waiting = `waitForResult of ${userId}`;
    expect(await messageOf(['RUNNING'])).toBe(`${waiting} (RUNNING) timed out after 54321 ms (timeout).`);
    // While the result is read.
    expect(await messageOf(['RUNNING', 'COMPLETED'])).toBe(
      `${waiting} (COMPLETED) timed out after 54321 ms (timeout).`,
    );
    expect(await messageOf([])).toBe(`${waiting} (unread) timed out after 54321 ms (timeout).`);
    expect(await messageOf([], { timeout: 0 })).toBe(`${waiting} (unread) timed out after 0 ms (timeout).`);
  });

  test('the message does not have a followed URL, which may be secret', async () => {
    const link = `${server.baseUrl}/files/secret`;
    const error = await client.follow(link, { timeout: 0 }).catch((caught) => caught);
    expect(error.message).toBe('GET of a followed URL timed out after 0 ms (timeout).');
  });

  test('the call times out across its attempts', async () => {
    server.respondWith(503, silent);
    const timers = captureTimers(long);
    const failing = listUsers({ timeout: long }).catch((caught) => caught);
    await until(() => server.requests.length === 2);
    expect(timers).toHaveLength(1);
    timers[0]?.();
    expect(await failing).toMatchObject({
      name: 'TimeoutError',
      deadline: 'call',
      message: 'GET /organizations/users timed out after 54321 ms (timeout).',
    });
    expect(server.requests).toHaveLength(2);
  });

  test('a stalled response body times out and is retried', async () => {
    server.respondWith((response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' });
      response.write('{"content":');
    });
    let responses = 0;
    const counting = async (request: Request) => {
      const response = await fetch(request);
      responses += 1;
      return response;
    };
    const timers = captureTimers(long);
    const users = unwrap(listUsers({ attemptTimeout: long, fetch: counting }));
    await until(() => responses === 1);
    timers[0]?.();
    expect(await users).toEqual(page);
    expect(responses).toBe(2);
  });

  test('a download that has started does not time out', async () => {
    let end = () => {};
    server.respondWith((response) => {
      response.writeHead(200, { 'Content-Length': '4' });
      response.write('ab');
      end = () => void response.end('cd');
    });
    const timers = captureTimers(long);
    const to = createClient({ baseUrl: server.baseUrl, attemptTimeout: long, timeout: long });
    const download = await downloadResource(to, userId);
    expect(timers.length).toBeGreaterThan(0);
    for (const fire of timers) fire();
    end();
    expect(await new Response(download.stream).text()).toBe('abcd');
  });
});

describe('an abort by the caller', () => {
  test('during an attempt throws its reason without a retry', async () => {
    const controller = new AbortController();
    const reason = new Error('Stopped by the caller.');
    server.respondWith(() => controller.abort(reason));
    await expect(listUsers({ signal: controller.signal })).rejects.toBe(reason);
    await expect(listUsers({ signal: controller.signal })).rejects.toBe(reason);
    expect(server.requests).toHaveLength(1);
  });

  test('before the call, in the token source or in the body ends it there', async () => {
    const reason = new Error('Stopped by the caller.');
    const phases: [sent: number, options: (abort: () => void) => Partial<ClientOptions>][] = [
      [
        0,
        (abort) => ({
          token: () => {
            abort();
            return new Promise<never>(() => {});
          },
        }),
      ],
      [1, (abort) => ({ fetch: (request) => fetch(request).finally(abort) })],
    ];
    for (const [sent, optionsOf] of phases) {
      const controller = new AbortController();
      const { signal } = controller;
      const options = optionsOf(() => controller.abort(reason));
      const aborted = createClient({ baseUrl: server.baseUrl, token: 'tot_1', ...options });
      for (const expected of [sent, 0]) {
        server.respondWith((response) => void response.writeHead(200).write('{'));
        await expect(aborted.GET('/organizations/users', { signal })).rejects.toBe(reason);
        expect(server.requests).toHaveLength(expected);
      }
    }
  });

  test('during a delay ends it', async () => {
    const controller = new AbortController();
    server.respondWith([503, { 'Retry-After': '20' }]);
    const timers = vi.spyOn(globalThis, 'setTimeout');
    const delays = () => timers.mock.results.filter((_, at) => timers.mock.calls[at]?.[1] === 20_000);
    const failing = expect(listUsers({ signal: controller.signal })).rejects.toThrow('aborted');
    await until(() => delays().length === 1);
    // Without its timer, the delay would never end.
    clearTimeout(delays()[0]?.value as NodeJS.Timeout);
    controller.abort();
    await failing;
    expect(server.requests).toHaveLength(1);
  });

  test('signal and timeouts leave no timers or listeners after the response', async () => {
    const { signal } = new AbortController();
    const added = vi.spyOn(signal, 'addEventListener');
    const [set, cleared] = [vi.spyOn(globalThis, 'setTimeout'), vi.spyOn(globalThis, 'clearTimeout')];
    // These delays distinguish the client's timers from those of fetch.
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
