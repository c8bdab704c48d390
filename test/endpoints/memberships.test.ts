import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { api } from '../support/api.ts';
import { emittedBy, eventsOf } from '../support/events.ts';
import type { KnownWorkspace } from '../support/given.ts';
import { bodyOf, expectRefusal, responseOf } from '../support/responses.ts';

const platform = await api();
const { owner, admin, actor, world, given, database, clock } = platform;
const emitted = emittedBy(platform);
const { organization } = world;

type Actor = typeof owner;
const listDirect = (client: Actor, workspaceId: string) =>
  client.GET('/workspaces/{workspaceId}/memberships', { params: { path: { workspaceId } } });
const listAll = (client: Actor, workspaceId: string) =>
  client.GET('/organizations/workspaces/{workspaceId}/memberships', { params: { path: { workspaceId } } });
const set = (
  client: Actor,
  workspaceId: string,
  body: { userId: string; roleId: string },
  userId = body.userId,
) =>
  client.PUT('/workspaces/{workspaceId}/memberships/{userId}', {
    params: { path: { workspaceId, userId } },
    body,
  });
const remove = (client: Actor, workspaceId: string, userId: string) =>
  client.DELETE('/workspaces/{workspaceId}/memberships/{userId}', {
    params: { path: { workspaceId, userId } },
  });

/** The whole body of a direct membership with a built-in role. */
const body = (
  workspace: KnownWorkspace,
  userId: string,
  role: 'Viewer' | 'Editor' | 'Manager',
  createdAt: Date,
) => ({
  workspaceId: workspace.id,
  userId,
  role: {
    id: workspace.roles[role.toLowerCase() as keyof KnownWorkspace['roles']],
    name: role,
    workspaceId: workspace.id,
    createdDateTime: createdAt.toISOString(),
    type: 'WORKSPACE',
  },
});

/** A workspace with two members, one second apart, the second of whom manages it. */
async function workspaceOfTwo() {
  const workspace = await given.workspace({ organization });
  const createdAt = clock.now();
  clock.forward(1000);
  const viewer = await given.caller({ organization, homeWorkspace: workspace });
  await given.membership({ workspace, user: viewer, role: 'viewer' });
  clock.forward(1000);
  const manager = await given.caller({ organization, homeWorkspace: workspace });
  await given.membership({ workspace, user: manager, role: 'manager' });
  const memberships = [
    body(workspace, viewer.id, 'Viewer', createdAt),
    body(workspace, manager.id, 'Manager', createdAt),
  ];
  return { workspace, createdAt, viewer, manager, memberships, asManager: actor(manager.token) };
}

describe('listDirectMemberships', () => {
  test('returns the memberships of the workspace alone, in the order of creation', async () => {
    const { workspace, memberships } = await workspaceOfTwo();
    expect(await bodyOf(200, listDirect(owner, workspace.id))).toEqual(memberships);
  });

  test('keeps the order when a role is changed', async () => {
    const { workspace, viewer, manager } = await workspaceOfTwo();
    await bodyOf(200, set(owner, workspace.id, { userId: viewer.id, roleId: workspace.roles.editor }));
    const { data } = await listDirect(owner, workspace.id);
    expect(data?.map(({ userId }) => userId)).toEqual([viewer.id, manager.id]);
  });

  test('returns each of 501 members once, although a statement reads at most 500', async () => {
    const workspace = await given.workspace({ organization });
    await given.members({ organization, workspace, count: 501 });
    const { data = [] } = await listDirect(owner, workspace.id);
    expect(data).toHaveLength(501);
    expect(new Set(data.map(({ userId }) => userId)).size).toBe(501);
  });

  test('returns an empty list for a workspace without direct members', async () => {
    const { id } = await given.workspace({ organization });
    expect(await bodyOf(200, listDirect(owner, id))).toEqual([]);
  });
});

