/** What a caller sees of a call: log, hooks, identification; and defaults from the environment. */
import { createClient, type Logger, type Retry } from '@wrp/client';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import manifest from '../../client/package.json' with { type: 'json' };
import { version } from '../../generated/version.ts';
import { errorBody, failingServer, page, reset } from './support.ts';

const server = await failingServer();
const { baseUrl } = server;
const secret = `tot_${'a'.repeat(38)}`;
const jwt = 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl';

// Full jitter with a random number of 0: no backoff.
beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0));
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

function recorder() {
  const lines: [level: string, message: string, details?: object][] = [];
  const at = (level: string) => (message: string, details?: object) =>
    void lines.push(details ? [level, message, details] : [level, message]);
  const logger: Logger = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
  return { logger, lines };
}

describe('the log', () => {
  test('has retries and calls without a response by default', async () => {
    const { logger, lines } = recorder();
    const client = createClient({ baseUrl, logger });
    server.respondWith(503, reset);
    await client.GET('/organizations/users');
    server.respondWith(reset);
    await client.GET('/organizations/roles', { retries: 0 }).catch(() => {});
    expect(lines).toEqual([
      ['warn', `GET ${baseUrl}/organizations/users: retry 1 of 2 in 0 ms after 503`],
      [
        'warn',
        expect.stringMatching(/users: retry 2 of 2 in 0 ms after ConnectionError: The connection to http/),
      ],
      ['error', expect.stringMatching(/roles: ConnectionError: The connection to http/)],
    ]);
  });

  test('has responses at info, with the request ID', async () => {
    const { logger, lines } = recorder();
    server.respondWith([200, { 'Request-Id': 'r1' }, page]);
    await createClient({ baseUrl, logger, logLevel: 'info' }).GET('/organizations/users');
    expect(lines).toEqual([
      ['info', expect.stringMatching(/^GET http:\S+\/organizations\/users: 200 in \d+ ms, request r1$/)],
    ]);
  });

  test('has requests and headers at debug, without credentials', async () => {
    const { logger, lines } = recorder();
    const headers = { 'X-Api-Key': 'key-1', Cookie: 'session=1' };
    const client = createClient({ baseUrl, token: secret, headers, logger, logLevel: 'debug' });
    server.respondWith([
      200,
      { 'Set-Cookie': 'session=2', Location: 'https://files.example/1?signature=s1' },
      page,
    ]);
    await client.GET('/organizations/users');
    const [[level, message, details] = []] = lines;
    expect([level, message]).toEqual(['debug', `GET ${baseUrl}/organizations/users`]);
    expect(details).toMatchObject({ headers: { authorization: '***', 'x-api-key': '***' } });
    const all = JSON.stringify(lines);
    for (const leaked of [secret, 'key-1', 'session=1', 'session=2', 's1']) expect(all).not.toContain(leaked);
  });

  test('has no tokens and no secrets of links', async () => {
    const { logger, lines } = recorder();
    const client = createClient({ baseUrl, token: 'tot_1', logger, logLevel: 'debug', retries: 0 });
    await client.follow(`${baseUrl}/links/one-time-secret?expires=1&signature=s1`);
    await client.GET(
      `/links/one-time-secret?X-Amz-Signature=s1&access_token=${jwt}` as '/organizations/users',
    );
    await client.GET(`/${secret}/${jwt}` as '/organizations/users');
    const failing = createClient({
      baseUrl,
      logger,
      retries: 0,
      fetch: () => Promise.reject(new Error(`refused ${secret}`)),
    });
    await failing.GET('/organizations/users').catch(() => {});
    expect(lines).toHaveLength(7);
    const all = JSON.stringify(lines);
    for (const leaked of [secret, jwt, 'one-time-secret', '=s1']) expect(all).not.toContain(leaked);
  });

  test('never has bodies', async () => {
    const { logger, lines } = recorder();
    const client = createClient({ baseUrl, logger, logLevel: 'debug' });
    const body = { refreshToken: 'a secret of the body' };
    server.respondWith([200, {}, body]);
    await client.POST('/auth/refresh', { body });
    expect(JSON.stringify(lines)).not.toContain('a secret of the body');
  });

  test('is silent by default and with off, and goes to the console with a level alone', async () => {
    const { logger, lines } = recorder();
    const info = vi.spyOn(console, 'info').mockImplementation(() => {});
    await createClient({ baseUrl }).GET('/organizations/users');
    await createClient({ baseUrl, logger, logLevel: 'off' }).GET('/organizations/users');
    expect(lines).toEqual([]);
    expect(info).not.toHaveBeenCalled();
    await createClient({ baseUrl, logLevel: 'info' }).GET('/organizations/users');
    expect(info).toHaveBeenCalledOnce();
  });
});

