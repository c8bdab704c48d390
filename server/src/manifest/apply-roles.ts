import { sql } from 'kysely';
import { maxMembers } from '../store/memberships.ts';
import type { People } from './apply-organization.ts';
import { builtInRoles } from './built-in-roles.ts';
import { findNamed } from './check-workspace.ts';
import { derivedId } from './derived-id.ts';
import type { PermissionDeclaration, TableDeclaration, WorkspaceDeclaration } from './platform-file.ts';
import type { Path } from './problems.ts';
import { type Applying, insertRows, type KindRule, placeRows } from './rows.ts';

const roleRule: KindRule = {
  kind: 'workspace roles',
  table: 'workspace_roles',
  parent: 'workspace_id',
  name: 'name',
};

/** Where a workspace's roles and members are to be made. */
interface Place {
  workspaceId: string;
  tableIds: Map<TableDeclaration, string>;
  people: People;
  path: Path;
}

/** The roles of a workspace, what they permit, and who has them. */
export async function applyRoles(
  applying: Applying,
  workspace: WorkspaceDeclaration,
  place: Place,
): Promise<void> {
  const roles = [...builtInRolesOf(workspace, place.path), ...customRolesOf(workspace, place.path)];
  const placed = await placeRows(
    applying,
    roleRule,
    roles.map(({ id, createdDateTime, path, name, description, type }) => ({
      ...{ id, createdDateTime, path },
      owned: { workspace_id: place.workspaceId, name, description, type },
    })),
  );
  const permissions = roles.flatMap((role, index) => {
    const roleId = placed[index]?.id as string;
    return role.permissions.map((permission) => toRow(permission, roleId, workspace, applying, place));
  });
  await setPermissions(
    applying,
    placed.map(({ id }) => id),
    permissions,
  );
  const roleIds = new Map(roles.map(({ name }, index) => [name, placed[index]?.id as string]));
  await addMembers(applying, workspace, place, roleIds);
}

function builtInRolesOf({ builtInRoles: declared }: WorkspaceDeclaration, path: Path) {
  return builtInRoles.map(({ name, description, relations }) => {
    const { id, createdDateTime, permissionIds = {} } = declared[name] ?? {};
    const permissions = relations.map((relation): PermissionDeclaration => {
      const permissionId = permissionIds[relation];
      return permissionId === undefined ? { relation } : { id: permissionId, relation };
    });
    const type = 'WORKSPACE';
    return {
      id,
      createdDateTime,
      name,
      description,
      type,
      permissions,
      path: [...path, 'builtInRoles', name],
    };
  });
}

function customRolesOf({ roles }: WorkspaceDeclaration, path: Path) {
  return roles.map(({ id, createdDateTime, name, description, permissions }, index) => {
    const type = 'CUSTOM';
    return { id, createdDateTime, name, description, type, permissions, path: [...path, 'roles', index] };
  });
}

type PermissionRow = Record<'id' | 'role_id' | 'resource_type' | 'relation' | 'resource_id', string>;

function toRow(
  { id, relation, on = 'workspace', table }: PermissionDeclaration,
  roleId: string,
  { tables }: WorkspaceDeclaration,
  { environment }: Applying,
  { workspaceId, tableIds, people }: Place,
): PermissionRow {
  const named = table === undefined ? undefined : findNamed(tables, table);
  const whole = on === 'organization' ? people.organizationId : workspaceId;
  const resource_type = named ? 'table' : on;
  const resource_id = named ? (tableIds.get(named) as string) : whole;
  return {
    id: id ?? derivedId(environment, 'permission', roleId, relation, resource_type, resource_id),
    ...{ role_id: roleId, resource_type, relation, resource_id },
  };
}

/** A role permits what the file says, no less and no more: a permission that was taken out must be gone. */
async function setPermissions(
  { database, changes }: Applying,
  roleIds: string[],
  wanted: PermissionRow[],
): Promise<void> {
  const { rows: present } = await sql<PermissionRow>`
    select id, role_id, resource_type, relation, resource_id from role_permissions
    where role_id = any(${roleIds}::uuid[])
  `.execute(database);
  const text = (row: PermissionRow) =>
    [row.id, row.role_id, row.resource_type, row.relation, row.resource_id].join(' ');
  const keep = new Set(wanted.map(text));
  const have = new Set(present.map(text));
  const superfluous = present.filter((row) => !keep.has(text(row))).map(({ id }) => id);
  const missing = wanted.filter((row) => !have.has(text(row)));
  await sql`delete from role_permissions where id = any(${superfluous}::uuid[])`.execute(database);
  await insertRows(database, 'role_permissions', missing);
  changes.permissions.removed += superfluous.length;
  changes.permissions.created += missing.length;
  changes.permissions.unchanged += wanted.length - missing.length;
}

/** Adds who is missing. A member keeps the role that it has: it may have been given through the API. */
async function addMembers(
  { database, changes, nextMoment, refuse }: Applying,
  { members }: WorkspaceDeclaration,
  { workspaceId, people, path }: Place,
  roleIds: Map<string, string>,
): Promise<void> {
  const { rows: present } = await sql<{ user_id: string }>`
    select user_id from memberships where workspace_id = ${workspaceId}
  `.execute(database);
  const have = new Set(present.map(({ user_id }) => user_id));
  const wanted = members.map(({ user, role }) => ({
    workspace_id: workspaceId,
    user_id: people.userIds.get(user.toLowerCase()) as string,
    role_id: roleIds.get(role) as string,
  }));
  const missing = wanted.filter(({ user_id }) => !have.has(user_id));
  await insertRows(
    database,
    'memberships',
    missing.map((row) => ({ ...row, created_at: nextMoment() })),
  );
  const { member_count: count } = await database
    .selectFrom('workspaces')
    .select('member_count')
    .where('id', '=', workspaceId)
    .executeTakeFirstOrThrow();
  if (missing.length > 0 && count > maxMembers) {
    const message = `would be ${count} members with those that there are: a workspace has at most ${maxMembers}`;
    refuse([{ path: [...path, 'members'], message }]);
  }
  changes.memberships.created += missing.length;
  changes.memberships.unchanged += wanted.length - missing.length;
}
