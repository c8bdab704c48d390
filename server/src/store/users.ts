import { type Selectable, sql } from 'kysely';
import { operations } from '../../../generated/operations.ts';
import type { User, UserPage } from '../../../generated/types.ts';
import { statement } from '../../postgres-client/index.ts';
import type { Caller } from '../domain/caller.ts';
import { type Authority, mayActOn } from '../domain/grants.ts';
import type { ProfileTexts } from '../domain/profile.ts';
import { beyondOwnPermissions, lockAuthority, type NotPermitted } from './authority.ts';
import type { Database } from './database.ts';
import type { OrganizationRoleName, Schema } from './schema.ts';

type UserRow = Selectable<Schema['users']>;

/** Whether the representation of an object, which is about to change, is the one that the caller knows. */
export type Precondition = (representation: unknown) => boolean;

type UserKey = Record<'organizationId' | 'userId', string>;

export interface UserChange {
  caller: Caller;
  userId: string;
}

/** A page of users in order of creation, with the total number, in one round trip. Takes as long for any page. */
export async function listUsers(
  database: Database,
  organizationId: string,
  { page, size }: { page: number; size: number },
): Promise<UserPage> {
  // A list, of which PostgreSQL expects ten elements: it keeps one plan, instead of planning each page anew.
  const positions = Array.from({ length: size }, (_, index) => page * size + index + 1);
  const { rows } = await database.executeQuery(statement<{ total: number } & (UserRow | { id: null })>`
    select total.count as total, page.*
    from (
      select coalesce(max(position), 0) as count from user_positions where organization_id = ${organizationId}
    ) total left join (
      select u.*, p.position from user_positions p join users u on u.id = p.user_id
      where p.organization_id = ${organizationId} and p.position = any(${positions}::bigint[])
    ) page on true
    order by page.position`);
  const total = rows[0]?.total ?? 0;
  return {
    content: rows.flatMap((row) => (row.id === null ? [] : toUser(row))),
    totalElements: total,
    totalPages: Math.ceil(total / size),
    size,
    number: page,
  };
}

export type ProfileChange = { kind: 'changed'; user: User } | { kind: 'unknown_user' | 'stale' };

/** Changes the given fields of a profile, at least one, if the user is still current. */
export async function updateProfile(
  database: Database,
  { organizationId, userId }: UserKey,
  { firstName, lastName, title }: Partial<ProfileTexts>,
  isCurrent: Precondition | undefined,
): Promise<ProfileChange> {
  if (isCurrent) {
    const before = await lockRow(database, { organizationId, userId });
    if (!before) return { kind: 'unknown_user' };
    if (!isCurrent(toUser(before))) return { kind: 'stale' };
  }
  const { rows } = await database.executeQuery(statement<UserRow>`
    update users set first_name = coalesce(${firstName}, first_name), last_name = coalesce(${lastName}, last_name),
      title = coalesce(${title}, title)
    where organization_id = ${organizationId} and id = ${userId}
    returning *`);
  const [row] = rows;
  return row ? { kind: 'changed', user: toUser(row) } : { kind: 'unknown_user' };
}

export type RoleChange =
  | { kind: 'changed'; user: User }
  | { kind: 'unknown_user' | 'unknown_role' | 'stale' | 'last_owner' }
  | NotPermitted;

export async function changeRole(
  database: Database,
  change: UserChange,
  roleId: string,
  isCurrent: Precondition | undefined,
): Promise<RoleChange> {
  const locked = await lockUser(database, change, operations.changeUserRole.permission);
  if (locked.kind !== 'locked') return locked;
  const { authority, user, role } = locked;
  const newRole = await findRole(database, user.organization_id, roleId);
  if (!newRole) return { kind: 'unknown_role' };
  if (!mayActOn(authority, role, newRole)) return beyondOwnPermissions;
  if (isCurrent && !isCurrent(toUser(user))) return { kind: 'stale' };
  if (newRole !== 'owner' && (await isLastOwner(database, user))) return { kind: 'last_owner' };
  return { kind: 'changed', user: await setUser(database, user.id, { role_id: roleId }) };
}

export type Termination =
  | { kind: 'terminated' | 'already_terminated'; user: User }
  | { kind: 'unknown_user' | 'own_user' }
  | NotPermitted;

/**
 * Ends the user's access immediately: every credential of the user is revoked in the same transaction. An active owner
 * always remains, because only owners can terminate owners, and nobody can terminate their own user.
 */
export async function terminate(database: Database, change: UserChange, now: Date): Promise<Termination> {
  const locked = await lockUser(database, change, operations.terminateUser.permission);
  if (locked.kind !== 'locked') return locked;
  const { authority, user: before, role } = locked;
  if (!mayActOn(authority, role)) return beyondOwnPermissions;
  if (before.id === change.caller.userId) return { kind: 'own_user' };
  if (before.status === 'TERMINATED') return { kind: 'already_terminated', user: toUser(before) };
  const user = await setUser(database, before.id, { status: 'TERMINATED' });
  for (const table of ['organization_tokens', 'api_keys'] as const) {
    await database
      .updateTable(table)
      .set({ revoked_at: now })
      .where('user_id', '=', before.id)
      .where('revoked_at', 'is', null)
      .execute();
  }
  await revokeSignIns(database, before.id, now);
  return { kind: 'terminated', user };
}