describe('the hooks', () => {
  test('see each attempt as it is sent, and may set headers', async () => {
    const seen: [string | null, number][] = [];
    const client = createClient({
      baseUrl,
      token: 'tot_1',
      beforeRequest: async ({ headers }, { retryCount }) => {
        seen.push([headers.get('Authorization'), retryCount]);
        headers.set('traceparent', `attempt ${retryCount}`);
      },
    });
    server.respondWith(503);
    await client.GET('/organizations/users');
    expect(seen).toEqual([
      ['tot_1', 0],
      ['tot_1', 1],
    ]);
    expect(server.requests.map(({ headers }) => headers['traceparent'])).toEqual(['attempt 0', 'attempt 1']);
  });

  test('see the reason of each retry', async () => {
    const retries: Retry[] = [];
    const client = createClient({ baseUrl, onRetry: (retry) => void retries.push(retry) });
    server.respondWith(503, reset);
    await client.GET('/organizations/users');
    expect(retries.map(({ retryCount, delay, response }) => [retryCount, delay, response?.status])).toEqual([
      [1, 0, 503],
      [2, 0, undefined],
    ]);
    expect(retries[1]?.error).toMatchObject({ name: 'ConnectionError' });
  });

  test('end the call if they throw', async () => {
    const client = createClient({
      baseUrl,
      beforeRequest: () => {
        throw new Error('not now');
      },
    });
    server.respondWith();
    await expect(client.GET('/organizations/users')).rejects.toThrow('not now');
    expect(server.requests).toHaveLength(0);
  });
});

describe('the identification', () => {
  test('is the User-Agent: version, runtime and retry', async () => {
    expect(version).toBe(manifest.version);
    server.respondWith(503);
    await createClient({ baseUrl }).GET('/organizations/users');
    const runtime = `node/${process.versions.node}`;
    expect(server.requests.map(({ headers }) => headers['user-agent'])).toEqual([
      `wrp-client/${version} (${runtime}; retry 0)`,
      `wrp-client/${version} (${runtime}; retry 1)`,
    ]);
  });

  test("is X-Wrp-Client in browsers, and is not sent to a link's host", async () => {
    vi.stubGlobal('process', undefined);
    const client = createClient({ baseUrl });
    server.respondWith();
    await client.GET('/organizations/users');
    await client.follow(`${baseUrl}/files/1`);
    vi.unstubAllGlobals();
    expect(server.requests.map(({ headers }) => headers['x-wrp-client'])).toEqual([
      `wrp-client/${version} (browser; retry 0)`,
      undefined,
    ]);
  });

  test("leaves the caller's own User-Agent", async () => {
    server.respondWith();
    await createClient({ baseUrl, headers: { 'User-Agent': 'mine' } }).GET('/organizations/users');
    expect(server.requests[0]?.headers['user-agent']).toBe('mine');
  });
});

describe('the environment', () => {
  const sentToken = () => server.requests.at(-1)?.headers.authorization;

  test('gives the URL and the token; explicit options take precedence', async () => {
    vi.stubEnv('WRP_BASE_URL', baseUrl);
    vi.stubEnv('WRP_TOKEN', 'tot_environment');
    vi.stubEnv('WRP_API_KEY', 'key');
    vi.stubEnv('WRP_API_SECRET', 'secret');
    await createClient().GET('/organizations/users');
    expect(sentToken()).toBe('tot_environment');
    await createClient({ token: 'tot_option' }).GET('/organizations/users');
    expect(sentToken()).toBe('tot_option');
    await createClient({ token: null }).GET('/organizations/users');
    expect(sentToken()).toBeUndefined();
    expect(() => createClient({ baseUrl: 'example' })).toThrow('but is "example"');
  });

  test('signs in with an API key if there is no token', async () => {
    vi.stubEnv('WRP_TOKEN', '');
    vi.stubEnv('WRP_API_KEY', 'key');
    vi.stubEnv('WRP_API_SECRET', 'secret');
    server.respondWith([200, {}, { accessToken: 'ey1', refreshToken: 'ey2', expiryDuration: 600 }]);
    await createClient({ baseUrl }).GET('/organizations/users');
    expect(JSON.parse(server.requests[0]?.body.toString() ?? '')).toEqual({ key: 'key', secret: 'secret' });
    expect(sentToken()).toBe('Bearer ey1');
  });

  test('may be missing or denied', async () => {
    expect(() => createClient()).toThrow('baseUrl is missing. Pass it, or set WRP_BASE_URL.');
    const denied = {
      get env(): never {
        throw new Error('Requires env access');
      },
    };
    for (const each of [undefined, {}, denied]) {
      vi.stubGlobal('process', each);
      expect(() => createClient()).toThrow('baseUrl is missing');
    }
  });

  test('is not read by the webhook verifier, whose key endpoint is public', async () => {
    vi.stubEnv('WRP_TOKEN', 'tot_environment');
    server.respondWith([403, {}, errorBody('permission_denied')]);
    await createClient({ baseUrl }).GET('/auth/webhooks/key/{keyId}', {
      params: { path: { keyId: '1' } },
      parseAs: 'text',
    });
    expect(sentToken()).toBeUndefined();
  });
});
