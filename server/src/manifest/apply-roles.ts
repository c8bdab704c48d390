import { sql } from 'kysely';
import type { EnvironmentName } from '../config.ts';
import { maxMembers } from '../store/memberships.ts';
import type { AppliedOrganization } from './apply-organization.ts';
import type { Named } from './check.ts';
import {
  builtInRoles,
  duplicates,
  type Path,
  type PermissionDeclaration,
  type Problem,
  type TableDeclaration,
  type WorkspaceDeclaration,
} from './platform-file.ts';
import { resolveReferences } from './references.ts';
import { type ApplyContext, auditApplied, derivedId, insertRows, upsertRows } from './rows.ts';

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
    declaredRoles(workspace, applied.path).map((role) => ({
      ...role,
      owned: {
        workspace_id: applied.workspaceId,
        name: role.declaration.name,
        description: role.declaration.description,
        type: role.type,
      },
      initial: { description: '' },
    })),
  );
  const permissions = roles.flatMap((role) =>
    role.permissions.map((declared) => ({ ...declared, roleId: role.id })),
  );
  const { workspaceId, tableIds } = applied;
  const onTables = permissions.flatMap(({ permission: { table }, path }) =>
    table === undefined ? [] : [{ reference: table, path: [...path, 'table'] }],
  );
  const target = { workspaceId, declared: tableIds };
  const ids = await resolveReferences(context, 'table', target, onTables);
  const idOfTable = new Map(onTables.map(({ reference }, index) => [reference, ids[index]]));
  const wanted = permissions.map(({ permission, roleId, path, idPath }) => ({
    grant: grantOf(permission, roleId, permission.table && idOfTable.get(permission.table), applied),
    id: permission.id,
    path,
    idPath,
  }));
  await setPermissions(
    context,
    roles.map(({ id }) => id),
    wanted,
  );
  const roleIds = new Map(roles.map(({ id, declaration }) => [declaration, id]));
  await addMembers(context, workspace, applied, roleIds);
}

function declaredRoles({ builtInRoles: declared, roles }: WorkspaceDeclaration, path: Path) {
  return [
    ...builtInRoles.map(({ name, description, relations }) => {
      const rolePath: Path = [...path, 'builtInRoles', name];
      return {
        declaration: { ...declared[name], name, description },
        path: rolePath,
        type: 'WORKSPACE',
        permissions: relations.map((relation) => ({
          permission: { id: declared[name]?.permissionIds[relation], relation } as PermissionDeclaration,
          path: [...rolePath, 'permissionIds'] as Path,
          idPath: [...rolePath, 'permissionIds', relation],
        })),
      };
    }),
    ...roles.map((declaration, index) => {
      const rolePath: Path = [...path, 'roles', index];
      return {
        declaration,
        path: rolePath,
        type: 'CUSTOM',
        permissions: declaration.permissions.map((permission, at) => ({
          permission,
          path: [...rolePath, 'permissions', at],
          idPath: [...rolePath, 'permissions', at, 'id'],
        })),
      };
    }),
  ];
}

/** What a permission grants. A role has each grant once. */
type Grant = Record<'role_id' | 'resource_type' | 'relation' | 'resource_id', string>;
type PermissionRow = Grant & { id: string };

interface WantedPermission {
  grant: Grant;
  /** Absent: the stored one, or a derived one. */
  id: string | undefined;
  path: Path;
  idPath: Path;
}

const partsOf = ({ role_id, relation, resource_type, resource_id }: Grant) => [
  role_id,
  relation,
  resource_type,
  resource_id,
];
const keyOf = (grant: Grant) => partsOf(grant).join(' ');

function grantOf(
  { relation, on = 'workspace' }: PermissionDeclaration,
  roleId: string,
  tableId: string | undefined,
  { workspaceId, organization }: AppliedWorkspace,
): Grant {
  const container = on === 'organization' ? organization.organizationId : workspaceId;
  return {
    role_id: roleId,
    resource_type: tableId ? 'table' : on,
    relation,
    resource_id: tableId ?? container,
  };
}

