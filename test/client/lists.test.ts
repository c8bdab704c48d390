import { createClient, eachItem } from '@wrp/client';
import { describe, expect, test } from 'vitest';
import { type ErrorResponse, errorBody, failingServer } from './support.ts';

const server = await failingServer();
const client = createClient({ baseUrl: server.baseUrl, token: 'tot_1', retries: 0 });
const tableId = '9a3c5e70-1b2d-4f48-a6c9-8d7e6f5a4b01';
const withCursor = (id: string, nextCursor?: string) => ({
  content: [{ id }],
  ...(nextCursor && { nextCursor }),
});
const numbered = (number: number) => ({ content: [{ id: `${number}` }], number, totalPages: 3 });
const respond = (...pages: object[]) =>
  server.respondWith(...pages.map((page): ErrorResponse => [200, {}, page]));
const queries = () => server.requests.map(({ path }) => path.split('?')[1]);

async function idsOf(items: AsyncIterable<{ id: string }>, used: (id: string) => void = () => {}) {
  const ids: string[] = [];
  for await (const { id } of items) {
    ids.push(id);
    used(id);
  }
  return ids;
}

describe('eachItem', () => {
  test('follows the cursors of a list, with the same filters', async () => {
    respond(withCursor('a', 'c1'), withCursor('b', 'c2'), withCursor('c'));
    const params = { path: { tableId }, query: { name: 'Claim' } };
    const items = eachItem(client, '/tables/{tableId}/records', { params });
    expect(await idsOf(items)).toEqual(['a', 'b', 'c']);
    expect(queries()).toEqual([
      'size=100&name=Claim',
      'size=100&name=Claim&cursor=c1',
      'size=100&name=Claim&cursor=c2',
    ]);
  });

  test('counts the pages of a list with numbers', async () => {
    respond(numbered(1), numbered(2));
    const params = { query: { size: 1, page: 1 } };
    expect(await idsOf(eachItem(client, '/organizations/users', { params }))).toEqual(['1', '2']);
    expect(queries()).toEqual(['size=1&page=1', 'size=1&page=2']);
  });

  test('begins after the cursor of the query, and continues over an empty page', async () => {
    respond({ content: [], nextCursor: 'c2' }, withCursor('c'));
    const params = { query: { cursor: 'c1' } };
    expect(await idsOf(eachItem(client, '/workflows', { params }))).toEqual(['c']);
    expect(queries()).toEqual(['size=100&cursor=c1', 'size=100&cursor=c2']);
  });

  test('keeps its filters if the caller changes the query between pages', async () => {
    respond(withCursor('a', 'c1'), withCursor('b'));
    const query: { status?: 'FAILED' | 'RUNNING' } = { status: 'FAILED' };
    await idsOf(eachItem(client, '/workflows', { params: { query } }), () => {
      query.status = 'RUNNING';
    });
    expect(queries()).toEqual(['size=100&status=FAILED', 'size=100&status=FAILED&cursor=c1']);
  });

  test('fetches a page only when the previous one is used up', async () => {
    respond(withCursor('a', 'c1'));
    for await (const { id } of eachItem(client, '/cases')) if (id) break;
    expect(server.requests).toHaveLength(1);
  });

  test.each([
    ['cursor', [withCursor('a', 'c1'), withCursor('b', 'c1')]],
    ['cycle of cursors', [withCursor('a', 'c1'), withCursor('b', 'c2'), withCursor('c', 'c1')]],
    ['number', [numbered(0), numbered(0)]],
  ])('throws if a %s repeats', async (_what, pages) => {
    respond(...pages);
    await expect(idsOf(eachItem(client, '/workflows'))).rejects.toThrow('The list does not end.');
    expect(server.requests).toHaveLength(pages.length);
  });

  test('throws the error of a later page after the items before it', async () => {
    server.respondWith([200, {}, withCursor('a', 'c1')], [500, {}, errorBody('internal_error')]);
    const used: string[] = [];
    const ids = idsOf(eachItem(client, '/tables'), (id) => void used.push(id));
    await expect(ids).rejects.toThrow('internal_error');
    expect(used).toEqual(['a']);
  });

  test('stops between pages when the caller aborts', async () => {
    respond(withCursor('a', 'c1'), withCursor('b'));
    const controller = new AbortController();
    const items = eachItem(client, '/workflow-definitions', { signal: controller.signal });
    const ids = idsOf(items, () => controller.abort(new Error('Stopped by the caller.')));
    await expect(ids).rejects.toThrow('Stopped by the caller.');
    expect(server.requests).toHaveLength(1);
  });
});
