import { createClient, unwrap } from '@wrp/client';
import { expect, test } from 'vitest';
import { derivedUuid, personOf } from '../../scripts/mock/people.ts';
import { routesOf } from '../../server/contract/index.ts';
import { controlOf, examplePathOf, seededMock, theBundle } from './support.ts';

const seed = 400;
const { baseUrl } = await seededMock(seed);
const client = createClient({ baseUrl, token: 'anything' });
const users = (page: number) =>
  unwrap(client.GET('/organizations/users', { params: { query: { page, size: 100 } } }));
const execution = (number: number) => {
  const params = { path: { workflowId: derivedUuid(`execution ${number}`) } };
  return unwrap(client.GET('/workflows/{workflowId}', { params }));
};

test('a seeded mock has so many more users, whose ids and names depend on their number only', async () => {
  const pages = await Promise.all([0, 1, 2, 3, 4].map(users));
  const all = pages.flatMap(({ content }) => content);
  expect(all).toHaveLength(64 + seed);
  for (const number of [1, 7, seed]) {
    const { account, ...person } = personOf(number);
    expect(all).toContainEqual(
      expect.objectContaining({
        id: derivedUuid(`user ${number}`),
        email: `${account}@alderfinch.example`,
        profile: expect.objectContaining(person),
      }),
    );
  }
  const names = all.map(({ profile }) => `${profile.firstName} ${profile.lastName}`);
  expect(new Set(names).size).toBeGreaterThan(400);
  expect(Math.max(...names.map(({ length }) => length))).toBeGreaterThan(100);
  expect(new Set(all.map(({ profile }) => profile.status)).size).toBe(2);
});

test('the workspaces of a seeded mock have more members than the demo, and not all users', async () => {
  const workspaces = await unwrap(client.GET('/organizations/workspaces'));
  const members = await Promise.all(
    workspaces.map(({ id: workspaceId }) =>
      unwrap(client.GET('/workspaces/{workspaceId}/memberships', { params: { path: { workspaceId } } })),
    ),
  );
  const count = members.flat().length;
  expect(count).toBeGreaterThan(seed / 3);
  expect(count).toBeLessThan(seed);
});

test('the executions of a seeded mock have every status and different dates, and some have results', async () => {
  const executions = await Promise.all(Array.from({ length: seed }, (_, index) => execution(index + 1)));
  const statuses = new Set(executions.map(({ status }) => status));
  expect([...statuses].sort()).toEqual(['CANCELLED', 'COMPLETED', 'EXPIRED', 'FAILED', 'RUNNING']);
  expect(new Set(executions.map(({ expiresAt }) => expiresAt)).size).toBe(seed);
  const completed = executions.findLast(({ status }) => status === 'COMPLETED');
  const params = { path: { workflowId: completed?.id ?? '' } };
  expect(await unwrap(client.GET('/workflows/{workflowId}/result', { params }))).toHaveProperty('claim');
});

test('every ended execution of a seeded mock has a history', async () => {
  const types: Record<string, Set<string>> = {};
  for (const status of ['COMPLETED', 'FAILED', 'CANCELLED', 'EXPIRED'] as const) {
    const query = { status, size: 100 };
    const { content } = await unwrap(client.GET('/workflows', { params: { query } }));
    expect(content.length).toBeGreaterThan(2);
    for (const { id } of content) {
      const params = { path: { workflowId: id } };
      const { content: entries } = await unwrap(client.GET('/workflows/{workflowId}/history', { params }));
      expect(entries, id).not.toEqual([]);
      const [{ input } = {}] = entries;
      if (input) expect(input.value).toMatchObject({ parameters: {}, workflowId: id, locale: 'en' });
      types[status] = new Set([...(types[status] ?? []), entries.at(-1)?.type ?? '']);
    }
  }
  expect(types).toEqual({
    COMPLETED: new Set(['STATE_COMPLETED']),
    FAILED: new Set(['STATE_FAILED']),
    CANCELLED: new Set(['WAIT_STARTED']),
    EXPIRED: new Set(['WAIT_STARTED']),
  });
});

test('a running execution of a seeded mock runs: it ends when the clock advances, and runs again after a reset', async () => {
  const control = controlOf(baseUrl);
  const running = seed - 4;
  expect(await execution(running)).toMatchObject({ name: 'wait', status: 'RUNNING' });
  await control('/clock', { advance: 'PT2H' });
  expect(await execution(running)).toMatchObject({ status: 'COMPLETED' });
  await unwrap(
    client.POST('/organizations/users/{userId}/terminate', {
      params: { path: { userId: derivedUuid('user 1') } },
    }),
  );
  expect((await control('/reset', {})).status).toBe(200);
  expect(await execution(running)).toMatchObject({ status: 'RUNNING' });
  const params = { path: { userId: derivedUuid('user 1') } };
  expect((await unwrap(client.GET('/organizations/users/{userId}', { params }))).profile.status).toBe(
    'ACTIVE',
  );
});

const lists = routesOf(await theBundle()).filter(
  ({ method, operation: { parameters } }) =>
    method === 'get' && parameters.some(({ name }) => name === 'page' || name === 'cursor'),
);

test.each(lists)('$operation.operationId of a seeded mock ends, and has each entry once', async (route) => {
  const ids: string[] = [];
  const isNumbered = route.operation.parameters.some(({ name }) => name === 'page');
  let next: string | undefined = isNumbered ? '0' : '';
  for (let page = 0; next !== undefined; page += 1) {
    expect(page).toBeLessThan(seed);
    const query = new URLSearchParams({ size: '7', ...(next && { [isNumbered ? 'page' : 'cursor']: next }) });
    const response = await fetch(`${baseUrl}${examplePathOf(route)}?${query}`, {
      headers: { Authorization: 'anything' },
    });
    const body = await response.json();
    expect([response.status, body]).toEqual([200, expect.anything()]);
    const entries: { id: string }[] = body.content ?? body.events;
    ids.push(...entries.map(({ id }) => id));
    if (isNumbered) next = page + 1 < body.totalPages ? String(page + 1) : undefined;
    // The events that come later are after the last cursor.
    else next = entries.length > 0 ? body.nextCursor : undefined;
  }
  expect(new Set(ids).size).toBe(ids.length);
  if (/users|records|workflows$/.test(route.path)) expect(ids.length).toBeGreaterThan(seed / 2);
});
