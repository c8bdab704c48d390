import { createClient, eachItem, eachUser } from '@wrp/client';
import { describe, expect, test } from 'vitest';
import { exampleMock } from '../../scripts/mock/examples/server.ts';
import { openContract, resolve, routesOf } from '../../server/contract/index.ts';
import { served, theBundle } from './support.ts';
import { differences } from './sweep/differences.ts';

const contract = await theBundle();
const checked = openContract(contract);
const mock = await exampleMock(contract);
const base = await served(mock.listener);
const known = { Authorization: 'tot_any' };
const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(base + path, { headers: { ...known, ...headers } });

interface Execution {
  createdDateTime: string;
  failure?: { error: string };
}

describe('a list in pages', () => {
  test('has each user of the examples on one page', async () => {
    const client = createClient({ baseUrl: base, token: 'any' });
    const seen = [];
    for await (const user of eachUser(client, { size: 1 })) seen.push(user.id);
    expect(seen.length).toBeGreaterThan(1);
    expect(new Set(seen).size).toBe(seen.length);
    const page = await (await get('/organizations/users?size=1&page=1')).json();
    expect(page).toMatchObject({ totalElements: seen.length, totalPages: seen.length, size: 1, number: 1 });
    expect(page).toMatchObject({ content: [{ id: seen[1] }] });
  });

  test('is empty after the last page', async () => {
    const page = await (await get('/organizations/users?page=9')).json();
    expect(page).toMatchObject({ content: [], number: 9 });
  });

  test('is the example as it is if its name is requested', async () => {
    const page = await get('/organizations/users', { Prefer: 'example=firstPageOfUsers' });
    expect(await page.json()).toMatchObject({ totalElements: 64, size: 2 });
  });

  const pageOf = async (query: string, headers = {}) =>
    (await (await get(`/organizations/users?${query}`, headers)).json()) as {
      content: { id: string; email: string; profile: { firstName: string } }[];
      totalElements: number;
    };
  const modes = [
    ['of examples', {}],
    ['of generated entries', { Prefer: 'dynamic=true' }],
  ] as const;

  test.each(modes)('%s has the numbers of the page and size in the query', async (_, headers) => {
    const numbers = async (query: string) => {
      const { content, ...rest } = await pageOf(query, headers);
      return { ...rest, length: content.length };
    };
    const totalElements = 64;
    expect(await numbers('')).toEqual({ totalElements, totalPages: 4, size: 20, number: 0, length: 20 });
    expect(await numbers('page=3')).toEqual({ totalElements, totalPages: 4, size: 20, number: 3, length: 4 });
    expect(await numbers('page=1&size=2')).toEqual({
      ...{ totalElements, totalPages: 32, size: 2, number: 1, length: 2 },
    });
    expect(await numbers('page=9')).toEqual({ totalElements, totalPages: 4, size: 20, number: 9, length: 0 });
  });

  test('has entries of its own, the same each time, that the mock finds by their ids', async () => {
    const pages = await Promise.all([0, 1, 2, 3].map((page) => pageOf(`page=${page}`)));
    const users = pages.flatMap(({ content }) => content);
    expect(new Set(users.map(({ id }) => id)).size).toBe(64);
    expect(new Set(users.map(({ email }) => email)).size).toBe(64);
    expect(new Set(users.map(({ profile }) => profile.firstName)).size).toBeGreaterThan(20);
    expect((await pageOf('size=64')).content).toEqual(users);
    const found = await get(`/organizations/users/${users.at(-1)?.id}`);
    expect(await found.json()).toEqual(users.at(-1));
  });
});

