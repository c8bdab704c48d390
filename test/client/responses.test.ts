import {
  ApiError,
  BadGatewayError,
  ConnectionError,
  createClient,
  downloadResource,
  ResponseParseError,
  unwrap,
} from '@wrp/client';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { type ErrorResponse, errorBody, failingServer, page } from './support.ts';

const server = await failingServer();
const client = createClient({ baseUrl: server.baseUrl, token: 'tot_1', retries: 0 });
const listUsers = () => client.GET('/organizations/users');
const html: ErrorResponse = (response) =>
  void response.writeHead(502, { 'Content-Type': 'text/html' }).end('<h1>Bad Gateway</h1>');

describe('an error response', () => {
  test.each<[string, ErrorResponse]>([
    ['an empty body', [502, { 'Content-Length': '0' }]],
    ['an empty body without Content-Length', (response) => void response.writeHead(502).end()],
    ['an HTML page', html],
    ['JSON from another server', [502, {}, { message: 'no healthy upstream' }]],
    ['null', [502, {}, null]],
  ])('with %s yields an error object without errors', async (_body, response) => {
    server.respondWith(response, response);
    const { data, error } = await listUsers();
    expect(data).toBeUndefined();
    expect(error).toEqual({ fingerprint: '', errors: [] });
    const thrown = await unwrap(listUsers()).catch((caught) => caught);
    expect(thrown).toBeInstanceOf(BadGatewayError);
    expect(thrown).toMatchObject({ code: undefined, fingerprint: undefined, errors: [] });
  });

  test('from the platform yields its error body', async () => {
    server.respondWith([404, {}, errorBody('user_not_found')]);
    expect((await listUsers()).error).toEqual(errorBody('user_not_found'));
  });

  test('takes the fingerprint from the Request-Id header if there is no body', async () => {
    server.respondWith([502, { 'Request-Id': 'r1', 'Content-Length': '0' }]);
    expect((await listUsers()).error).toEqual({ fingerprint: 'r1', errors: [] });
  });

  test('from a followed URL yields its body unchanged', async () => {
    server.respondWith(html, [502, { 'Content-Length': '0' }]);
    expect((await client.follow(`${server.baseUrl}/file`)).error).toBe('<h1>Bad Gateway</h1>');
    expect((await client.follow(`${server.baseUrl}/file`)).error).toEqual({ fingerprint: '', errors: [] });
  });

  test('304 throws an ApiError with status 304', async () => {
    server.respondWith((response) => void response.writeHead(304, { ETag: '"1"' }).end());
    const headers = { 'If-None-Match': '"1"' };
    const unchanged = await downloadResource(client, 'r', { headers }).catch((caught) => caught);
    expect(server.requests[0]?.headers['if-none-match']).toBe('"1"');
    expect(unchanged).toBeInstanceOf(ApiError);
    expect(unchanged.status).toBe(304);
    server.respondWith((response) => void response.writeHead(304).end());
    const params = { path: { resourceId: 'r' } };
    const { error } = await client.GET('/resources/{resourceId}', { params, headers, parseAs: 'blob' });
    expect(error).toEqual({ fingerprint: '', errors: [] });
  });
});

describe('a successful response that is not JSON', () => {
  const signIn = '<title>Sign in</title>';

  test.each([
    ['with Content-Length', { 'Content-Length': String(signIn.length) }],
    ['without Content-Length', {}],
  ])('throws a ResponseParseError with its URL and media type, %s', async (_case, headers) => {
    const sent = { 'Content-Type': 'text/html', 'Request-Id': 'r1', ...headers };
    server.respondWith((response) => void response.writeHead(200, sent).end(signIn));
    const error = await listUsers().catch((caught) => caught);
    expect(error).toBeInstanceOf(ResponseParseError);
    expect(error).toBeInstanceOf(SyntaxError);
    expect(error).toMatchObject({ name: 'ResponseParseError', status: 200, requestId: 'r1' });
    expect(error.message).toMatch(/^HTTP 200 from http.*\/organizations\/users is not JSON \(text\/html\): /);
    expect(error.response.headers.get('Request-Id')).toBe('r1');
  });

  test('is not retried', async () => {
    server.respondWith((response) => void response.writeHead(200).end(signIn));
    const retrying = createClient({ baseUrl: server.baseUrl });
    await expect(retrying.GET('/organizations/users')).rejects.toThrow(ResponseParseError);
    expect(server.requests).toHaveLength(1);
  });
});

describe('createClient', () => {
  const fetch = vi.fn(async (_request: Request) => Response.json(page));
  beforeEach(() => void fetch.mockClear());

  test.each(['', '127.0.0.1:8080', 'localhost:8080', 'api.example.com', '/api', 'file:///tmp'])(
    'throws for the base URL %j',
    (baseUrl) => {
      expect(() => createClient({ baseUrl })).toThrow(`but is "${baseUrl}"`);
    },
  );

  test('throws for a missing base URL', () => {
    expect(() => createClient({} as never)).toThrow('baseUrl is missing');
  });

  test('accepts a path on a web page, and resolves it itself, because jsdom cannot', async () => {
    vi.stubGlobal('location', { href: 'https://app.example.com/users?page=1#top' });
    try {
      for (const [baseUrl, called] of [
        ['', 'https://app.example.com'],
        ['/api', 'https://app.example.com/api'],
        ['/api/', 'https://app.example.com/api'],
        ['https://api.example.com', 'https://api.example.com'],
      ]) {
        await createClient({ baseUrl: baseUrl as string, token: null, fetch }).GET('/organizations/roles');
        expect(fetch.mock.lastCall?.[0].url).toBe(`${called}/organizations/roles`);
      }
      expect(() => createClient({ baseUrl: 'localhost:8080' })).toThrow(TypeError);
    } finally {
      vi.unstubAllGlobals();
    }
  });

  test('throws for an empty token, but not for a missing one', async () => {
    const { baseUrl } = server;
    expect(() => createClient({ baseUrl, token: '' })).toThrow('The token is empty.');
    expect(() => createClient({ baseUrl, token: { accessToken: '' } })).toThrow('The token is empty.');
    await createClient({ baseUrl, fetch }).GET('/organizations/users');
    expect(fetch.mock.calls[0]?.[0].headers.has('Authorization')).toBe(false);
  });
});

