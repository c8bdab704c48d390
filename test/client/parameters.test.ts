import { readFile } from 'node:fs/promises';
import {
  createAttachment,
  createClient,
  downloadAttachment,
  downloadResource,
  InvalidParameterError,
  uploadResource,
  waitForResult,
} from '@wrp/client';
import { operations } from '@wrp/client/operations';
import createQueryClient from 'openapi-react-query';
import { describe, expect, test, vi } from 'vitest';
import { methodsByGroup } from '../../scripts/generate/client-operations.ts';
import { resolve, routesOf } from '../../server/contract/index.ts';
import { failingServer } from './support.ts';

const contract = JSON.parse(await readFile('generated/openapi.json', 'utf8'));
const routes = routesOf(contract);
const server = await failingServer();
/** Must not be called for a request that is never sent. */
const token = vi.fn(() => 'tot_1');
const beforeRequest = vi.fn();
const client = createClient({ baseUrl: server.baseUrl, token, beforeRequest, retries: 0 });

/** Values that the URL standard resolves, or that have no text. */
const isMissing = (value: unknown) => value === '' || value === undefined || value === null;
const impossible: [value: unknown, shown: string][] = [
  ['..', '".."'],
  ['.', '"."'],
  ['', ''],
  [undefined, ''],
  [null, ''],
  [Number.NaN, 'NaN'],
  [Number.POSITIVE_INFINITY, 'Infinity'],
  [['..'], 'an object'],
  [[], 'an object'],
  [{ a: 1 }, 'an object'],
  [new Date(0), 'an object'],
  [Object.create(null), 'an object'],
  [Symbol('id'), 'Symbol(id)'],
  ['a\ud800b', '"\\ud800"'],
];
/** Values that are sent as one segment. */
const possible = [
  '%2e%2e',
  '%2E',
  '%2e%2e%2froles',
  'a/b',
  '../roles',
  '..\\roles',
  './',
  '...',
  '?page=1',
  '#fragment',
  'a\nb',
  '\t..',
  ' ',
  '\0',
  ';v=1',
  '$&',
  '{userId}',
  '🦊',
  '%',
];

/** The call, which must throw without having sent or prepared anything. */
async function refusal(call: () => Promise<unknown>): Promise<Error> {
  server.respondWith();
  token.mockClear();
  beforeRequest.mockClear();
  const error: Error = (await call().catch((caught) => caught)) as Error;
  expect(error).toBeInstanceOf(InvalidParameterError);
  expect(error).toBeInstanceOf(TypeError);
  expect(error).toMatchObject({ name: 'InvalidParameterError', errors: [] });
  expect([server.requests.length, token.mock.calls.length, beforeRequest.mock.calls.length]).toEqual([
    0, 0, 0,
  ]);
  expect(error.message).not.toContain('\n');
  return error;
}

const inPath = routes.flatMap(({ path, method }) =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({ path, method: method.toUpperCase(), name })),
);
const paths = (path: string, values: Record<string, unknown>) => ({
  path: Object.fromEntries(
    [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, name in values ? values[name] : 'a']),
  ),
});

