import { sql } from 'kysely';
import type { Caller } from '../domain/caller.ts';
import { type Authority, holds, type RolePermission } from '../domain/grants.ts';
import type { Database } from './database.ts';

/**
 * Why a caller that passed authentication and authorization may not make a change after all:
 *
 * - `credential_revoked`: the user was terminated or the credential revoked in the meantime
 * - `permission_lost`: the operation's permission was revoked in the meantime
 * - `beyond_own_permissions`: the change affects a higher role than the caller's, or grants permissions that the caller
 *   does not hold
 */
export interface NotPermitted {
  kind: 'not_permitted';
  reason: 'credential_revoked' | 'permission_lost' | 'beyond_own_permissions';
}

export const beyondOwnPermissions = { kind: 'not_permitted', reason: 'beyond_own_permissions' } as const;

/**
 * Serializes changes of roles, statuses, memberships and role permissions within an organization. Each takes this lock
 * before any other row lock, which rules out deadlocks.
 */
export async function lockOrganization(database: Database, organizationId: string): Promise<void> {
  await sql`select from organizations where id = ${organizationId} for no key update`.execute(database);
}

/**
 * Reads the caller's current permissions and locks them until the transaction ends. The check made before the
 * transaction is not enough: another change may have committed since.
 *
 * @param required the operation's permission, and the object on which it is required
 */
export async function lockAuthority(
  database: Database,
  caller: Caller,
  required: Pick<RolePermission, 'relation' | 'resourceType' | 'resourceId'>,
): Promise<{ kind: 'permitted'; authority: Authority } | NotPermitted> {
  const { organizationId } = caller;
  await lockOrganization(database, organizationId);
  const organizationRole = await lockRole(database, caller);
  if (!organizationRole) return { kind: 'not_permitted', reason: 'credential_revoked' };
  const permissions =
    organizationRole === 'member'
      ? await lockPermissions(database, await lockWorkspaceRoles(database, caller))
      : [];
  const authority = { organizationId, organizationRole, permissions };
  return holds(authority, { ...required, workspaceId: null })
    ? { kind: 'permitted', authority }
    : { kind: 'not_permitted', reason: 'permission_lost' };
}

/** The combined permissions of workspace roles, locked until the transaction ends. */
export async function lockPermissions(
  database: Database,
  roleIds: readonly string[],
): Promise<RolePermission[]> {
  const { rows } = await sql<RolePermission>`
    select p.relation, p.resource_type as "resourceType", p.resource_id as "resourceId",
      t.workspace_id as "workspaceId"
    from role_permissions p left join tables t on t.id = p.resource_id
    where p.role_id = any(${roleIds}::uuid[])
    for share of p
  `.execute(database);
  return rows;
}

/** @returns the caller's organization role; undefined if the user is terminated or the credential revoked */
async function lockRole(database: Database, { userId, credentialId, scheme }: Caller) {
  const credentials = sql.table(scheme === 'organizationToken' ? 'organization_tokens' : 'api_keys');
  // A subquery, because a join would lose the row if the role changes while this statement waits for the lock.
  const { rows } = await sql<{ role: Caller['organizationRole'] }>`
    select (select r.name from organization_roles r where r.id = u.role_id) as role
    from users u where u.id = ${userId} and u.status = 'ACTIVE'
      and exists (select from ${credentials} c where c.id = ${credentialId} and c.revoked_at is null)
    for no key update of u
  `.execute(database);
  return rows[0]?.role;
}

async function lockWorkspaceRoles(database: Database, { userId }: Caller): Promise<string[]> {
  const rows = await database
    .selectFrom('memberships')
    .select('role_id')
    .where('user_id', '=', userId)
    .forShare()
    .execute();
  return rows.map(({ role_id }) => role_id);
}