describe('a list with a cursor', async () => {
  const tableId = '9a3c5e70-1b2d-4f48-a6c9-8d7e6f5a4b02';
  const read = async (path: string, query: Record<string, string>) =>
    (await (await get(`${path}?${new URLSearchParams(query)}`)).json()) as {
      content: Record<string, string>[];
      nextCursor?: string;
    };
  const lists = routesOf(await theBundle()).filter(
    ({ method, operation: { parameters, operationId } }) =>
      method === 'get' &&
      parameters.some(({ name }) => name === 'cursor') &&
      operationId !== 'pollWebhookEvents',
  );

  const workflowId = '6a5b4c3d-2e1f-4a9b-8c7d-0e1f2a3b4c01';
  const named = (path: string) => path.replace('{tableId}', tableId).replace('{workflowId}', workflowId);

  test.each(lists.map(({ path }) => named(path)))('%s ends, and has each entry once', async (path) => {
    let pages = 0;
    const count = async (request: Request) => {
      pages += 1;
      return fetch(request);
    };
    const client = createClient({ baseUrl: base, token: 'any', fetch: count });
    const ids: string[] = [];
    for await (const { id } of eachItem(client, path as '/tables', { params: { query: { size: 2 } } }))
      ids.push(id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(pages).toBe(Math.ceil(ids.length / 2));
    expect(ids.length).toBeGreaterThan(1);
  });

  test.each([
    ['of another list', '/workflows', `/tables/${tableId}/records`, {}],
    ['of another object', `/tables/${tableId}/records`, `/tables/${tableId.replace(/2$/, '1')}/records`, {}],
    ['of no filter', '/workflows', '/workflows', { status: 'FAILED' }],
    ['that was cut', '/workflows', '/workflows', {}, (cursor: string) => cursor.slice(0, -4)],
    ['of two characters', '/workflows', '/workflows', {}, () => '20'],
  ])(
    'refuses a cursor %s: 400 parameter_invalid',
    async (_what, from, to, filters, change = (same: string) => same) => {
      const { nextCursor = '' } = await read(from, { size: '2' });
      expect((await read(from, { size: '2', cursor: nextCursor })).content).toHaveLength(2);
      const query = new URLSearchParams({ ...filters, size: '2', cursor: change(nextCursor) });
      const refused = await get(`${to}?${query}`);
      expect([refused.status, await refused.json()]).toMatchObject([
        400,
        { errors: [{ code: 'parameter_invalid', parameter: 'cursor' }] },
      ]);
    },
  );

  test('is filtered by the fields that have the names of its parameters', async () => {
    expect((await read('/workflow-definitions', { name: 'echo' })).content).toMatchObject([{ name: 'echo' }]);
    expect((await read('/workflows', { status: 'FAILED' })).content).toSatisfy(
      (content: { status: string }[]) =>
        content.length > 0 && content.every(({ status }) => status === 'FAILED'),
    );
    expect(await read('/tables', { name: 'Nothing' })).toEqual({ content: [] });
  });

  const noEvents = 'pollWebhookEvents';
  const everyList = routesOf(contract).filter(
    ({ method, operation: { parameters } }) =>
      method === 'get' && parameters.some(({ name, in: place }) => place === 'query' && name === 'size'),
  );
  const queryParameters = everyList.flatMap(({ path, operation }) =>
    operation.parameters
      .filter(({ in: place }) => place === 'query')
      .map(({ name, schema }) => ({ id: operation.operationId, path: named(path), name, schema })),
  );
  const filters = queryParameters.filter(
    ({ id, name }) => id !== noEvents && !['cursor', 'page', 'size'].includes(name),
  );
  /** Values of a parameter that match no or not all entries. */
  const selective = (schema: object | undefined): string[] => {
    const { format, enum: values } = Object(resolve(contract, schema));
    if (values) return values;
    if (format === 'date-time') return ['2000-01-01T00:00:00Z', '2100-01-01T00:00:00Z'];
    return [format === 'uuid' ? '00000000-0000-4000-8000-000000000000' : 'Nothing'];
  };

  test.each(filters)('$id is filtered by $name', async ({ path, name, schema }) => {
    const sizeFor = async (query: Record<string, string>) =>
      (await read(path, { size: '100', ...query })).content.length;
    const sizes = await Promise.all(selective(schema).map((value) => sizeFor({ [name]: value })));
    expect(Math.min(...sizes)).toBeLessThan(await sizeFor({}));
  });

  test.each(filters)('$id has exactly the entries with a value of $name', async ({ path, name }) => {
    const entries = async (query: Record<string, string>) =>
      (await read(path, { size: '100', ...query })).content as Record<string, unknown>[];
    const all = await entries({});
    const value = all.map((entry) => entry[name]).find((each) => typeof each === 'string');
    // Those by a time, and by a field of an object, have a test of their own.
    if (value === undefined) return expect(['error', 'createdSince', 'createdUntil']).toContain(name);
    const matching = all.filter((entry) => entry[name] === value);
    const isId = /^[\da-f-]{36}$/.test(String(value));
    for (const sent of isId ? [value, String(value).toUpperCase()] : [value])
      expect(await entries({ [name]: String(sent) })).toEqual(matching);
  });

  test('only one whose query has no effect is named among the differences', async () => {
    expect(everyList.map(({ operation }) => operation.operationId)).toContain(noEvents);
    const [row] = differences.filter(({ stateless }) => stateless.includes('whatever the query'));
    const named = [...(row?.stateless ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => name);
    expect(named.filter((name) => everyList.some(({ operation }) => operation.operationId === name))).toEqual(
      [noEvents],
    );
  });

  test.each([
    ['error=Demo.Refused', ({ failure }: Execution) => failure?.error === 'Demo.Refused'],
    ['createdSince=2026-11-19T09%3A00%3A00Z', ({ createdDateTime: at }: Execution) => at >= '2026-11-19T09'],
    ['createdUntil=2026-11-19T09%3A00%3A00Z', ({ createdDateTime: at }: Execution) => at < '2026-11-19T09'],
    [
      'createdSince=2026-11-18T10%3A00%3A00%2B01%3A00&createdUntil=2026-11-19T09%3A00%3A00Z',
      ({ createdDateTime: at }: Execution) => at >= '2026-11-18T09' && at < '2026-11-19T09',
    ],
  ])('has exactly the executions of %s', async (query, matches) => {
    const all = ((await (await get('/workflows?size=100')).json()) as { content: Execution[] }).content;
    const { content } = (await (await get(`/workflows?size=100&${query}`)).json()) as {
      content: Execution[];
    };
    expect(content).toEqual(all.filter(matches));
    expect(content.length).toBeGreaterThan(0);
    expect(content.length).toBeLessThan(all.length);
  });

  test('has the identifiers of its path', async () => {
    const { content } = await read(`/tables/${tableId}/records`, {});
    expect(new Set(content.map((record) => record['tableId']))).toEqual(new Set([tableId]));
  });

  test('has other entries in another object, which the mock finds by their ids', async () => {
    const all = async (id: string) => (await read(`/tables/${id}/records`, { size: '100' })).content;
    const [here, there] = await Promise.all([all(tableId), all(tableId.replace(/2$/, '1'))]);
    expect(here.length).toBeGreaterThan(40);
    for (const field of ['id', 'name'])
      expect(new Set([...here, ...there].map((record) => record[field])).size).toBe(
        here.length + there.length,
      );
    const path = `/tables/${tableId}/records/${here.at(-1)?.['id']}/attachments`;
    expect((await get(path)).status).toBe(200);
    const name = encodeURIComponent(here.at(-1)?.['name'] ?? '');
    const found = await get(`/tables/${tableId}/records?name=${name}`);
    expect(await found.json()).toEqual({ content: [here.at(-1)] });
  });
});

describe('the history of an execution', () => {
  test('has only states of its definition', async () => {
    const read = async (path: string) => (await get(path)).json() as Promise<{ content: Entry[] }>;
    type Entry = { id: string; state?: string; workflowDefinitionId: string };
    const { content: executions } = await read('/workflows?size=100');
    const states = new Map<string, string[]>();
    for (const { id, workflowDefinitionId } of executions) {
      const { content } = await read(`/workflows/${id}/history`);
      const named = content.flatMap(({ state }) => state ?? []);
      if (named.length > 0) states.set(workflowDefinitionId, named);
    }
    const documented = (await get('/workflows/6a5b4c3d-2e1f-4a9b-8c7d-0e1f2a3b4c01')).json();
    expect([...states.keys()]).toEqual([((await documented) as Entry).workflowDefinitionId]);
    expect(await read('/workflows/6a5b4c3d-2e1f-4a9b-8c7d-0e1f2a3b4c05/history')).toEqual({ content: [] });
  });
});

describe('the list of executions', async () => {
  const read = async (path: string) => (await get(path)).json();
  type Entry = Record<string, string>;
  const { content: entries } = (await read('/workflows?size=100')) as { content: Entry[] };
  const { content: definitions } = (await read('/workflow-definitions')) as { content: Entry[] };

  test('has the newest first, in every status, of definitions that are listed', async () => {
    expect(entries.length).toBeGreaterThan(40);
    const dates = entries.map(({ createdDateTime = '' }) => createdDateTime);
    expect(dates).toEqual([...dates].sort().reverse());
    const { ExecutionStatus } = contract.components['schemas'] as Record<string, { enum: string[] }>;
    for (const status of ExecutionStatus?.enum ?? [])
      expect(entries.filter((entry) => entry['status'] === status).length).toBeGreaterThan(3);
    for (const entry of entries) {
      const { status, name, workflowDefinitionId } = entry;
      expect(definitions).toContainEqual(expect.objectContaining({ id: workflowDefinitionId, name }));
      expect(['failure' in entry, 'endedDateTime' in entry]).toEqual([
        status === 'FAILED',
        status !== 'RUNNING',
      ]);
    }
  });

  test('has the fields that an execution has when it is read', async () => {
    for (const entry of entries) {
      const execution = await read(`/workflows/${entry['id']}`);
      expect(execution).toMatchObject(entry);
      for (const field of ['failure', 'endedDateTime'])
        expect(Object.hasOwn(execution, field), field).toBe(field in entry);
      const { operations } = await checked;
      expect(operations.get('getWorkflow')?.checkReply(200, 'application/json', execution)).toBeUndefined();
      const result = await get(`/workflows/${entry['id']}/result`);
      expect(result.status).toBe(entry['status'] === 'COMPLETED' ? 200 : 404);
    }
  });
});
