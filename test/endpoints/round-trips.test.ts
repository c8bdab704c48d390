import { beforeEach, describe, expect, test } from 'vitest';
import contract from '../../generated/openapi.json' with { type: 'json' };
import { unserved } from '../../server/src/handlers/index.ts';
import { bodyOf } from '../support/answers.ts';
import { api } from '../support/api.ts';

/**
 * A round trip to the database is what a request costs most: a read takes one for who calls and whether it
 * may, and one for what it reads; a change, one transaction.
 */
const platform = await api();
const { owner, anonymous, world, given, statements } = platform;
const { organization, workspace } = world;

const file = new File(['bytes'], 'a.txt');
const place = { tableId: world.table.id, recordId: world.record.id };
const collection = '/tables/{tableId}/records/{recordId}/attachments';
const attached = await owner.POST(collection, { params: { path: place }, body: { file } });
const attachment = { ...place, attachmentId: attached.data?.id ?? '' };
const { data: resource } = await owner.POST('/resources', { body: { file } });
const parameters = { workflowDefinitionId: world.workflowDefinition.id, parameters: {} };
const { data: parameterSet } = await owner.POST('/parameters', { body: parameters });
const apiKey = await given.apiKey({ user: world.admin, homeWorkspace: workspace });
const { data: tokens } = await anonymous.POST('/auth/authorize', { body: apiKey });

const reads: Record<string, () => Promise<{ response: Response }>> = {
  listUsers: () => owner.GET('/organizations/users', {}),
  getUser: () =>
    owner.GET('/organizations/users/{userId}', { params: { path: { userId: world.member.id } } }),
  listOrganizationRoles: () => owner.GET('/organizations/roles'),
  listWorkspaces: () => owner.GET('/organizations/workspaces'),
  listWorkspaceRoles: () =>
    owner.GET('/organizations/workspaces/{workspaceId}/roles', {
      params: { path: { workspaceId: workspace.id } },
    }),
  listMemberships: () =>
    owner.GET('/organizations/workspaces/{workspaceId}/memberships', {
      params: { path: { workspaceId: workspace.id } },
    }),
  listDirectMemberships: () =>
    owner.GET('/workspaces/{workspaceId}/memberships', { params: { path: { workspaceId: workspace.id } } }),
  listAttachments: () => owner.GET(collection, { params: { path: place } }),
  getAttachmentLink: () => owner.GET(`${collection}/{attachmentId}`, { params: { path: attachment } }),
  downloadResource: () =>
    owner.GET('/resources/{resourceId}', {
      params: { path: { resourceId: resource?.resourceId ?? '' } },
      parseAs: 'blob',
    }),
  getParameterSet: () =>
    owner.GET('/parameters/{parametersId}', {
      params: { path: { parametersId: parameterSet?.parametersId ?? '' } },
    }),
};

beforeEach(() => {
  statements.length = 0;
});

describe('a read takes two round trips at most:', () => {
  test.each(Object.keys(reads))('%s', async (operationId) => {
    const { response } = (await reads[operationId]?.()) ?? {};
    expect(response?.ok).toBe(true);
    expect(statements.filter((text) => !/^\s*(with|select)\b/i.test(text))).toEqual([]);
    expect(statements.length).toBeLessThanOrEqual(2);
  });

  test('and none of the operations that are served is left out', () => {
    const gets = Object.values(contract.paths).flatMap((item) =>
      'get' in item ? [item.get.operationId] : [],
    );
    const served = gets.filter((id) => !(unserved as readonly string[]).includes(id));
    expect(Object.keys(reads).sort()).toEqual(served.sort());
  });
});

test('a request without a credential takes none, and a token that is none of ours none either', async () => {
  await bodyOf(401, anonymous.GET('/organizations/workspaces'));
  const look = (Authorization: string) =>
    owner.fetch('/organizations/workspaces', { headers: { Authorization } });
  await bodyOf(401, look('tot_00000000000000000000000000000000000000'));
  await bodyOf(401, look('Bearer e30.e30.e30'));
  expect(statements).toEqual([]);
});

test('a refusal for want of permission, or of the object, takes one', async () => {
  const { member, stranger } = platform;
  const params = { path: { userId: world.admin.id } };
  await bodyOf(403, member.GET('/organizations/users/{userId}', { params }));
  await bodyOf(404, stranger.POST('/organizations/users/{userId}/terminate', { params }));
  expect(statements).toHaveLength(2);
});

