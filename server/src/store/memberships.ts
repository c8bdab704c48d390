import { sql } from 'kysely';
import { operations } from '../../../generated/operations.ts';
import type { Membership, WorkspaceMemberships } from '../../../generated/types.ts';
import { readInBatches } from '../../postgres-client/index.ts';
import type { Caller } from '../domain/caller.ts';
import { mayGrant } from '../domain/grants.ts';
import { beyondOwnPermissions, lockAuthority, lockPermissions, type NotPermitted } from './authority.ts';
import type { Database } from './database.ts';
import type { UserStatus } from './schema.ts';

/** The most direct memberships that a workspace can have. */
export const maxMembers = 10_000;

interface MembershipRow {
  kind: 'direct';
  since: Date;
  workspace_id: string;
  user_id: string;
  role_id: string;
  role_name: string;
  role_type: Membership['role']['type'];
  role_created_at: Date;
}

interface InheritedRow {
  kind: 'inherited';
  since: Date;
  user_id: string;
  role_id: string;
  status: UserStatus;
}

/** A constant, because the planner would otherwise plan each time. */
const atMost = sql.lit(maxMembers);

/** With an offset, because the planner would otherwise read the roles of all workspaces. */
const directMemberships = () => sql`
  select 'direct' as kind, m.workspace_id, m.user_id, m.role_id, r.name as role_name, r.type as role_type,
    r.created_at as role_created_at, null as status, m.created_at as since
  from memberships m cross join lateral (select * from workspace_roles where id = m.role_id offset 0) r`;

/** The first `maxMembers` direct memberships of a workspace, in order of creation. */
export async function listDirectMemberships(database: Database, workspaceId: string): Promise<Membership[]> {
  const readSome = async (last: MembershipRow | undefined, limit: number) => {
    const { rows } = await sql<MembershipRow>`
      ${directMemberships()} where m.workspace_id = ${workspaceId}
        ${last ? sql`and (m.created_at, m.user_id) > (${last.since}, ${last.user_id})` : sql``}
      order by m.created_at, m.user_id limit ${limit}`.execute(database);
    return rows;
  };
  return (await readInBatches(maxMembers, readSome)).map(toMembership);
}

/**
 * The first `maxMembers` direct memberships of a workspace, and the first `maxMembers` memberships that owners and
 * admins inherit from their role in the organization; both in order of creation.
 */
export async function listMemberships(
  database: Database,
  { organizationId, workspaceId }: Record<'organizationId' | 'workspaceId', string>,
): Promise<WorkspaceMemberships> {
  const readSome = async (last: MembershipRow | InheritedRow | undefined, limit: number) => {
    const { rows } = await sql<MembershipRow | InheritedRow>`
      select * from (
        (${directMemberships()} where m.workspace_id = ${workspaceId}
        order by m.created_at, m.user_id limit ${atMost})
        union all
        (select 'inherited', null, u.id, u.role_id, null, null, null, u.status, u.created_at
        from organization_roles o cross join lateral (
          select * from users where role_id = o.id order by created_at, id limit ${atMost}) u
        where o.organization_id = ${organizationId} and o.name in ('owner', 'admin')
        order by u.created_at, u.id limit ${atMost})) listed
      where ${last === undefined} or (since, user_id, kind) >
        (${last?.since ?? null}::timestamptz, ${last?.user_id ?? null}::uuid, ${last?.kind ?? null}::text)
      order by since, user_id, kind limit ${limit}`.execute(database);
    return rows;
  };
  const rows = await readInBatches(2 * maxMembers, readSome);
  return {
    directMemberships: rows.flatMap((row) => (row.kind === 'direct' ? toMembership(row) : [])),
    inheritedMemberships: rows.flatMap((row) =>
      row.kind === 'inherited'
        ? { organizationId, userId: row.user_id, roleId: row.role_id, status: row.status }
        : [],
    ),
  };
}

export interface MembershipChange {
  caller: Caller;
  workspaceId: string;
  userId: string;
}

export type MembershipSetting =
  | { kind: 'set'; membership: Membership }
  | { kind: 'unknown_user' | 'unknown_role' | 'too_many_members' }
  | NotPermitted;

/** Adds the user to the workspace or changes the user's role in it. */
export async function setMembership(
  database: Database,
  { caller, workspaceId, userId }: MembershipChange,
  roleId: string,
  now: Date,
): Promise<MembershipSetting> {
  const required = onWorkspace(operations.setMembership.permission, workspaceId);
  const locked = await lockAuthority(database, caller, required);
  if (locked.kind !== 'permitted') return locked;
  const { rows } = await sql<{ user_known: boolean; role_known: boolean }>`
    select
      exists (select from users where id = ${userId} and organization_id = ${caller.organizationId}) as user_known,
      exists (select from workspace_roles where id = ${roleId} and workspace_id = ${workspaceId}) as role_known
  `.execute(database);
  if (!rows[0]?.user_known) return { kind: 'unknown_user' };
  if (!rows[0].role_known) return { kind: 'unknown_role' };
  const oldRoleId = await lockRole(database, { workspaceId, userId });
  const permissions = await lockPermissions(database, oldRoleId ? [oldRoleId, roleId] : [roleId]);
  if (!mayGrant(locked.authority, workspaceId, permissions)) return beyondOwnPermissions;
  if (!oldRoleId && !(await canAddMember(database, workspaceId))) return { kind: 'too_many_members' };
  await database
    .insertInto('memberships')
    .values({ workspace_id: workspaceId, user_id: userId, role_id: roleId, created_at: now })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'user_id']).doUpdateSet({ role_id: roleId }))
    .execute();
  const set = await sql<MembershipRow>`
    ${directMemberships()} where m.workspace_id = ${workspaceId} and m.user_id = ${userId}`.execute(database);
  return { kind: 'set', membership: toMembership(set.rows[0] as MembershipRow) };
}

/** Whether the workspace can have another member. Its row lock serializes concurrent additions. */
async function canAddMember(transaction: Database, workspaceId: string): Promise<boolean> {
  const { rows } = await sql<{ free: boolean }>`
    select member_count < ${maxMembers} as free from workspaces where id = ${workspaceId} for no key update
  `.execute(transaction);
  return rows[0]?.free === true;
}

export type MembershipRemoval = { kind: 'removed' | 'unknown' } | NotPermitted;

/** Removes the user's direct membership. Inherited memberships cannot be removed. */
export async function removeMembership(
  database: Database,
  { caller, workspaceId, userId }: MembershipChange,
): Promise<MembershipRemoval> {
  const required = onWorkspace(operations.removeMembership.permission, workspaceId);
  const locked = await lockAuthority(database, caller, required);
  if (locked.kind !== 'permitted') return locked;
  const roleId = await lockRole(database, { workspaceId, userId });
  if (!roleId) return { kind: 'unknown' };
  const permissions = await lockPermissions(database, [roleId]);
  if (!mayGrant(locked.authority, workspaceId, permissions)) return beyondOwnPermissions;
  await database
    .deleteFrom('memberships')
    .where('workspace_id', '=', workspaceId)
    .where('user_id', '=', userId)
    .execute();
  return { kind: 'removed' };
}

/** The role of the user's direct membership in the workspace. */
async function lockRole(
  database: Database,
  { workspaceId, userId }: Record<'workspaceId' | 'userId', string>,
): Promise<string | undefined> {
  const row = await database
    .selectFrom('memberships')
    .select('role_id')
    .where('workspace_id', '=', workspaceId)
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirst();
  return row?.role_id;
}

function onWorkspace(relation: string, resourceId: string) {
  return { relation, resourceType: 'workspace', resourceId } as const;
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
