import { readFile } from 'node:fs/promises';
import { ApiError, createClient, InvalidParameterError, NotFoundError } from '@wrp/client';
import { operations, users } from '@wrp/client/operations';
import { describe, expect, test } from 'vitest';
import {
  clientOperationsModule,
  methodName,
  methodsByGroup,
} from '../../scripts/generate/client-operations.ts';
import { type Route, routesOf } from '../../server/contract/index.ts';
import { errorBody, failingServer } from './support.ts';

const contract = JSON.parse(await readFile('generated/openapi.json', 'utf8'));
const server = await failingServer();
const client = createClient({ baseUrl: server.baseUrl, token: 'tot_1', retries: 0 });
const ops = operations(client);
const userId = '5b0e7c1a-52f4-4a0b-8a54-0d6f3c1b9a02';
const user = { id: userId, email: 'ada@example.com' };
const pageOf = (number: number) => ({ content: [{ ...user, id: `user ${number}` }], number, totalPages: 3 });

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

describe('methodName', () => {
  test.each([
    ['users', 'updateUserProfile', 'updateProfile'],
    ['users', 'listUsers', 'list'],
    ['users', 'resetUserMfa', 'resetMfa'],
    ['organization', 'listOrganizationRoles', 'listRoles'],
    ['memberships', 'listDirectMemberships', 'listDirect'],
    ['parameters', 'createParameterSet', 'createSet'],
    ['record-types', 'getRecordTypeField', 'getField'],
    ['policies', 'renewPolicy', 'renew'],
  ])('in %s, %s is %s', (tag, operationId, name) => {
    expect(methodName(operationId, tag)).toBe(name);
  });
});

describe('the generator', () => {
  const route = (operationId: string) => {
    const operation = { operationId, tags: ['users'], parameters: [], responses: {} };
    return { path: '/users', method: 'get', operation } satisfies Route;
  };

  test('refuses two operations with the same name', () => {
    expect(() => methodsByGroup([route('listUsers'), route('listUser')])).toThrow(
      'listUsers and listUser would both be users.list in the client; rename one.',
    );
  });

  test('documents summary, permission, parameters and errors', () => {
    const text = clientOperationsModule(contract);
    const [, rest = ''] = text.split('* Reinstate a terminated user.');
    const [method] = rest.split('): ApiPromise');
    expect(method).toContain('* Permission: `can_manage_users`.');
    expect(method).toContain('* @param userId Identifier of the user.');
    expect(method).toContain('* @throws {NotFoundError} `user_not_found`');
    expect(method).toMatch(/@throws \{ConflictError\} .*`user_not_terminated`/);
  });
});

