import type { permissions } from '../../../generated/operations.ts';
import type { Caller } from './caller.ts';

type OrganizationRole = Caller['organizationRole'];

/** A permission of a workspace role. */
export interface RolePermission {
  relation: string;
  resourceType: 'organization' | 'workspace' | 'table';
  resourceId: string;
  /** The workspace of the table; null for other objects. */
  workspaceId: string | null;
}

/** The organization role of a caller and the permissions of its workspace roles. */
export interface Authority {
  organizationRole: OrganizationRole;
  organizationId: string;
  permissions: readonly RolePermission[];
}

const rank: Record<OrganizationRole, number> = { member: 0, admin: 1, owner: 2 };

/**
 * Whether a caller may change a user. Nobody acts above their own organization role: only owners on owners, admins
 * on admins and members, others on members.
 *
 * @param roles the user's current role, and the role that the change assigns
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
 * Whether a caller who manages access to a workspace may grant, replace or revoke a role with these permissions.
 * Managing access includes every permission on the workspace and its tables; a permission on the organization or
 * another workspace must be held there.
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

type Permission = (typeof permissions)[number];
type Scope = 'organization' | 'workspace' | 'table';

/** The smallest object on which each permission is checked. Permissions that no operation needs are missing. */
const scopes: Record<Permission, Scope> = {
  can_manage_users: 'organization',
  can_reset_2fa: 'organization',
  can_receive_events: 'organization',
  can_view_workspace: 'workspace',
  can_view_history: 'workspace',
  can_manage_workspace_access: 'workspace',
  can_read_attachments: 'table',
  can_edit_attachments: 'table',
};

/** The smallest object on which a permission is checked; undefined if no operation needs it. */
export function scopeOf(permission: string): Scope | undefined {
  return scopes[permission as Permission];
}
