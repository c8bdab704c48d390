import type { permissions } from '../../../generated/operations.ts';

type Permission = (typeof permissions)[number];
type Scope = 'organization' | 'workspace' | 'table';

/** The smallest kind of object on which an operation asks for a permission; what is not here none asks for. */
const scopes: Record<Permission, Scope> = {
  can_manage_users: 'organization',
  can_reset_2fa: 'organization',
  can_view_workspace: 'workspace',
  can_manage_workspace_access: 'workspace',
  can_read_attachments: 'table',
  can_edit_attachments: 'table',
};

/** On what a permission is asked at the least; undefined for one that no operation asks for. */
export function scopeOf(permission: string): Scope | undefined {
  return scopes[permission as Permission];
}
