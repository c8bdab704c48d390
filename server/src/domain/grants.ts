import type { Caller } from './caller.ts';

type OrganizationRole = Caller['organizationRole'];

/** A permission as a workspace role carries it. */
export interface RolePermission {
  relation: string;
  resourceType: 'organization' | 'workspace' | 'table';
  resourceId: string;
  /** The table's workspace; null for a permission on anything else. */
  workspaceId: string | null;
}

/** What a caller may do: its organization role, and what its workspace roles grant. */
export interface Authority {
  organizationRole: OrganizationRole;
  organizationId: string;
  permissions: readonly RolePermission[];
}

const rank: Record<OrganizationRole, number> = { member: 0, admin: 1, owner: 2 };

/**
 * Whether a caller may change a user. Nobody acts above their own organization role: only an owner on owners, an
 * admin on admins and members, anyone else on members.
 *
 * @param roles the user's role now, and the role that the change gives
 */
export function mayActOn({ organizationRole }: Authority, ...roles: OrganizationRole[]): boolean {
  return roles.every((role) => rank[role] <= rank[organizationRole]);
}

/**
 * Whether a caller holds a permission on an object: as owner or admin, on the object itself, on the workspace that
 * it belongs to, or on the organization. The rule of `decideAccess` in store/access.ts.
 */
export function holds(authority: Authority, wanted: RolePermission): boolean {
  if (authority.organizationRole !== 'member') return true;
  return authority.permissions.some(
    (held) => held.relation === wanted.relation && covers(held, wanted, authority.organizationId),
  );
}

/**
 * Whether a caller who manages access to a workspace may grant, replace or take away roles of it with these
 * permissions. Managing access covers every permission on the workspace and on the tables in it; what reaches
 * beyond it, to the organization or another workspace, the caller must hold there.
 */
export function mayGrant(
  authority: Authority,
  workspaceId: string,
  permissions: readonly RolePermission[],
): boolean {
  return permissions.every((permission) => isWithin(permission, workspaceId) || holds(authority, permission));
}

function covers(held: RolePermission, wanted: RolePermission, organizationId: string): boolean {
  switch (held.resourceType) {
    case 'organization':
      return held.resourceId === organizationId;
    case 'workspace':
      return isWithin(wanted, held.resourceId);
    case 'table':
      return wanted.resourceType === 'table' && wanted.resourceId === held.resourceId;
  }
}

function isWithin({ resourceType, resourceId, workspaceId: parent }: RolePermission, workspaceId: string) {
  return resourceType === 'workspace' ? resourceId === workspaceId : parent === workspaceId;
}