describe('every operation', () => {
  const methods = [...methodsByGroup(routesOf(contract))].flatMap(([tag, ofTag]) =>
    ofTag.map((method) => ({ ...method, group: tag, title: `${tag}.${method.name}` })),
  );

  test.each(methods)('$title sends its path, body, query and headers', async (method) => {
    const group = ops[method.group as keyof typeof ops] as unknown as Record<
      string,
      (...values: unknown[]) => Promise<unknown>
    >;
    server.respondWith([200, {}, []]);
    const names = [...method.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const body = method.operation.requestBody && { note: 'a body' };
    const options = { query: { page: 1 }, headers: { 'X-Test': 'yes' }, idempotencyKey: 'key 1' };
    await group[method.name]?.(...names, ...(body ? [body] : []), options);
    const [request] = server.requests;
    const path = method.path.replaceAll(/[{}]/g, '');
    expect([request?.method, request?.path]).toEqual([method.method.toUpperCase(), `${path}?page=1`]);
    expect(request?.headers).toMatchObject({ 'x-test': 'yes', 'idempotency-key': 'key 1' });
    expect(request?.body.toString()).toBe(body ? JSON.stringify(body) : '');
  });
});

describe('a call', () => {
  test('returns the data', async () => {
    server.respondWith([200, {}, user]);
    expect(await ops.users.reinstate(userId, { roleId: userId })).toEqual(user);
  });

  test('returns the headers and the request ID with withResponse()', async () => {
    server.respondWith([200, { 'Request-Id': 'r1', ETag: '"1"' }, user]);
    const { data, headers, requestId, response } = await ops.users.get(userId).withResponse();
    expect(data).toEqual(user);
    expect([headers.get('ETag'), requestId, response.status]).toEqual(['"1"', 'r1', 200]);
  });

  test('throws the error for the status', async () => {
    server.respondWith([404, {}, errorBody('user_not_found')]);
    await expect(ops.users.get(userId)).rejects.toThrow(NotFoundError);
    server.respondWith([409, {}, errorBody('last_owner')]);
    const caught = await ops.users
      .terminate(userId)
      .withResponse()
      .catch((error) => error);
    expect(caught).toBeInstanceOf(ApiError);
  });

  test('is a promise, whose derived promises are ordinary', async () => {
    server.respondWith([200, {}, user], [200, {}, user]);
    const call = ops.users.get(userId);
    expect(call).toBeInstanceOf(Promise);
    expect(await Promise.all([call, call.finally(() => {})])).toEqual([user, user]);
    expect(call.then()).not.toHaveProperty('withResponse');
    expect(server.requests).toHaveLength(1);
  });

  test('without a path parameter throws instead of calling another path', async () => {
    server.respondWith();
    for (const missing of [undefined, '']) {
      const caught = await ops.users.get(missing as string).catch((error) => error);
      expect(caught).toBeInstanceOf(InvalidParameterError);
      expect(caught.message).toBe('userId of GET /organizations/users/{userId} is missing.');
    }
    expect(server.requests).toHaveLength(0);
  });

  test('reads a download as a stream, or as parseAs says', async () => {
    server.respondWith([200, {}, 'file'], [200, {}, 'file']);
    expect(await new Response(await ops.resources.download(userId)).text()).toBe('"file"');
    expect(await ops.resources.download(userId, { parseAs: 'text' })).toBe('"file"');
  });
});

describe('a list', () => {
  test('iterates over the items of all pages, and fetches them one by one', async () => {
    server.respondWith([200, {}, pageOf(0)], [200, {}, pageOf(1)], [200, {}, pageOf(2)]);
    const ids: string[] = [];
    for await (const { id } of ops.users.list({ query: { size: 1 } })) {
      ids.push(id);
      expect(server.requests).toHaveLength(ids.length);
    }
    expect(ids).toEqual(['user 0', 'user 1', 'user 2']);
    expect(server.requests.map(({ path }) => path.split('?')[1])).toEqual([
      'size=1',
      'size=1&page=1',
      'size=1&page=2',
    ]);
  });

  test('iterates over the pages that have a cursor', async () => {
    const next = { content: [{ id: '2' }] };
    server.respondWith([200, {}, { content: [{ id: '1' }], nextCursor: 'c1' }], [200, {}, next]);
    const records = await collect(ops.tables.listRecords(userId, { query: { name: 'a' } }));
    expect(records).toEqual([{ id: '1' }, { id: '2' }]);
    expect(server.requests.map(({ path }) => path.split('?')[1])).toEqual(['name=a', 'name=a&cursor=c1']);
  });

  test('begins with the page of the query', async () => {
    server.respondWith([200, {}, pageOf(1)], [200, {}, pageOf(2)]);
    const all = await collect(users(client).list({ query: { page: 1 } }));
    expect(all).toHaveLength(2);
  });

  test('returns one page if awaited', async () => {
    server.respondWith([200, {}, pageOf(0)]);
    expect(await ops.users.list()).toEqual(pageOf(0));
    expect(server.requests).toHaveLength(1);
  });

  test('iterates over an array, and over the arrays of an object', async () => {
    server.respondWith([200, {}, [{ name: 'owner' }]]);
    expect(await collect(ops.organization.listRoles())).toEqual([{ name: 'owner' }]);
    server.respondWith([
      200,
      {},
      { directMemberships: [{ userId: '1' }], inheritedMemberships: [{ userId: '2' }] },
    ]);
    expect(await collect(ops.memberships.list(userId))).toEqual([{ userId: '1' }, { userId: '2' }]);
  });

  test('throws the error of a later page', async () => {
    server.respondWith([200, {}, pageOf(0)], [500, {}, errorBody('internal_error')]);
    await expect(collect(ops.users.list())).rejects.toThrow('internal_error');
  });
});
