import { describe, expect, test } from 'vitest';
import { api } from '../support/api.ts';
import { bodyOf, expectRefusal } from '../support/responses.ts';

const { owner, admin, outsider, stranger, actor, world, given, clock } = await api();
const { organization, workspace, table, record } = world;

const body = ({ id }: { id: string }, workspaceType = 'LIVE') => ({
  id,
  workspaceType,
  name: `Workspace ${id}`,
  description: '',
});

describe('listOrganizationRoles', () => {
  const path = '/organizations/roles';

  test('returns owner, admin and member of the own organization, in the order of creation, then of id', async () => {
    const roles = Object.entries(organization.roles).map(([name, id]) => ({
      id,
      name,
      organizationId: organization.id,
    }));
    const inOrder = roles.sort((one, other) => (one.id < other.id ? -1 : 1));
    expect(await bodyOf(200, owner.GET(path))).toEqual(inOrder);
    expect(await bodyOf(200, admin.GET(path))).toEqual(inOrder);
  });

  test('returns to a stranger the roles of its own organization', async () => {
    const { data } = await stranger.GET(path);
    const { id, roles } = world.strangersOrganization;
    expect(data?.map((role) => role.organizationId)).toEqual([id, id, id]);
    expect(data?.map((role) => role.id).sort()).toEqual(Object.values(roles).sort());
  });
});

describe('listWorkspaces', () => {
  const path = '/organizations/workspaces';

  /** An organization with three workspaces, the last of them a sandbox. */
  async function threeWorkspaces() {
    const own = await given.organization();
    const workspaces = [];
    for (const type of ['LIVE', 'LIVE', 'SANDBOX'] as const) {
      clock.forward(1000);
      workspaces.push(await given.workspace({ organization: own, type }));
    }
    const [first, second, third] = workspaces;
    if (!first || !second || !third) throw new Error('Three were made.');
    const caller = async (role: 'owner' | 'admin' | 'member') => {
      const user = await given.caller({ organization: own, role, homeWorkspace: first });
      return { user, actor: actor(user.token) };
    };
    return { own, first, second, third, caller };
  }

  test.each(['owner', 'admin'] as const)(
    'returns all of them to an %s, in the order of creation',
    async (role) => {
      const { first, second, third, caller } = await threeWorkspaces();
      const response = await bodyOf(200, (await caller(role)).actor.GET(path));
      expect(response).toEqual([body(first), body(second), body(third, 'SANDBOX')]);
    },
  );

  test('returns to a member those in which its role grants can_view_workspace', async () => {
    const { first, second, third, caller } = await threeWorkspaces();
    const { user, actor } = await caller('member');
    const blind = await given.workspaceRole({
      workspace: first,
      name: 'Blind',
      relations: ['can_edit_data'],
    });
    await given.membership({ workspace: first, user, role: { id: blind } });
    await given.membership({ workspace: third, user, role: 'viewer' });
    await given.membership({ workspace: second, user, role: 'manager' });
    expect(await bodyOf(200, actor.GET(path))).toEqual([body(second), body(third, 'SANDBOX')]);
  });

  test('returns all of them to a member with can_view_workspace on the organization', async () => {
    const { own, first, second, third, caller } = await threeWorkspaces();
    const { user, actor } = await caller('member');
    const auditor = await given.workspaceRole({
      workspace: second,
      name: 'Auditor',
      relations: ['can_view_workspace'],
      on: { resourceType: 'organization', resourceId: own.id },
    });
    await given.membership({ workspace: second, user, role: { id: auditor } });
    expect(await bodyOf(200, actor.GET(path))).toEqual([body(first), body(second), body(third, 'SANDBOX')]);
  });

  test('returns an empty list to a member of no workspace', async () => {
    expect(await bodyOf(200, outsider.GET(path))).toEqual([]);
  });

  test('never returns a workspace of another organization', async () => {
    expect(await bodyOf(200, stranger.GET(path))).toEqual([body(world.strangersWorkspace)]);
  });
});

