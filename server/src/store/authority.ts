import { sql } from 'kysely';
import type { Caller } from '../domain/caller.ts';
import { type Authority, holds, type RolePermission } from '../domain/grants.ts';
import type { Database } from './database.ts';

/**
 * Why a caller whose request was let in may not make a change after all:
 *
 * - `credential_revoked`: the user was terminated or the credential revoked meanwhile
 * - `permission_lost`: the operation's permission was taken away meanwhile
 * - `beyond_own_permissions`: the change acts above the caller's role, or grants what the caller does not hold
 */
export interface NotPermitted {
  kind: 'not_permitted';
  reason: 'credential_revoked' | 'permission_lost' | 'beyond_own_permissions';
}

export const beyondOwnPermissions = { kind: 'not_permitted', reason: 'beyond_own_permissions' } as const;

/**
 * Makes changes of roles, statuses, memberships and role permissions in one organization run one after another.
 * Each of them takes this lock before any other row, so they neither pass each other nor deadlock.
 */
export async function lockOrganization(database: Database, organizationId: string): Promise<void> {
  await sql`select from organizations where id = ${organizationId} for no key update`.execute(database);
}

/**
 * Reads what the caller may do now and keeps it so until the transaction ends. What was settled before the
 * transaction does not count: another change may have come first.
 *
 * @param wanted the operation's permission, on the object that it is asked on
 */
export async function lockAuthority(
  database: Database,
  caller: Caller,
  wanted: Pick<RolePermission, 'relation' | 'resourceType' | 'resourceId'>,
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
  return holds(authority, { ...wanted, workspaceId: null })
    ? { kind: 'permitted', authority }
    : { kind: 'not_permitted', reason: 'permission_lost' };
}

/** What workspace roles permit, all together; kept so until the transaction ends. */
export async function lockPermissions(
  database: Database,
  roleIds: readonly string[],
): Promise<RolePermission[]> {
  const { rows } = await sql<RolePermission>`
    select p.relation, p.resource_type as "resourceType", p.resource_id as "resourceId",
      t.workspace_id as "workspaceId"
    from role_permissions p left join tables t on p.resource_type = 'table' and t.id = p.resource_id
    where p.role_id = any(${roleIds}::uuid[])
    for share of p
  `.execute(database);
  return rows;
}

/** The caller's organization role; undefined where the user is terminated or the credential revoked. */
async function lockRole(database: Database, { userId, credentialId, scheme }: Caller) {
  const credentials = sql.table(scheme === 'organizationToken' ? 'organization_tokens' : 'api_keys');
  // The role in a subquery: a join would lose the row if its role changes while the lock is awaited.
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