/** Sets the permissions of the roles to exactly those declared: others are removed. A grant keeps its id. */
async function setPermissions(
  context: ApplyContext,
  roleIds: string[],
  wanted: WantedPermission[],
): Promise<void> {
  const { database, environment, changes, fail } = context;
  const { rows } = await sql<PermissionRow>`
    select id, role_id, resource_type, relation, resource_id from role_permissions
    where role_id = any(${roleIds}::uuid[])
  `.execute(database);
  const stored = new Map(rows.map((row) => [keyOf(row), row.id]));
  const declaredIds = new Set(wanted.map(({ id }) => id));
  const kept = new Set<string>();
  const missing: PermissionRow[] = [];
  // The file may name a stored table once by its name and once by its id.
  const problems: Problem[] = duplicates(
    wanted.map(({ grant, path }) => [keyOf(grant), path]),
    'is a duplicate permission',
  );
  for (const { grant, id, idPath } of wanted) {
    const known = stored.get(keyOf(grant));
    if (known === undefined || (id === undefined && declaredIds.has(known))) {
      missing.push({ id: id ?? derivedGrantId(environment, grant, declaredIds), ...grant });
    } else if (id === undefined || id === known) kept.add(known);
    else {
      const message = `does not match: the role already has this permission with id ${known}`;
      problems.push({ path: idPath, message });
    }
  }
  if (problems.length > 0) fail(problems);
  const removed = rows.map(({ id }) => id).filter((id) => !kept.has(id));
  await sql`delete from role_permissions where id = any(${removed}::uuid[])`.execute(database);
  await insertRows(database, 'role_permissions', missing);
  const auditEach = (change: string, grants: PermissionRow[]) => {
    for (const { role_id, relation, resource_type, resource_id } of grants)
      auditApplied(context, 'workspace role', role_id, { change, relation, resource_type, resource_id });
  };
  auditEach(
    'permission removed',
    rows.filter(({ id }) => !kept.has(id)),
  );
  auditEach('permission added', missing);
  changes.permissions.removed += removed.length;
  changes.permissions.created += missing.length;
  changes.permissions.unchanged += kept.size;
}

function derivedGrantId(environment: EnvironmentName, grant: Grant, taken: Set<string | undefined>): string {
  const derive = (...more: string[]) => derivedId(environment, 'permission', ...partsOf(grant), ...more);
  const id = derive();
  return taken.has(id) ? derive('next') : id;
}

/** Adds missing members. Existing members keep their role, which may have been set through the API. */
async function addMembers(
  context: ApplyContext,
  { members }: WorkspaceDeclaration,
  { workspaceId, organization, path }: AppliedWorkspace,
  declaredRoleIds: Map<Named, string>,
): Promise<void> {
  const { database, changes, nextTimestamp, fail } = context;
  const { rows: stored } = await sql<{ user_id: string }>`
    select user_id from memberships where workspace_id = ${workspaceId}
  `.execute(database);
  const memberIds = new Set(stored.map(({ user_id }) => user_id));
  const userIds = await organization.userIdsOf(
    members.map(({ user }, index) => ({ user, path: [...path, 'members', index, 'user'] })),
  );
  const roleIds = await resolveReferences(
    context,
    'role',
    { workspaceId, declared: declaredRoleIds },
    members.map(({ role }, index) => ({ reference: role, path: [...path, 'members', index, 'role'] })),
  );
  const missing = members
    .map((_, index) => ({
      workspace_id: workspaceId,
      user_id: userIds[index] as string,
      role_id: roleIds[index] as string,
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
  for (const { user_id, role_id: roleId } of missing)
    auditApplied(context, 'user', user_id, { change: 'membership added', workspaceId, roleId });
  changes.memberships.created += missing.length;
  changes.memberships.unchanged += members.length - missing.length;
}