describe('a path parameter', () => {
  test.each(inPath)(
    '$name of $method $path keeps the request on its operation',
    async ({ path, method, name }) => {
      const send = client[method as 'GET'] as (path: string, init?: object) => Promise<unknown>;
      for (const [value, shown] of impossible) {
        const { message } = await refusal(() => send(path, { params: paths(path, { [name]: value }) }));
        const predicate = isMissing(value) ? 'is missing' : `cannot be or contain ${shown}`;
        expect(message).toBe(`${name} of ${method} ${path} ${predicate}.`);
      }
      for (const value of possible) {
        server.respondWith();
        await send(path, { params: paths(path, { [name]: value }) });
        const [received] = server.requests.map((request) => request.path.split('/'));
        const segments = path.split('/');
        expect(received).toHaveLength(segments.length);
        expect(decodeURIComponent(received?.[segments.indexOf(`{${name}}`)] ?? '')).toBe(value);
      }
    },
  );

  test('is required without params, too', async () => {
    const get = client.GET as (path: string, init?: object) => Promise<unknown>;
    for (const init of [undefined, {}, { params: {} }, { params: { path: null } }, { params: { path: {} } }])
      await refusal(() => get('/parameters/{parametersId}', init));
  });

  test('is checked in every way to call', async () => {
    const path = '/organizations/workspaces/{workspaceId}/roles';
    const params = { path: { workspaceId: '..' } };
    const query = createQueryClient(client).queryOptions('get', path, { params });
    const calls: (() => Promise<unknown>)[] = [
      () => client.GET(path, { params }),
      () => client.request('get', path, { params }),
      () => client.HEAD(path as never, { params } as never),
      () => client.GET(path, { params, pathSerializer: () => '/organizations/roles' } as never),
      () => operations(client).organization.listWorkspaceRoles('..'),
      () => operations(client).organization.listWorkspaceRoles('..').withResponse(),
      async () => {
        for await (const _ of operations(client).organization.listWorkspaceRoles('..'));
      },
      async () => (query.queryFn as (context: object) => unknown)({ queryKey: query.queryKey }),
    ];
    for (const call of calls)
      expect((await refusal(call)).message).toMatch(/^workspaceId of \w+ \/organizations\//);
  });

  test('is checked by the functions for files and results', async () => {
    const opened = vi.fn();
    const record = { tableId: '..', recordId: 'a' };
    const calls: (() => Promise<unknown>)[] = [
      () => waitForResult(client, '..'),
      () => downloadResource(client, '..', { range: 'bytes=0-1' }),
      () => downloadAttachment(client, { ...record, attachmentId: 'a' }),
      () => createAttachment(client, record, opened),
      () => createAttachment(client, record, new Blob(['a'])),
      () => uploadResource(client, opened, { headers: { 'Idempotency-Key': 'a\nb' } }),
    ];
    for (const call of calls) await refusal(call);
    expect(opened).not.toHaveBeenCalled();
  });

  test('of every named method is checked', async () => {
    for (const [tag, methods] of methodsByGroup(routes))
      for (const { name, path, method } of methods) {
        const names = [...path.matchAll(/\{(\w+)\}/g)];
        const group = operations(client)[tag as 'users'] as unknown as Record<
          string,
          (...values: unknown[]) => Promise<unknown>
        >;
        for (const index of names.keys()) {
          const values = names.map((_, at) => (at === index ? '..' : 'a'));
          const { message } = await refusal(() => group[name]?.(...values) as Promise<unknown>);
          expect(message).toContain(`${names[index]?.[1]} of ${method.toUpperCase()} ${path} `);
        }
      }
  });

  test('is a UUID throughout the contract, as the samples in Python require', () => {
    for (const { path, operation } of routes)
      for (const { in: place, schema } of operation.parameters)
        if (place === 'path')
          expect([path, resolve(contract, schema)]).toMatchObject([path, { type: 'string', format: 'uuid' }]);
  });
});

test.each([
  '/organizations/workspaces/../roles',
  '/organizations/workspaces/..',
  '/organizations/workspaces/%2e%2E/roles',
  '/organizations/workspaces\\..\\roles',
  '/organizations/workspaces/.\t./roles',
  'organizations/users',
  '.example.org/users',
  '@example.org/users',
  '',
  undefined,
])('the path %j, which is none of the contract, is not sent', async (path) => {
  const { message } = await refusal(() => (client.GET as (path: unknown) => Promise<unknown>)(path));
  expect(message).toMatch(
    path === '' ? /^path of GET .* is missing\.$/ : /^path of GET .* cannot be or contain /,
  );
});

describe('a query parameter', () => {
  const send = (query: object) => client.GET('/organizations/users', { params: { query } });

  test.each([
    [Number.NaN, 'NaN'],
    [Number.NEGATIVE_INFINITY, '-Infinity'],
    [new Date(0), 'an object'],
    [{ a: 1 }, 'an object'],
    [[[1]], 'an object'],
    [[1, undefined], 'undefined'],
    [[null], 'null'],
    [[Number.NaN], 'NaN'],
    [Symbol('page'), 'Symbol(page)'],
    ['a\ud800', '"\\ud800"'],
    [['\udc00'], '"\\udc00"'],
  ])('of %o is not sent', async (value, shown) => {
    const { message } = await refusal(() => send({ size: 5, page: value }));
    expect(message).toBe(`page of GET /organizations/users cannot be or contain ${shown}.`);
  });

  test.each([
    [undefined, ''],
    [null, ''],
    [[], ''],
    ['', '?page='],
    [0, '?page=0'],
    [false, '?page=false'],
    ['a&size=2#b', '?page=a%26size%3D2%23b'],
    ['..', '?page=..'],
    [['a', 'b c'], '?page=a&page=b%20c'],
    ['🦊\n', '?page=%F0%9F%A6%8A%0A'],
  ])('of %j is sent as %j', async (value, query) => {
    server.respondWith();
    await send({ page: value });
    expect(server.requests[0]?.path).toBe(`/organizations/users${query}`);
  });
});

describe('a header', () => {
  const path = '/organizations/users/{userId}/terminate';
  const params = { path: { userId: 'a' } };
  const key = 'Idempotency-Key';
  const inEveryPlace: [string, (value: string) => () => Promise<unknown>][] = [
    ['params', (value) => () => client.POST(path, { params: { ...params, header: { [key]: value } } })],
    ['headers', (value) => () => client.POST(path, { params, headers: { [key]: value } })],
    ['a list in headers', (value) => () => client.POST(path, { params, headers: { [key]: ['a', value] } })],
    ['idempotencyKey', (value) => () => operations(client).users.terminate('a', { idempotencyKey: value })],
    [
      'the headers of createClient',
      (value) => () =>
        createClient({ baseUrl: server.baseUrl, token, headers: { [key]: value } }).POST(path, { params }),
    ],
  ];

  test.each(inEveryPlace)('in %s has no line breaks and only Latin-1', async (_place, call) => {
    for (const [value, shown] of [
      ['a\nb', '"\\n"'],
      ['a\r\nX-Admin: 1', '"\\r"'],
      ['a\n', '"\\n"'],
      ['\0', '"\\u0000"'],
      ['a\u007f', '"\u007f"'],
      ['Zoë 🦊', '"🦊"'],
      ['Ā', '"Ā"'],
      [Number.NaN as never, 'NaN'],
      [new Date(0) as never, 'an object'],
    ] as const) {
      const { message } = await refusal(call(value));
      expect(message).toBe(`${key} of POST ${path} cannot be or contain ${shown}.`);
    }
    server.respondWith();
    await call('Zoë')();
    expect(server.requests[0]?.headers['idempotency-key']).toContain('Zo');
  });

  test('of the token is checked without the token in the message', async () => {
    server.respondWith();
    const broken = createClient({ baseUrl: server.baseUrl, token: () => 'tot_secret\nX-Admin: 1' });
    const error = await broken.GET('/organizations/users').catch((caught) => caught);
    expect(error).toBeInstanceOf(InvalidParameterError);
    expect(error.message).toBe('Authorization of GET /organizations/users cannot be or contain "\\n".');
    expect(server.requests).toHaveLength(0);
    await createClient({ baseUrl: server.baseUrl, token: 'tot_1\n' }).GET('/organizations/users');
    expect(server.requests[0]?.headers.authorization).toBe('tot_1');
  });

  test('of a followed URL is checked, too', async () => {
    const headers = { Range: 'bytes=0-\n' };
    const { message } = await refusal(() => client.follow('https://files.example.com/1', { headers }));
    expect(message).toBe('Range of GET of a followed URL cannot be or contain "\\n".');
  });
});

describe('the base URL', () => {
  test.each([
    'https://user:secret@api.example.com',
    'https://user@api.example.com',
    'https://api.example.com?token=secret',
    'https://api.example.com/v3?',
    'https://api.example.com/#secret',
    'ftp://user:secret@api.example.com',
  ])('%s throws without its secret in the message', (baseUrl) => {
    expect(() => createClient({ baseUrl })).toThrow('baseUrl must be a URL such as https://api.example.com');
    expect(() => createClient({ baseUrl })).not.toThrow(/secret|user/);
  });

  test.each(['', '/', '/gateway', '/gateway/', '/@scope/v3'])('may have the path %j', async (prefix) => {
    server.respondWith();
    await createClient({ baseUrl: `${server.baseUrl}${prefix}` }).GET('/organizations/users');
    expect(server.requests[0]?.path).toBe(`${prefix.replace(/\/$/, '')}/organizations/users`);
  });
});