describe('listMemberships', () => {
  test('returns the direct memberships, then the inherited ones of owners and admins, each in the order of creation', async () => {
    const own = await given.organization();
    const workspace = await given.workspace({ organization: own });
    const workspaceAt = clock.now();
    const inherited = [];
    const callers = [];
    for (const role of ['owner', 'member', 'admin'] as const) {
      clock.forward(1000);
      const caller = await given.caller({ organization: own, role, homeWorkspace: workspace });
      callers.push(caller);
      if (role === 'member') continue;
      inherited.push({
        organizationId: own.id,
        userId: caller.id,
        roleId: own.roles[role],
        status: 'ACTIVE',
      });
    }
    clock.forward(1000);
    const gone = await given.user({ organization: own, role: 'admin', status: 'TERMINATED' });
    inherited.push({
      organizationId: own.id,
      userId: gone.id,
      roleId: own.roles.admin,
      status: 'TERMINATED',
    });
    const [boss, clerk] = callers;
    if (!boss || !clerk) throw new Error('They were made.');
    await given.membership({ workspace, user: clerk, role: 'viewer' });
    clock.forward(1000);
    await given.membership({ workspace, user: boss, role: 'editor' });
    const direct = [
      body(workspace, clerk.id, 'Viewer', workspaceAt),
      body(workspace, boss.id, 'Editor', workspaceAt),
    ];
    for (const { token } of [boss, clerk]) {
      const response = await bodyOf(200, listAll(actor(token), workspace.id));
      expect(response).toEqual({ directMemberships: direct, inheritedMemberships: inherited });
    }
  });
});

describe('setMembership', () => {
  test('adds a member, and emits its event', async () => {
    const { workspace, createdAt, memberships } = await workspaceOfTwo();
    const { id: userId } = await given.user({ organization });
    clock.forward(1000);
    const added = body(workspace, userId, 'Editor', createdAt);
    const events = await eventsOf(database, async () => {
      const request = set(admin, workspace.id, { userId, roleId: workspace.roles.editor });
      expect(await bodyOf(200, request)).toEqual(added);
    });
    expect(events).toEqual([
      emitted('membership.set', { userId, roleId: workspace.roles.editor }, workspace),
    ]);
    expect(await bodyOf(200, listDirect(owner, workspace.id))).toEqual([...memberships, added]);
  });

  test("changes a member's role with effect on the next request", async () => {
    const { workspace, viewer, asManager } = await workspaceOfTwo();
    const promoted = { userId: viewer.id, roleId: workspace.roles.manager };
    const demoted = { userId: viewer.id, roleId: workspace.roles.viewer };
    await expectRefusal(set(actor(viewer.token), workspace.id, promoted), 403, 'permission_denied');
    await bodyOf(200, set(asManager, workspace.id, promoted));
    await bodyOf(200, set(actor(viewer.token), workspace.id, demoted));
    await expectRefusal(set(actor(viewer.token), workspace.id, promoted), 403, 'permission_denied');
    const { data } = await listDirect(owner, workspace.id);
    expect(data).toHaveLength(2);
  });

  test('changes this workspace alone if the user is a member of others', async () => {
    const { workspace, viewer, manager } = await workspaceOfTwo();
    const otherWorkspace = await given.workspace({ organization });
    await given.membership({ workspace: otherWorkspace, user: viewer, role: 'manager' });
    const client = actor(manager.token);
    const change = { userId: viewer.id, roleId: workspace.roles.editor };
    expect(await bodyOf(200, set(client, workspace.id, change))).toMatchObject({
      workspaceId: workspace.id,
      role: { id: workspace.roles.editor },
    });
    expect(await listDirect(owner, otherWorkspace.id)).toMatchObject({
      data: [{ userId: viewer.id, role: { id: otherWorkspace.roles.manager } }],
    });
    const guest = await given.user({ organization });
    await given.membership({ workspace: otherWorkspace, user: guest, role: 'manager' });
    await bodyOf(200, set(client, workspace.id, { userId: guest.id, roleId: workspace.roles.viewer }));
    await given.membership({
      workspace: await given.workspace({ organization }),
      user: guest,
      role: 'viewer',
    });
    await bodyOf(200, set(client, workspace.id, { userId: guest.id, roleId: workspace.roles.editor }));
    for (const { id, roles } of [workspace, otherWorkspace]) {
      const shown = await bodyOf(200, set(owner, id, { userId: guest.id, roleId: roles.viewer }));
      expect(shown).toMatchObject({ workspaceId: id, role: { id: roles.viewer } });
    }
  });

  test('returns the same response for the same role again', async () => {
    const { workspace, memberships, viewer } = await workspaceOfTwo();
    const request = set(owner, workspace.id, { userId: viewer.id, roleId: workspace.roles.viewer });
    expect(await bodyOf(200, request)).toEqual(memberships[0]);
  });

  test('accepts the identifier of the user in upper or lower case', async () => {
    const { workspace, viewer } = await workspaceOfTwo();
    const choice = { userId: viewer.id.toUpperCase(), roleId: workspace.roles.editor };
    expect(await bodyOf(200, set(owner, workspace.id, choice, viewer.id))).toMatchObject({
      userId: viewer.id,
    });
  });

  test('decision 10: refuses a body that names another user than the path: 400 user_id_mismatch', async () => {
    const { workspace, memberships, viewer, manager } = await workspaceOfTwo();
    const choice = { userId: viewer.id, roleId: workspace.roles.manager };
    const events = await eventsOf(database, () =>
      expectRefusal(set(owner, workspace.id, choice, manager.id), 400, 'user_id_mismatch', {
        pointer: '/userId',
      }),
    );
    expect(events).toEqual([]);
    expect(await bodyOf(200, listDirect(owner, workspace.id))).toEqual(memberships);
  });

  test('refuses an unknown role or one of another workspace or the organization: 400 role_unknown', async () => {
    const { workspace, viewer } = await workspaceOfTwo();
    for (const roleId of [world.workspace.roles.viewer, organization.roles.member, randomUUID()]) {
      const refused = set(owner, workspace.id, { userId: viewer.id, roleId });
      await expectRefusal(refused, 400, 'role_unknown', { pointer: '/roleId' });
    }
  });
});