describe('a change is one transaction, after who calls was settled:', () => {
  const user = () => given.user({ organization });
  const at = ({ id }: { id: string }) => ({ params: { path: { userId: id } } });
  const member = ({ id }: { id: string }) => ({
    params: { path: { userId: id, workspaceId: workspace.id } },
  });
  const users = '/organizations/users/{userId}';
  const memberships = '/workspaces/{workspaceId}/memberships/{userId}';
  const changes: Record<string, () => Promise<() => Promise<unknown>>> = {
    updateUserProfile: async () => {
      const names = { firstName: 'A', lastName: 'B', title: '' };
      const of = at(await user());
      return () => bodyOf(200, owner.PUT(`${users}/profile`, { ...of, body: names }));
    },
    changeUserRole: async () => {
      const of = at(await user());
      return () =>
        bodyOf(200, owner.PUT(`${users}/role`, { ...of, body: { roleId: organization.roles.admin } }));
    },
    terminateUser: async () => {
      const of = at(await user());
      return () => bodyOf(200, owner.POST(`${users}/terminate`, of));
    },
    reinstateUser: async () => {
      const of = at(await given.terminatedUser(organization));
      const body = { roleId: organization.roles.admin };
      return () => bodyOf(200, owner.POST(`${users}/reinstate`, { ...of, body }));
    },
    resetUserMfa: async () => {
      const of = at(await user());
      return () => bodyOf(202, owner.POST(`${users}/reset-mfa`, of));
    },
    setMembership: async () => {
      const { id: userId } = await user();
      const body = { userId, roleId: workspace.roles.editor };
      return () => bodyOf(200, owner.PUT(memberships, { ...member({ id: userId }), body }));
    },
    removeMembership: async () => {
      const somebody = await user();
      await given.membership({ workspace, user: somebody, role: 'viewer' });
      return () => bodyOf(200, owner.DELETE(memberships, member(somebody)));
    },
    uploadResource: async () => () => bodyOf(201, owner.POST('/resources', { body: { file } })),
    createAttachment: async () => () =>
      bodyOf(201, owner.POST(collection, { params: { path: place }, body: { file } })),
    deleteAttachment: async () => {
      const { data } = await owner.POST(collection, { params: { path: place }, body: { file } });
      const path = { ...place, attachmentId: data?.id ?? '' };
      return () => bodyOf(204, owner.DELETE(`${collection}/{attachmentId}`, { params: { path } }));
    },
    createParameterSet: async () => () => bodyOf(201, owner.POST('/parameters', { body: parameters })),
    exchangeApiKey: async () => () => bodyOf(200, anonymous.POST('/auth/authorize', { body: apiKey })),
    refreshTokens: async () => () =>
      bodyOf(200, anonymous.POST('/auth/refresh', { body: { refreshToken: tokens?.refreshToken ?? '' } })),
  };

  test.each(Object.keys(changes))('%s', async (operationId) => {
    const change = await changes[operationId]?.();
    statements.length = 0;
    await change?.();
    const words = statements.map((text) => text.trim().split(/\s/, 1)[0]?.toLowerCase());
    const [begin, commit] = [words.indexOf('begin'), words.indexOf('commit')];
    expect(words.filter((word) => word === 'begin' || word === 'start')).toHaveLength(1);
    expect(commit, 'nothing comes after the commit').toBe(words.length - 1);
    const before = words.slice(0, begin);
    expect(
      before.filter((word) => word !== 'with'),
      'only who calls is asked before',
    ).toEqual([]);
    expect(before.length).toBeLessThanOrEqual(operationId === 'createParameterSet' ? 2 : 1);
  });

  test('and none of the operations that are served is left out', () => {
    const ids = Object.values(contract.paths).flatMap((item) =>
      Object.entries(item as Record<string, { operationId?: string }>).flatMap(([method, { operationId }]) =>
        ['post', 'put', 'delete'].includes(method) ? [operationId ?? ''] : [],
      ),
    );
    const served = ids.filter((id) => !(unserved as readonly string[]).includes(id));
    expect(Object.keys(changes).sort()).toEqual(served.sort());
  });
});