describe('a response without content', () => {
  const params = { path: { resourceId: 'r' } };
  const empty: ErrorResponse = (response) => void response.writeHead(200, { 'Content-Length': '0' }).end();
  const chunked: ErrorResponse = (response) => void response.writeHead(200).end();

  test.each([
    ['Content-Length: 0', empty],
    ['no Content-Length', chunked],
  ])('with %s is read as parseAs says', async (_, response) => {
    server.respondWith(response, response, response, response);
    const read = <As extends 'blob' | 'text' | 'arrayBuffer' | 'stream'>(parseAs: As) =>
      unwrap(client.GET('/resources/{resourceId}', { params, parseAs }));
    expect((await read('blob'))?.size).toBe(0);
    expect(await read('text')).toBe('');
    expect((await read('arrayBuffer'))?.byteLength).toBe(0);
    expect(await new Response(await read('stream')).text()).toBe('');
  });
});

describe('a long or malformed error response', () => {
  test('has a message of at most 1,000 characters before the operation', async () => {
    const { fingerprint, errors } = errorBody('body_invalid');
    const many = Array.from({ length: 5000 }, () => ({ ...errors[0], message: 'x'.repeat(1000) }));
    server.respondWith([400, {}, { fingerprint, errors: many }]);
    const error = await unwrap(listUsers()).catch((caught) => caught);
    expect(error.errors).toHaveLength(5000);
    expect(error.message).toMatch(/^body_invalid: x{986} \(GET \/organizations\/users\)$/);
  });

  test.each([
    ['null', [null]],
    ['a text', ['body_invalid']],
    ['an error without a code', [{ message: 'Bad Gateway' }]],
  ])('with %s in errors is not taken for one of the platform', async (_, errors) => {
    server.respondWith([502, {}, { fingerprint: 'f1', errors }]);
    const error = await unwrap(listUsers()).catch((caught) => caught);
    expect(error).toBeInstanceOf(BadGatewayError);
    expect(error).toMatchObject({
      code: undefined,
      errors: [],
      message: 'HTTP 502 Bad Gateway (GET /organizations/users)',
    });
  });
});

describe('credentials', async () => {
  const elsewhere = await failingServer();
  const redirect =
    (status: number): ErrorResponse =>
    (response) =>
      void response.writeHead(status, { Location: `${elsewhere.baseUrl}/stolen` }).end();

  test.each([301, 302, 303, 307, 308])('are not sent where a %i of another origin leads', async (status) => {
    elsewhere.respondWith();
    server.respondWith(redirect(status), redirect(status));
    await listUsers().catch(() => {});
    await client.PUT('/organizations/users/{userId}/role', {
      params: { path: { userId: 'u' } },
      body: { roleId: 'r' },
    });
    for (const { headers } of elsewhere.requests) expect(headers.authorization).toBeUndefined();
    elsewhere.respondWith();
    server.respondWith(redirect(status), redirect(status));
    const signIn = () => client.POST('/auth/authorize', { body: { key: 'k', secret: 's' } });
    await expect(signIn()).rejects.toThrow(ConnectionError);
    const key = { params: { path: { keyId: 'k' } }, parseAs: 'text' } as const;
    await expect(client.GET('/auth/webhooks/key/{keyId}', key)).rejects.toThrow(ConnectionError);
    expect(elsewhere.requests).toHaveLength(0);
  });

  test('are not sent to a followed URL, nor are other headers of the client', async () => {
    const headers = { Authorization: 'tot_1', 'X-Gateway-Key': 'secret', Accept: '*/*' };
    const withHeaders = createClient({ baseUrl: server.baseUrl, token: 'tot_2', headers });
    elsewhere.respondWith();
    await withHeaders.follow(`${elsewhere.baseUrl}/file`, { headers: [['Range', 'bytes=1-']] });
    const [received] = elsewhere.requests;
    expect(received?.headers).not.toHaveProperty('authorization');
    expect(received?.headers).not.toHaveProperty('x-gateway-key');
    expect(received?.headers).toHaveProperty('range', 'bytes=1-');
    server.respondWith();
    await withHeaders.GET('/organizations/users');
    expect(server.requests[0]?.headers).toMatchObject({ authorization: 'tot_1', 'x-gateway-key': 'secret' });
  });

  test('in a followed URL are not in the message of a ResponseParseError', async () => {
    elsewhere.respondWith((response) => void response.writeHead(200).end('<html>'));
    const error = await client.follow(`${elsewhere.baseUrl}/file?signature=secret`).catch((caught) => caught);
    expect(error).toBeInstanceOf(ResponseParseError);
    expect(error.message).toContain(elsewhere.baseUrl);
    expect(error.message).not.toContain('secret');
  });
});

test('follow fetches the URL as it is', async () => {
  for (const path of ['/a/', '/a', '/a?b=/', '/a%2F..?b=%2e%2e', '/{userId}']) {
    server.respondWith();
    await client.follow(`${server.baseUrl}${path}`);
    expect(server.requests[0]?.path).toBe(path.replace('{userId}', '%7BuserId%7D'));
  }
});