describe('removeMembership', () => {
  test('responds with 200 without a body, and emits its event', async () => {
    const { workspace, viewer, memberships, asManager } = await workspaceOfTwo();
    const events = await eventsOf(database, async () => {
      const response = await responseOf(remove(asManager, workspace.id, viewer.id));
      expect(response).toMatchObject({ status: 200, body: undefined });
      expect(response.headers.get('Content-Length')).toBe('0');
      expect(response.headers.get('Content-Type')).toBeNull();
    });
    expect(events).toEqual([emitted('membership.removed', { userId: viewer.id }, workspace)]);
    expect(await bodyOf(200, listDirect(owner, workspace.id))).toEqual(memberships.slice(1));
    await expectRefusal(listDirect(actor(viewer.token), workspace.id), 403, 'permission_denied');
  });

  test('keeps the memberships of other workspaces', async () => {
    const { workspace, viewer } = await workspaceOfTwo();
    const other = await workspaceOfTwo();
    await given.membership({ workspace: other.workspace, user: viewer, role: 'viewer' });
    await bodyOf(200, remove(owner, workspace.id, viewer.id));
    await bodyOf(200, listDirect(actor(viewer.token), other.workspace.id));
  });

  test('keeps the inherited memberships of owners and admins', async () => {
    const { workspace } = await workspaceOfTwo();
    await given.membership({ workspace, user: world.admin, role: 'viewer' });
    await bodyOf(200, remove(admin, workspace.id, world.admin.id));
    await bodyOf(200, listDirect(admin, workspace.id));
  });

  test('refuses a user without a direct membership: 404 membership_not_found', async () => {
    const { workspace, viewer } = await workspaceOfTwo();
    await bodyOf(200, remove(owner, workspace.id, viewer.id));
    const events = await eventsOf(database, async () => {
      for (const userId of [viewer.id, world.owner.id, randomUUID(), world.stranger.id]) {
        await expectRefusal(remove(owner, workspace.id, userId), 404, 'membership_not_found');
      }
    });
    expect(events).toEqual([]);
  });
});
