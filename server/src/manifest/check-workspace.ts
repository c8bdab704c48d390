import { scopeOf } from '../domain/permissions.ts';
import { type BuiltInRoleName, builtInRoles, isBuiltInRole } from './built-in-roles.ts';
import { checkDefinition } from './check-definition.ts';
import type { PermissionDeclaration, RoleDeclaration, WorkspaceDeclaration } from './platform-file.ts';
import type { Path, Problem } from './problems.ts';
import { repeated } from './repeated.ts';

/** @param emails of the users of the file, in small letters */
export function checkWorkspace(workspace: WorkspaceDeclaration, emails: Set<string>, path: Path): Problem[] {
  const { roles, tables, cases, workflowDefinitions } = workspace;
  return [
    ...uniqueNames(roles, [...path, 'roles']),
    ...uniqueNames(tables, [...path, 'tables']),
    ...uniqueNames(workflowDefinitions, [...path, 'workflowDefinitions']),
    ...tables.flatMap(({ records }, index) => tellableApart(records, [...path, 'tables', index, 'records'])),
    ...tellableApart(cases, [...path, 'cases']),
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

function uniqueNames(things: Named[], path: Path): Problem[] {
  const entries = things.map(({ name }, index): [string, Path] => [name, [...path, index, 'name']]);
  return repeated(entries, 'is named twice');
}

/** Records and cases may share a name as long as each has an identifier to be known by. */
function tellableApart(things: Named[], path: Path): Problem[] {
  const times = new Map<string, number>();
  for (const { name } of things) times.set(name, (times.get(name) ?? 0) + 1);
  return things.flatMap(({ id, name }, index) => {
    if (id !== undefined || times.get(name) === 1) return [];
    return [{ path: [...path, index, 'name'], message: 'is named twice: give each an id' }];
  });
}

function checkBuiltInRoles({ builtInRoles: declared }: WorkspaceDeclaration, path: Path): Problem[] {
  return Object.entries(declared).flatMap(([name, role]) => {
    const { relations } = builtInRoles.find((builtIn) => builtIn.name === (name as BuiltInRoleName)) ?? {};
    return Object.keys(role.permissionIds)
      .filter((relation) => !relations?.some((known) => known === relation))
      .map((relation) => ({
        path: [...path, 'builtInRoles', name, 'permissionIds', relation],
        message: `is no permission of ${name}, which has ${relations?.join(', ')}`,
        atKey: true,
      }));
  });
}

function checkRole(role: RoleDeclaration, { tables }: WorkspaceDeclaration, path: Path): Problem[] {
  const taken = isBuiltInRole(role.name)
    ? [{ path: [...path, 'name'], message: 'is a built-in role: see builtInRoles' }]
    : [];
  const permissions = role.permissions.map((permission, index): [PermissionDeclaration, Path] => [
    permission,
    [...path, 'permissions', index],
  ]);
  const same = permissions.map(([{ relation, on, table }, place]): [string, Path] => [
    `${relation} ${table === undefined ? (on ?? 'workspace') : `table ${findNamed(tables, table)?.name}`}`,
    place,
  ]);
  return [
    ...taken,
    ...repeated(same, 'is permitted twice'),
    ...permissions.flatMap(([permission, place]) => checkPermission(permission, tables, place)),
  ];
}

/** A permission on an object on which nothing ever asks for it would look like more than it is. */
function checkPermission(
  { relation, on, table }: PermissionDeclaration,
  tables: Named[],
  path: Path,
): Problem[] {
  if (on !== undefined && table !== undefined) {
    return [{ path: [...path, 'on'], message: 'and table exclude each other', atKey: true }];
  }
  if (scopeOf(relation) === 'organization' && on !== 'organization') {
    return [{ path: [...path, 'relation'], message: `${relation} is a permission "on: organization"` }];
  }
  if (table === undefined) return [];
  if (scopeOf(relation) === 'workspace') {
    return [{ path: [...path, 'relation'], message: `${relation} is no permission on a table` }];
  }
  if (findNamed(tables, table)) return [];
  return [{ path: [...path, 'table'], message: `is no table of the workspace: ${table}` }];
}

function checkMembers({ members, roles }: WorkspaceDeclaration, emails: Set<string>, path: Path): Problem[] {
  const users = members.map(({ user }, index): [string, Path] => [
    user.toLowerCase(),
    [...path, 'members', index, 'user'],
  ]);
  const unknown = members.flatMap(({ user, role }, index) => {
    const place = [...path, 'members', index];
    const problems: Problem[] = [];
    if (!emails.has(user.toLowerCase())) {
      problems.push({ path: [...place, 'user'], message: `is no user of the file: ${user}` });
    }
    if (!isBuiltInRole(role) && !roles.some(({ name }) => name === role)) {
      problems.push({ path: [...place, 'role'], message: `is no role of the workspace: ${role}` });
    }
    return problems;
  });
  return [...repeated(users, 'is a member twice'), ...unknown];
}

function checkCases({ cases, tables }: WorkspaceDeclaration, path: Path): Problem[] {
  const records = tables.flatMap((table) => table.records);
  return cases.flatMap(({ record }, index) => {
    if (record === undefined || findNamed(records, record)) return [];
    const several = records.filter(({ name }) => name === record).length > 1;
    const message = several
      ? `is the name of several records: give the id of one`
      : `is no record of the workspace: ${record}`;
    return [{ path: [...path, 'cases', index, 'record'], message }];
  });
}

/** What a reference means: an identifier, or a name that only one has. */
export function findNamed<T extends Named>(things: T[], reference: string): T | undefined {
  const byId = things.find(({ id }) => id === reference);
  if (byId) return byId;
  const [first, second] = things.filter(({ name }) => name === reference);
  return second ? undefined : first;
}
