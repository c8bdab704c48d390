import { scopeOf } from '../domain/permissions.ts';
import { builtInRoles, isBuiltInRole } from './built-in-roles.ts';
import { checkDefinition } from './check-definition.ts';
import type { PermissionDeclaration, RoleDeclaration, WorkspaceDeclaration } from './platform-file.ts';
import { duplicates, type Path, type Problem } from './problems.ts';

/** @param emails email addresses of the users in the file, in lower case */
export function checkWorkspace(workspace: WorkspaceDeclaration, emails: Set<string>, path: Path): Problem[] {
  const { roles, tables, cases, workflowDefinitions } = workspace;
  return [
    ...uniqueNames(roles, [...path, 'roles']),
    ...uniqueNames(tables, [...path, 'tables']),
    ...uniqueNames(workflowDefinitions, [...path, 'workflowDefinitions']),
    ...tables.flatMap(({ records }, index) =>
      distinguishable(records, [...path, 'tables', index, 'records']),
    ),
    ...distinguishable(cases, [...path, 'cases']),
    ...checkBuiltInRoles(workspace, path),
    ...roles.flatMap((role, index) => checkRole(role, workspace, [...path, 'roles', index])),
    ...checkMembers(workspace, emails, path),
    ...checkCases(workspace, path),
    ...workflowDefinitions.flatMap((definition, index) =>
      checkDefinition(definition, [...path, 'workflowDefinitions', index]),
    ),
  ];
}

type Named = { id?: string; name: string };

function uniqueNames(objects: Named[], path: Path): Problem[] {
  return duplicates(
    objects.map(({ name }, index) => [name, [...path, index, 'name']]),
    'is not unique',
  );
}

/** Records and cases may share a name if each has an id. */
function distinguishable(objects: Named[], path: Path): Problem[] {
  const counts = new Map<string, number>();
  for (const { name } of objects) counts.set(name, (counts.get(name) ?? 0) + 1);
  return objects.flatMap(({ id, name }, index) => {
    if (id !== undefined || counts.get(name) === 1) return [];
    return [{ path: [...path, index, 'name'], message: 'is not unique: add an id to each' }];
  });
}

function checkBuiltInRoles({ builtInRoles: declared }: WorkspaceDeclaration, path: Path): Problem[] {
  return builtInRoles.flatMap(({ name, relations }) =>
    Object.keys(declared[name]?.permissionIds ?? {})
      .filter((relation) => !relations.some((known) => known === relation))
      .map((relation) => ({
        path: [...path, 'builtInRoles', name, 'permissionIds', relation],
        message: `is not a permission of ${name}, which has ${relations.join(', ')}`,
        atKey: true,
      })),
  );
}

function checkRole(role: RoleDeclaration, { tables }: WorkspaceDeclaration, path: Path): Problem[] {
  const permissions = role.permissions.map((permission, index) => ({
    permission,
    permissionPath: [...path, 'permissions', index],
  }));
  const grants = permissions.map(({ permission: { relation, on = 'workspace', table }, permissionPath }) => {
    const object = table === undefined ? on : `table ${findNamed(tables, table)?.name}`;
    return [`${relation} ${object}`, permissionPath] as const;
  });
  return [
    ...(isBuiltInRole(role.name)
      ? [{ path: [...path, 'name'], message: 'is a built-in role: use builtInRoles' }]
      : []),
    ...duplicates(grants, 'is a duplicate permission'),
    ...permissions.flatMap(({ permission, permissionPath }) =>
      checkPermission(permission, tables, permissionPath),
    ),
  ];
}

/** Refuses permissions on objects for which no operation requires them: they would look like more than they grant. */
function checkPermission(
  { relation, on, table }: PermissionDeclaration,
  tables: Named[],
  path: Path,
): Problem[] {
  if (on !== undefined && table !== undefined) {
    return [{ path: [...path, 'on'], message: 'cannot be combined with table', atKey: true }];
  }
  if (scopeOf(relation) === 'organization' && on !== 'organization') {
    return [{ path: [...path, 'relation'], message: `${relation} requires "on: organization"` }];
  }
  if (table === undefined) return [];
  if (scopeOf(relation) === 'workspace') {
    return [{ path: [...path, 'relation'], message: `${relation} cannot be granted on a table` }];
  }
  if (findNamed(tables, table)) return [];
  return [{ path: [...path, 'table'], message: `is not a table of the workspace: ${table}` }];
}

function checkMembers({ members, roles }: WorkspaceDeclaration, emails: Set<string>, path: Path): Problem[] {
  const repeated = duplicates(
    members.map(({ user }, index) => [user.toLowerCase(), [...path, 'members', index, 'user']]),
    'is already a member',
  );
  const unknown = members.flatMap(({ user, role }, index) => {
    const problems: Problem[] = [];
    if (!emails.has(user.toLowerCase())) {
      const message = `is not a user in this file: ${user}`;
      problems.push({ path: [...path, 'members', index, 'user'], message });
    }
    if (!isBuiltInRole(role) && !roles.some(({ name }) => name === role)) {
      const message = `is not a role of the workspace: ${role}`;
      problems.push({ path: [...path, 'members', index, 'role'], message });
    }
    return problems;
  });
  return [...repeated, ...unknown];
}

function checkCases({ cases, tables }: WorkspaceDeclaration, path: Path): Problem[] {
  const records = tables.flatMap((table) => table.records);
  return cases.flatMap(({ record }, index) => {
    if (record === undefined || findNamed(records, record)) return [];
    const message = records.some(({ name }) => name === record)
      ? 'matches several records: use an id'
      : `is not a record of the workspace: ${record}`;
    return [{ path: [...path, 'cases', index, 'record'], message }];
  });
}

/** Resolves a reference: an id, or a name that only one object has. */
export function findNamed<T extends Named>(objects: T[], reference: string): T | undefined {
  const byId = objects.find(({ id }) => id === reference);
  if (byId) return byId;
  const [first, second] = objects.filter(({ name }) => name === reference);
  return second ? undefined : first;
}
