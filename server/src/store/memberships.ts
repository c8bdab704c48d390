import { sql } from 'kysely';
import type { InheritedMembership, Membership } from '../../../generated/types.ts';
import type { Database } from './database.ts';

interface MembershipRow {
  workspace_id: string;
  user_id: string;
  role_id: string;
  role_name: string;
  role_type: Membership['role']['type'];
  role_created_at: Date;
}

/** The direct memberships of a workspace, in the order of their creation. */
export async function listDirectMemberships(database: Database, workspaceId: string): Promise<Membership[]> {
  const rows = await withRoles(database)
    .where('memberships.workspace_id', '=', workspaceId)
    .orderBy('memberships.created_at')
    .orderBy('memberships.user_id')
    .execute();
  return rows.map(toMembership);
}

/** What the owners and admins of the workspace's organization are in it without a membership of its own. */
export async function listInheritedMemberships(
  database: Database,
  organizationId: string,
): Promise<InheritedMembership[]> {
  return database
    .selectFrom('users')
    .innerJoin('organization_roles', 'organization_roles.id', 'users.role_id')
    .select([
      'users.organization_id as organizationId',
      'users.id as userId',
      'users.role_id as roleId',
      'users.status',
    ])
    .where('users.organization_id', '=', organizationId)
    .where('organization_roles.name', 'in', ['owner', 'admin'])
    .orderBy('users.created_at')
    .orderBy('users.id')
    .execute();
}

export type MembershipSetting =
  | { kind: 'set'; membership: Membership }
  | { kind: 'unknown_user' | 'unknown_role' };

/** Adds the user to the workspace, or gives another role in it. */
export async function setMembership(
  database: Database,
  {
    organizationId,
    workspaceId,
    userId,
    roleId,
  }: Record<'organizationId' | 'workspaceId' | 'userId' | 'roleId', string>,
  now: Date,
): Promise<MembershipSetting> {
  const { rows } = await sql<{ user_known: boolean; role_known: boolean }>`
    select exists (select from users where id = ${userId} and organization_id = ${organizationId}) as user_known,
      exists (select from workspace_roles where id = ${roleId} and workspace_id = ${workspaceId}) as role_known
  `.execute(database);
  if (!rows[0]?.user_known) return { kind: 'unknown_user' };
  if (!rows[0].role_known) return { kind: 'unknown_role' };
  await database
    .insertInto('memberships')
    .values({ workspace_id: workspaceId, user_id: userId, role_id: roleId, created_at: now })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'user_id']).doUpdateSet({ role_id: roleId }))
    .execute();
  const row = await withRoles(database)
    .where('memberships.workspace_id', '=', workspaceId)
    .where('memberships.user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return { kind: 'set', membership: toMembership(row) };
}

export async function removeMembership(
  database: Database,
  { organizationId, workspaceId, userId }: Record<'organizationId' | 'workspaceId' | 'userId', string>,
): Promise<'removed' | 'unknown_user' | 'unknown_membership'> {
  const removed = await database
    .deleteFrom('memberships')
    .where('workspace_id', '=', workspaceId)
    .where('user_id', '=', userId)
    .returning('user_id')
    .executeTakeFirst();
  if (removed) return 'removed';
  const user = await database
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();
  return user ? 'unknown_membership' : 'unknown_user';
}

function withRoles(database: Database) {
  return database
    .selectFrom('memberships')
    .innerJoin('workspace_roles', 'workspace_roles.id', 'memberships.role_id')
    .select([
      'memberships.workspace_id',
      'memberships.user_id',
      'memberships.role_id',
      'workspace_roles.name as role_name',
      'workspace_roles.type as role_type',
      'workspace_roles.created_at as role_created_at',
    ]);
}

function toMembership(row: MembershipRow): Membership {
  return {
    workspaceId: row.workspace_id,
    userId: row.user_id,
    role: {
      id: row.role_id,
      name: row.role_name,
      workspaceId: row.workspace_id,
      createdDateTime: row.role_created_at.toISOString(),
      type: row.role_type,
    },
  };
}
