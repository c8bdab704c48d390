import { problemOfLimits, validateDefinition, warningsOf } from '../../asl/index.ts';
import { type Json, type JsonObject, messageOf, textProblem } from '../../json/index.ts';
import {
  compileInputSchema,
  problemsOfLimits,
  problemsOfSchema,
  reportedErrors,
} from '../../json-schema/index.ts';
import type { EnvironmentName } from '../config.ts';
import { scopeOf } from '../domain/grants.ts';
import { isTimeZone, problemOfCron } from '../schedules/calendar.ts';
import { supportedResources } from '../workflows/tasks/task.ts';
import { checkArguments } from './check-arguments.ts';
import { checkErrorNames } from './check-errors.ts';
import {
  builtInRoles,
  duplicates,
  type EnvironmentDeclaration,
  isBuiltInRole,
  type Path,
  type PermissionDeclaration,
  type PlatformFile,
  type Problem,
  pathOf,
  type RoleDeclaration,
  type ScheduleDeclaration,
  type WorkflowDefinitionDeclaration,
  type WorkspaceDeclaration,
} from './platform-file.ts';

/**
 * Checks what a JSON Schema cannot express, such as that ids and names are unique. Whether references resolve is
 * checked by `resolveReferences`: they may be to stored objects.
 */
export function checkContent(file: PlatformFile): Problem[] {
  return Object.entries(file.environments).flatMap(([name, environment]) =>
    checkEnvironment(name as EnvironmentName, environment),
  );
}

function checkEnvironment(name: EnvironmentName, environment: EnvironmentDeclaration): Problem[] {
  const top: Path = ['environments', name];
  const { users, workspaces, webhooks } = environment;
  const strings = [...stringsIn(environment, top)];
  const problems: Problem[] = [
    ...strings
      .filter(([text]) => textProblem(text))
      .map(([, path]) => ({ path, message: 'contains a character that cannot be stored' })),
    // An id must be unique among objects of all kinds, which detects mistakes of copying.
    ...duplicates(
      strings.filter(([, path]) => isId(path)),
      'is already the id of another object',
    ),
    ...duplicates(
      users.map(({ email }, index) => [email.toLowerCase(), [...top, 'users', index, 'email']]),
      'is already the address of another user',
    ),
    ...duplicates(
      workspaces.map((workspace, index) => [workspace.name, [...top, 'workspaces', index, 'name']]),
      'is already the name of another workspace',
    ),
    ...duplicates(
      // The normalized form of equivalent URLs is the same.
      webhooks.map(({ url }, index) => [new URL(url).href, [...top, 'webhooks', index, 'url']]),
      'is already the URL of another webhook',
    ),
  ];
  for (const [index, workspace] of workspaces.entries()) {
    const path = [...top, 'workspaces', index];
    if (name === 'sandbox' && workspace.type === 'LIVE') {
      problems.push({ path: [...path, 'type'], message: 'must be SANDBOX in the sandbox environment' });
    }
    problems.push(...checkWorkspace(workspace, path));
  }
  return problems;
}

function isId(path: Path): boolean {
  // A workflow document and parameters may use any key for their own purposes.
  if (['workflowDefinitions', 'schedules'].includes(String(path[4])) && path.length > 7) return false;
  const [parent, key] = path.slice(-2);
  return key === 'id' || key === 'profileId' || parent === 'roleIds' || parent === 'permissionIds';
}

function* stringsIn(value: unknown, path: Path): Generator<[text: string, path: Path]> {
  if (typeof value === 'string') yield [value, path];
  else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      yield* stringsIn(item, [...path, Array.isArray(value) ? Number(key) : key]);
    }
  }
}

function checkWorkspace(workspace: WorkspaceDeclaration, path: Path): Problem[] {
  const { roles, tables, cases, workflowDefinitions, schedules } = workspace;
  return [
    ...uniqueNames(roles, [...path, 'roles']),
    ...uniqueNames(tables, [...path, 'tables']),
    ...uniqueNames(workflowDefinitions, [...path, 'workflowDefinitions']),
    ...uniqueNames(schedules, [...path, 'schedules']),
    ...tables.flatMap(({ records }, index) =>
      distinguishable(records, [...path, 'tables', index, 'records']),
    ),
    ...distinguishable(cases, [...path, 'cases']),
    ...checkBuiltInRoles(workspace, path),
    ...roles.flatMap((role, index) => checkRole(role, workspace, [...path, 'roles', index])),
    ...checkMembers(workspace, path),
    ...checkCases(workspace, path),
    ...workflowDefinitions.flatMap((definition, index) =>
      checkDefinition(definition, [...path, 'workflowDefinitions', index]),
    ),
    ...schedules.flatMap((schedule, index) =>
      checkSchedule(schedule, workspace, [...path, 'schedules', index]),
    ),
  ];
}

export type Named = { id?: string; name: string };

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
    const object = table === undefined ? on : `table ${findNamed(tables, table)?.name ?? table}`;
    return [`${relation} ${object}`, permissionPath] as const;
  });
  return [
    ...(isBuiltInRole(role.name)
      ? [{ path: [...path, 'name'], message: 'is a built-in role: use builtInRoles' }]
      : []),
    ...duplicates(grants, 'is a duplicate permission'),
    ...permissions.flatMap(({ permission, permissionPath }) => checkPermission(permission, permissionPath)),
  ];
}

