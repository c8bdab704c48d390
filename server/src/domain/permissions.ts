import type { permissions } from '../../../generated/operations.ts';

type Permission = (typeof permissions)[number];
type Scope = 'organization' | 'workspace' | 'table';

/** The smallest object on which each permission is checked. Permissions that no operation needs are missing. */
const scopes: Record<Permission, Scope> = {
  can_manage_users: 'organization',
  can_reset_2fa: 'organization',
  can_receive_events: 'organization',
  can_view_workspace: 'workspace',
  can_manage_workspace_access: 'workspace',
  can_read_attachments: 'table',
  can_edit_attachments: 'table',
};

/** The smallest object on which a permission is checked; undefined if no operation needs it. */
export function scopeOf(permission: string): Scope | undefined {
  return scopes[permission as Permission];
}
