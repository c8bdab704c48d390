import type { api } from './api.ts';
import type { KnownWorkspace } from './given.ts';

type Api = Awaited<ReturnType<typeof api>>;
type Actor = ReturnType<Api['actor']>;

const user = (userId: string) => ({ params: { path: { userId } } });

export const changeRole = (client: Actor, userId: string, roleId: string) =>
  client.PUT('/organizations/users/{userId}/role', { ...user(userId), body: { roleId } });
export const terminate = (client: Actor, userId: string) =>
  client.POST('/organizations/users/{userId}/terminate', user(userId));
export const reinstate = (client: Actor, userId: string, roleId: string) =>
  client.POST('/organizations/users/{userId}/reinstate', { ...user(userId), body: { roleId } });
export const resetMfa = (client: Actor, userId: string) =>
  client.POST('/organizations/users/{userId}/reset-mfa', user(userId));
export const setMembership = (client: Actor, workspaceId: string, userId: string, roleId: string) =>
  client.PUT('/workspaces/{workspaceId}/memberships/{userId}', {
    params: { path: { workspaceId, userId } },
    body: { userId, roleId },
  });
export const removeMembership = (client: Actor, workspaceId: string, userId: string) =>
  client.DELETE('/workspaces/{workspaceId}/memberships/{userId}', {
    params: { path: { workspaceId, userId } },
  });

/** Every change of a user that depends on the roles of both; the role that it grants is member. */
export const userChanges = (roles: { member: string }) => ({
  changeUserRole: (client: Actor, userId: string) => changeRole(client, userId, roles.member),
  terminateUser: terminate,
  reinstateUser: (client: Actor, userId: string) => reinstate(client, userId, roles.member),
  resetUserMfa: resetMfa,
});

/**
 * Makes organizations with an owner, an admin, two workspaces, and a role of the second one that carries permissions
 * on the organization.
 */
export const companies =
  ({ given, actor }: Pick<Api, 'given' | 'actor'>) =>
  async () => {
    const organization = await given.organization();
    const { roles } = organization;
    const motor = await given.workspace({ organization });
    const home = await given.workspace({ organization });
    const caller = async (role: 'owner' | 'admin' | 'member' = 'member') => {
      const known = await given.caller({ organization, role, homeWorkspace: motor });
      return { ...known, ...actor(known.token) };
    };
    const member = async (workspace: KnownWorkspace, role: 'manager' | 'viewer' | { id: string }) => {
      const known = await caller();
      await given.membership({ workspace, user: known, role });
      return known;
    };
    const on = { resourceType: 'organization', resourceId: organization.id } as const;
    const desk = (workspace: KnownWorkspace, ...relations: string[]) =>
      given.workspaceRole({ workspace, name: `People desk: ${relations}`, relations, on });
    return {
      organization,
      roles,
      motor,
      home,
      caller,
      member,
      desk,
      owner: await caller('owner'),
      admin: await caller('admin'),
      peopleDesk: await desk(home, 'can_manage_users', 'can_reset_2fa'),
    };
  };