export type Reinstatement =
  | { kind: 'reinstated'; user: User }
  | { kind: 'unknown_user' | 'unknown_role' | 'not_terminated' }
  | NotPermitted;

/** The caller must be permitted to act on both the user's role at termination and the new one. */
export async function reinstate(
  database: Database,
  change: UserChange,
  roleId: string,
): Promise<Reinstatement> {
  const locked = await lockUser(database, change, operations.reinstateUser.permission);
  if (locked.kind !== 'locked') return locked;
  const { authority, user, role } = locked;
  const newRole = await findRole(database, user.organization_id, roleId);
  if (!newRole) return { kind: 'unknown_role' };
  if (!mayActOn(authority, role, newRole)) return beyondOwnPermissions;
  if (user.status !== 'TERMINATED') return { kind: 'not_terminated' };
  const active = { status: 'ACTIVE', role_id: roleId, last_signed_in_at: null } as const;
  return { kind: 'reinstated', user: await setUser(database, user.id, active) };
}

export type MfaReset = { kind: 'reset'; idpId: string } | { kind: 'unknown_user' } | NotPermitted;

/** Deletes the user's enrolled factors and ends the user's sign-ins. */
export async function resetMfa(database: Database, change: UserChange, now: Date): Promise<MfaReset> {
  const locked = await lockUser(database, change, operations.resetUserMfa.permission);
  if (locked.kind !== 'locked') return locked;
  const { authority, user, role } = locked;
  if (!mayActOn(authority, role)) return beyondOwnPermissions;
  await database.deleteFrom('mfa_factors').where('user_id', '=', user.id).execute();
  await revokeSignIns(database, user.id, now);
  return { kind: 'reset', idpId: user.idp_id };
}

async function revokeSignIns(database: Database, userId: string, now: Date): Promise<void> {
  await database
    .updateTable('token_families')
    .set({ revoked_at: now })
    .where('revoked_at', 'is', null)
    .where('api_key_id', 'in', (keys) =>
      keys.selectFrom('api_keys').select('id').where('user_id', '=', userId),
    )
    .execute();
}

type LockedUser =
  | { kind: 'locked'; authority: Authority; user: UserRow; role: OrganizationRoleName }
  | { kind: 'unknown_user' }
  | NotPermitted;

/** Locks the caller's authority, then the user, so that concurrent changes are serialized. */
async function lockUser(
  database: Database,
  { caller, userId }: UserChange,
  permission: string,
): Promise<LockedUser> {
  const { organizationId } = caller;
  const required = {
    relation: permission,
    resourceType: 'organization',
    resourceId: organizationId,
  } as const;
  const locked = await lockAuthority(database, caller, required);
  if (locked.kind !== 'permitted') return locked;
  const user = await lockRow(database, { organizationId, userId });
  if (!user) return { kind: 'unknown_user' };
  return { kind: 'locked', authority: locked.authority, user, role: user.role };
}

async function lockRow(database: Database, { organizationId, userId }: UserKey) {
  const { rows } = await sql<UserRow & { role: OrganizationRoleName }>`
    select u.*, (select r.name from organization_roles r where r.id = u.role_id) as role
    from users u where u.organization_id = ${organizationId} and u.id = ${userId}
    for no key update of u
  `.execute(database);
  return rows[0];
}

async function findRole(database: Database, organizationId: string, roleId: string) {
  const role = await database
    .selectFrom('organization_roles')
    .select('name')
    .where('organization_id', '=', organizationId)
    .where('id', '=', roleId)
    .executeTakeFirst();
  return role?.name;
}

async function isLastOwner(database: Database, user: UserRow): Promise<boolean> {
  if (user.status !== 'ACTIVE') return false;
  // The order makes it a range of an index, however many users have other roles.
  const { rows: owners } = await sql<{ id: string }>`
    select id from users
    where role_id = (select id from organization_roles
        where organization_id = ${user.organization_id} and name = 'owner')
      and status = 'ACTIVE'
    order by created_at, id limit 2
  `.execute(database);
  return owners.length === 1 && owners[0]?.id === user.id;
}

async function setUser(
  database: Database,
  id: string,
  change: Partial<Pick<UserRow, 'role_id' | 'status' | 'last_signed_in_at'>>,
): Promise<User> {
  const row = await database
    .updateTable('users')
    .set(change)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return toUser(row);
}

export function toUser(row: UserRow): User {
  const createdDateTime = row.created_at.toISOString();
  return {
    id: row.id,
    email: row.email,
    idpId: row.idp_id,
    roleId: row.role_id,
    profile: {
      id: row.profile_id,
      firstName: row.first_name,
      lastName: row.last_name,
      title: row.title,
      organizationId: row.organization_id,
      roleId: row.role_id,
      status: row.status,
      createdDateTime,
      lastSignedInAt: row.last_signed_in_at?.toISOString() ?? null,
    },
    createdDateTime,
  };
}