describe('listWorkspaceRoles', () => {
  const path = '/organizations/workspaces/{workspaceId}/roles';
  const list = (client: typeof owner, workspaceId: string) =>
    client.GET(path, { params: { path: { workspaceId } } });

  test('returns the roles with their permissions, in the order of creation', async () => {
    const own = await given.workspace({ organization });
    const table = await given.table({ workspace: own });
    const builtInAt = clock.now().toISOString();
    clock.forward(1000);
    const id = await given.workspaceRole({
      workspace: own,
      name: 'Claims clerk',
      relations: ['can_edit_attachments', 'can_edit_data'],
      on: { resourceType: 'table', resourceId: table.id },
    });
    clock.forward(1000);
    const idle = await given.workspaceRole({ workspace: own, name: 'Idle', relations: [] });
    const { data } = await list(owner, own.id);
    expect(
      data
        ?.slice(0, 3)
        .map(({ name }) => name)
        .sort(),
    ).toEqual(['Editor', 'Manager', 'Viewer']);
    expect(data?.find(({ name }) => name === 'Viewer')).toEqual({
      id: own.roles.viewer,
      name: 'Viewer',
      workspaceId: own.id,
      description: '',
      type: 'WORKSPACE',
      createdDateTime: builtInAt,
      permissions: expect.arrayContaining(
        ['can_view_workspace', 'can_read_attachments'].map((relation) => ({
          id: expect.any(String),
          relation,
          resourceType: 'workspace',
          resourceId: own.id,
        })),
      ),
    });
    const onTable = { resourceType: 'table', resourceId: table.id };
    expect(data?.slice(3)).toMatchObject([
      {
        id,
        name: 'Claims clerk',
        type: 'CUSTOM',
        permissions: expect.arrayContaining([
          { id: expect.any(String), relation: 'can_edit_attachments', ...onTable },
          { id: expect.any(String), relation: 'can_edit_data', ...onTable },
        ]),
      },
      { id: idle, name: 'Idle', type: 'CUSTOM', permissions: [] },
    ]);
    for (const { permissions } of data ?? []) {
      const ids = permissions.map((permission) => permission.id);
      expect(ids).toEqual([...ids].sort());
    }
  });

  test('accepts the identifier of the workspace in upper case', async () => {
    const { data } = await list(owner, workspace.id.toUpperCase());
    expect(data?.[0]?.workspaceId).toBe(workspace.id);
  });
});

describe('a permission', () => {
  test.each([
    ['another organization', 'organization', world.strangersOrganization.id],
    ['an organization, with the identifier of the workspace', 'organization', workspace.id],
    ['a workspace, with the identifier of the organization', 'workspace', organization.id],
    ['a workspace, with the identifier of the table', 'workspace', table.id],
    ['a table, with the identifier of the workspace', 'table', workspace.id],
    ['a table, with the identifier of the organization', 'table', organization.id],
  ] as const)('on %s, holds for neither workspace nor table: 403', async (_on, resourceType, resourceId) => {
    const user = await given.caller({ organization, role: 'member', homeWorkspace: workspace });
    const relations = ['can_view_workspace', 'can_read_attachments'];
    const on = { resourceType, resourceId };
    const id = await given.workspaceRole({ workspace, name: `${resourceType} ${resourceId}`, relations, on });
    await given.membership({ workspace, user, role: { id } });
    const client = actor(user.token);
    expect(await bodyOf(200, client.GET('/organizations/workspaces'))).toEqual([]);
    const inWorkspace = { params: { path: { workspaceId: workspace.id } } };
    const roles = client.GET('/organizations/workspaces/{workspaceId}/roles', inWorkspace);
    await expectRefusal(roles, 403, 'permission_denied');
    const onRecord = { params: { path: { tableId: table.id, recordId: record.id } } };
    const attachments = client.GET('/tables/{tableId}/records/{recordId}/attachments', onRecord);
    await expectRefusal(attachments, 403, 'permission_denied');
  });
});
