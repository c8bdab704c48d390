import { describe, expect, test } from 'vitest';
import { api as startApi } from '../support/api.ts';
import { testVisibleList } from '../support/lists.ts';
import { bodyOf, expectRefusal } from '../support/responses.ts';

const api = await startApi();
const { owner, admin, stranger, actor, world, given, clock } = api;
const { organization, workspace } = world;

describe('listTables', () => {
  testVisibleList(api, {
    path: '/tables',
    add: async (workspace, name) => (await given.table({ workspace, name })).id,
  });

  test('decision 42: returns to a member a table on which alone its role grants can_view_workspace', async () => {
    const own = await given.workspace({ organization });
    const table = await given.table({ workspace: own, name: 'Inspections' });
    const createdDateTime = clock.now().toISOString();
    await given.table({ workspace: own });
    const user = await given.caller({ organization, role: 'member', homeWorkspace: own });
    const id = await given.workspaceRole({
      workspace: own,
      name: 'Surveyor',
      relations: ['can_view_workspace'],
      on: { resourceType: 'table', resourceId: table.id },
    });
    await given.membership({ workspace: own, user, role: { id } });
    const surveyor = actor(user.token);
    expect(await bodyOf(200, surveyor.GET('/tables'))).toEqual({
      content: [{ id: table.id, workspaceId: own.id, name: 'Inspections', createdDateTime }],
    });
    const params = { path: { tableId: table.id } };
    expect(await bodyOf(200, surveyor.GET('/tables/{tableId}/records', { params }))).toEqual({ content: [] });
  });
});

describe('listRecords', () => {
  const list = (tableId: string, query = {}, client = owner) =>
    client.GET('/tables/{tableId}/records', { params: { path: { tableId }, query } });

  test('returns the records of the table in pages, in order of creation', async () => {
    const table = await given.table({ workspace });
    await given.record({ table: await given.table({ workspace }) });
    const records = [];
    for (const name of ['Claim 1', 'Claim 2', 'Claim 3']) {
      clock.forward(1000);
      const { id } = await given.record({ table, name });
      records.push({ id, tableId: table.id, name, createdDateTime: clock.now().toISOString() });
    }
    const first = await bodyOf(200, list(table.id, { size: 2 }, admin));
    expect(first).toEqual({ content: records.slice(0, 2), nextCursor: expect.any(String) });
    const { nextCursor: cursor } = first as { nextCursor: string };
    expect(await bodyOf(200, list(table.id, { size: 2, cursor }))).toEqual({ content: records.slice(2) });
    expect(await bodyOf(200, list(table.id, { name: 'Claim 2' }))).toEqual({ content: [records[1]] });
  });

  test('refuses a table of another organization: 404 table_not_found', async () => {
    await expectRefusal(list(world.table.id, {}, stranger), 404, 'table_not_found');
  });
});
