import {
  ApiError,
  BadGatewayError,
  createClient,
  downloadResource,
  UnreadableAnswerError,
  unwrap,
} from '@wrp/client';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { type Fault, faultyServer, page, refusal } from './support.ts';

const server = await faultyServer();
const client = createClient({ baseUrl: server.baseUrl, token: 'tot_1', retries: 0 });
const listUsers = () => client.GET('/organizations/users');
const html: Fault = (response) =>
  void response.writeHead(502, { 'Content-Type': 'text/html' }).end('<h1>Bad Gateway</h1>');

describe('an answer that is not a success', () => {
  test.each<[string, Fault]>([
    ['without a body', [502, { 'Content-Length': '0' }]],
    ['with an empty body of no known length', (response) => void response.writeHead(502).end()],
    ['with a page', html],
    ['with JSON of somebody else', [502, {}, { message: 'no healthy upstream' }]],
    ['with nothing but null', [502, {}, null]],
  ])('%s has an error without reasons', async (_how, fault) => {
    server.answers(fault, fault);
    const { data, error } = await listUsers();
    expect(data).toBeUndefined();
    expect(error).toEqual({ fingerprint: '', errors: [] });
    const thrown = await unwrap(listUsers()).catch((caught) => caught);
    expect(thrown).toBeInstanceOf(BadGatewayError);
    expect(thrown).toMatchObject({ code: undefined, fingerprint: undefined, errors: [] });
  });

  test('of the platform is its error', async () => {
    server.answers([404, {}, refusal('user_not_found')]);
    expect((await listUsers()).error).toEqual(refusal('user_not_found'));
  });

  test('names its occurrence where only the header does', async () => {
    server.answers([502, { 'Request-Id': 'r1', 'Content-Length': '0' }]);
    expect((await listUsers()).error).toEqual({ fingerprint: 'r1', errors: [] });
  });

  test('from an address outside of the contract is what was said there', async () => {
    server.answers(html, [502, { 'Content-Length': '0' }]);
    expect((await client.follow(`${server.baseUrl}/file`)).error).toBe('<h1>Bad Gateway</h1>');
    expect((await client.follow(`${server.baseUrl}/file`)).error).toEqual({ fingerprint: '', errors: [] });
  });

  test('because the file has not changed is an ApiError of status 304', async () => {
    server.answers((response) => void response.writeHead(304, { ETag: '"1"' }).end());
    const headers = { 'If-None-Match': '"1"' };
    const unchanged = await downloadResource(client, 'r', { headers }).catch((caught) => caught);
    expect(server.seen[0]?.headers['if-none-match']).toBe('"1"');
    expect(unchanged).toBeInstanceOf(ApiError);
    expect(unchanged.status).toBe(304);
    server.answers((response) => void response.writeHead(304).end());
    const params = { path: { resourceId: 'r' } };
    const { error } = await client.GET('/resources/{resourceId}', { params, headers, parseAs: 'blob' });
    expect(error).toEqual({ fingerprint: '', errors: [] });
  });
});

describe('a success that is not JSON', () => {
  const signIn = '<title>Sign in</title>';

  test.each([
    ['with', { 'Content-Length': String(signIn.length) }],
    ['without', {}],
  ])('says what it is and where it came from, %s a length', async (_how, headers) => {
    const sent = { 'Content-Type': 'text/html', 'Request-Id': 'r1', ...headers };
    server.answers((response) => void response.writeHead(200, sent).end(signIn));
    const error = await listUsers().catch((caught) => caught);
    expect(error).toBeInstanceOf(UnreadableAnswerError);
    // As it was before there was a class for it.
    expect(error).toBeInstanceOf(SyntaxError);
    expect(error).toMatchObject({ name: 'UnreadableAnswerError', status: 200, requestId: 'r1' });
    expect(error.message).toMatch(/^HTTP 200 from http.*\/organizations\/users is not JSON \(text\/html\): /);
    expect(error.response.headers.get('Request-Id')).toBe('r1');
  });

  test('is not asked for again', async () => {
    server.answers((response) => void response.writeHead(200).end(signIn));
    const patient = createClient({ baseUrl: server.baseUrl });
    await expect(patient.GET('/organizations/users')).rejects.toThrow(UnreadableAnswerError);
    expect(server.seen).toHaveLength(1);
  });
});

describe('createClient', () => {
  const fetch = vi.fn(async (_request: Request) => Response.json(page));
  beforeEach(() => void fetch.mockClear());

  test.each(['', '127.0.0.1:8080', 'localhost:8080', 'api.example.com', '/api', 'file:///tmp'])(
    'refuses the address %j',
    (baseUrl) => {
      expect(() => createClient({ baseUrl })).toThrow(`but is "${baseUrl}"`);
    },
  );

  test('refuses an address that is not there', () => {
    expect(() => createClient({} as never)).toThrow('baseUrl must be an address');
  });

  test('takes a path on a page, which has an address of its own', () => {
    vi.stubGlobal('location', { href: 'https://app.example.com/users' });
    try {
      for (const baseUrl of ['', '/api', 'https://api.example.com']) createClient({ baseUrl });
      expect(() => createClient({ baseUrl: 'localhost:8080' })).toThrow(TypeError);
    } finally {
      vi.unstubAllGlobals();
    }
  });

  test('refuses an empty token, but not the lack of one', async () => {
    const { baseUrl } = server;
    expect(() => createClient({ baseUrl, token: '' })).toThrow('The token is empty.');
    expect(() => createClient({ baseUrl, token: { accessToken: '' } })).toThrow('The token is empty.');
    await createClient({ baseUrl, fetch }).GET('/organizations/users');
    expect(fetch.mock.calls[0]?.[0].headers.has('Authorization')).toBe(false);
  });
});