/** Refuses permissions on objects for which no operation requires them: they would look like more than they grant. */
function checkPermission({ relation, on, table }: PermissionDeclaration, path: Path): Problem[] {
  if (on !== undefined && table !== undefined) {
    return [{ path: [...path, 'on'], message: 'cannot be combined with table', atKey: true }];
  }
  if (scopeOf(relation) === 'organization' && on !== 'organization') {
    return [{ path: [...path, 'relation'], message: `${relation} requires "on: organization"` }];
  }
  if (table === undefined || scopeOf(relation) !== 'workspace') return [];
  return [{ path: [...path, 'relation'], message: `${relation} cannot be granted on a table` }];
}

function checkMembers({ members }: WorkspaceDeclaration, path: Path): Problem[] {
  return duplicates(
    members.map(({ user }, index) => [user.toLowerCase(), [...path, 'members', index, 'user']]),
    'is already a member',
  );
}

function checkCases({ cases, tables }: WorkspaceDeclaration, path: Path): Problem[] {
  const records = tables.flatMap((table) => table.records);
  return cases.flatMap(({ record }, index) => {
    const isAmbiguous =
      typeof record === 'string' &&
      !findNamed(records, record) &&
      records.some(({ name }) => name === record);
    if (!isAmbiguous) return [];
    return [{ path: [...path, 'cases', index, 'record'], message: 'matches several records: use an id' }];
  });
}

function checkSchedule(
  schedule: ScheduleDeclaration,
  { workflowDefinitions }: WorkspaceDeclaration,
  path: Path,
): Problem[] {
  const { definition: reference, cron, timeZone } = schedule;
  const problems: Problem[] = [];
  const add = (field: string, message: string) => void problems.push({ path: [...path, field], message });
  const cronProblem = problemOfCron(cron);
  if (cronProblem) add('cron', cronProblem);
  if (timeZone !== undefined && !isTimeZone(timeZone))
    add('timeZone', 'must be a name of the IANA time zone database, for example Europe/Berlin');
  const definition = findNamed(workflowDefinitions, reference);
  return [...problems, ...checkParameters(schedule, definition?.inputSchema, path)];
}

/** The platform refuses such a start. A schedule without parameters keeps those that are stored. */
export function checkParameters(
  { parameters }: ScheduleDeclaration,
  schema: JsonObject | undefined,
  path: Path,
): Problem[] {
  if (!parameters || !schema || checkInputSchema(schema, []).length > 0) return [];
  return reportedErrors(compileInputSchema(schema), parameters).map((error) => ({
    path: [...path, 'parameters', ...pathOf(error.instancePath, parameters)],
    message: messageOf(error),
  }));
}

/** Resolves a reference: an id, or a name that only one object has. */
export function findNamed<T extends Named>(objects: T[], reference: string): T | undefined {
  const byId = objects.find(({ id }) => id === reference);
  if (byId) return byId;
  const [first, second] = objects.filter(({ name }) => name === reference);
  return second ? undefined : first;
}

/** Checks the steps and the input schema of a workflow definition. */
export function checkDefinition(
  { definition, inputSchema }: WorkflowDefinitionDeclaration,
  path: Path,
): Problem[] {
  return [
    ...(inputSchema ? checkInputSchema(inputSchema, [...path, 'inputSchema']) : []),
    ...checkStates(definition, [...path, 'definition']),
  ];
}

/** Checks a document in the Amazon States Language. */
export function checkStates(document: unknown, path: Path = []): Problem[] {
  const checked = validateDefinition(document, supportedResources);
  const problems = 'problems' in checked ? checked.problems : [];
  return problems.map((problem) => ({
    path: [...path, ...pathOf(problem.path, document)],
    message: problem.message,
  }));
}

/**
 * Checks what the rules of the language leave open: arguments, error names, and fields of the context object.
 *
 * @param path the path of the document in its file
 */
export async function checkFurther(
  document: unknown,
  path: Path = [],
): Promise<{ errors: Problem[]; warnings: Problem[] }> {
  if (problemOfLimits(document)) return { errors: [], warnings: [] };
  const { errors, warnings } = await checkArguments(document, path);
  const undefinedHere = warningsOf(document).map(({ path: pointer, message }) => ({
    path: [...path, ...pathOf(pointer, document)],
    message,
    warning: true as const,
  }));
  return { errors, warnings: [...warnings, ...undefinedHere, ...checkErrorNames(document, path)] };
}

function checkInputSchema(schema: Json, path: Path): Problem[] {
  const limits = problemsOfLimits(schema);
  // A schema beyond the limits may take long to check.
  const problems = limits.length > 0 ? limits : problemsOfSchema(schema);
  if (problems.length > 0) {
    return problems.map(({ pointer, message }) => ({ path: [...path, ...pathOf(pointer, schema)], message }));
  }
  try {
    compileInputSchema(schema);
    return [];
  } catch (error) {
    return [{ path, message: `cannot be compiled: ${(error as Error).message}` }];
  }
}
