import { sql } from 'kysely';
import { maxMembers } from '../store/memberships.ts';
import type { AppliedOrganization } from './apply-organization.ts';
import { findNamed } from './check.ts';
import {
  builtInRoles,
  type Path,
  type PermissionDeclaration,
  type TableDeclaration,
  type WorkspaceDeclaration,
} from './platform-file.ts';
import { type ApplyContext, derivedId, insertRows, upsertRows } from './rows.ts';

interface AppliedWorkspace {
  workspaceId: string;
  tableIds: Map<TableDeclaration, string>;
  organization: AppliedOrganization;
  path: Path;
}

/** Applies the roles of a workspace, their permissions, and its members. */
export async function applyRoles(
  context: ApplyContext,
  workspace: WorkspaceDeclaration,
  applied: AppliedWorkspace,
): Promise<void> {
  const roles = await upsertRows(
    context,
    'workspace roles',
    declaredRoles(workspace, applied.path).map(({ declaration, path, type }) => ({
      declaration,
      path,
      owned: {
        workspace_id: applied.workspaceId,
        name: declaration.name,
        description: declaration.description,
        type,
      },
    })),
  );
  const permissions = roles.flatMap(({ id, declaration }) =>
    declaration.permissions.map((permission) => permissionRow(permission, id, workspace, context, applied)),
  );
  const ids = roles.map(({ id }) => id);
  await setPermissions(context, ids, permissions);
  const roleIds = new Map(roles.map(({ id, declaration }) => [declaration.name, id]));
  await addMembers(context, workspace, applied, roleIds);
}

function declaredRoles({ builtInRoles: declared, roles }: WorkspaceDeclaration, path: Path) {
  return [
    ...builtInRoles.map(({ name, description, relations }) => {
      const permissions = relations.map(
        (relation): PermissionDeclaration => ({ id: declared[name]?.permissionIds[relation], relation }),
      );
      return {
        declaration: { ...declared[name], name, description, permissions },
        path: [...path, 'builtInRoles', name],
        type: 'WORKSPACE',
      };
    }),
    ...roles.map((declaration, index) => ({ declaration, path: [...path, 'roles', index], type: 'CUSTOM' })),
  ];
}

type PermissionRow = Record<'id' | 'role_id' | 'resource_type' | 'relation' | 'resource_id', string>;

function permissionRow(
  { id, relation, on = 'workspace', table }: PermissionDeclaration,
  roleId: string,
  { tables }: WorkspaceDeclaration,
  { environment }: ApplyContext,
  { workspaceId, tableIds, organization }: AppliedWorkspace,
): PermissionRow {
  const named = table === undefined ? undefined : findNamed(tables, table);
  const container = on === 'organization' ? organization.organizationId : workspaceId;
  const type = named ? 'table' : on;
  const resourceId = named ? (tableIds.get(named) as string) : container;
  return {
    id: id ?? derivedId(environment, 'permission', roleId, relation, type, resourceId),
    role_id: roleId,
    resource_type: type,
    relation,
    resource_id: resourceId,
  };
}

/** Sets the permissions of the roles to exactly those declared: others are removed. */
async function setPermissions(
  { database, changes }: ApplyContext,
  roleIds: string[],
  wanted: PermissionRow[],
): Promise<void> {
  const { rows: stored } = await sql<PermissionRow>`
    select id, role_id, resource_type, relation, resource_id from role_permissions
    where role_id = any(${roleIds}::uuid[])
  `.execute(database);
  const keyOf = (row: PermissionRow) =>
    [row.id, row.role_id, row.resource_type, row.relation, row.resource_id].join(' ');
  const wantedKeys = new Set(wanted.map(keyOf));
  const storedKeys = new Set(stored.map(keyOf));
  const removed = stored.filter((row) => !wantedKeys.has(keyOf(row))).map(({ id }) => id);
  const missing = wanted.filter((row) => !storedKeys.has(keyOf(row)));
  await sql`delete from role_permissions where id = any(${removed}::uuid[])`.execute(database);
  await insertRows(database, 'role_permissions', missing);
  changes.permissions.removed += removed.length;
  changes.permissions.created += missing.length;
  changes.permissions.unchanged += wanted.length - missing.length;
}

/** Adds missing members. Existing members keep their role, which may have been set through the API. */
async function addMembers(
  { database, changes, nextTimestamp, fail }: ApplyContext,
  { members }: WorkspaceDeclaration,
  { workspaceId, organization, path }: AppliedWorkspace,
  roleIds: Map<string, string>,
): Promise<void> {
  const { rows: stored } = await sql<{ user_id: string }>`
    select user_id from memberships where workspace_id = ${workspaceId}
  `.execute(database);
  const memberIds = new Set(stored.map(({ user_id }) => user_id));
  const missing = members
    .map(({ user, role }) => ({
      workspace_id: workspaceId,
      user_id: organization.userIds.get(user.toLowerCase()) as string,
      role_id: roleIds.get(role) as string,
    }))
    .filter(({ user_id }) => !memberIds.has(user_id))
    .map((row) => ({ ...row, created_at: nextTimestamp() }));
  await insertRows(database, 'memberships', missing);
  const { member_count: count } = await database
    .selectFrom('workspaces')
    .select('member_count')
    .where('id', '=', workspaceId)
    .executeTakeFirstOrThrow();
  if (missing.length > 0 && count > maxMembers) {
    const message = `would bring the workspace to ${count} members: the limit is ${maxMembers}`;
    fail([{ path: [...path, 'members'], message }]);
  }
  changes.memberships.created += missing.length;
  changes.memberships.unchanged += members.length - missing.length;
}
