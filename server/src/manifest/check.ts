import type { EnvironmentName } from '../config.ts';
import { checkWorkspace } from './check-workspace.ts';
import type { EnvironmentDeclaration, PlatformFile, WorkspaceDeclaration } from './platform-file.ts';
import type { Path, Problem } from './problems.ts';
import { repeated } from './repeated.ts';
import { sameAddress } from './webhook-address.ts';

/** What a JSON Schema cannot say: that identifiers and names are unique, and that what is referred to is there. */
export function problemsOfContent(file: PlatformFile): Problem[] {
  return Object.entries(file.environments).flatMap(([name, environment]) =>
    checkEnvironment(name as EnvironmentName, environment),
  );
}

function checkEnvironment(name: EnvironmentName, environment: EnvironmentDeclaration): Problem[] {
  const top: Path = ['environments', name];
  const { organization, users, workspaces, webhooks } = environment;
  const problems = [
    ...unstorableTexts(environment, top),
    ...repeatedIds(environment, top),
    ...repeated(
      users.map(({ email }, index) => [email.toLowerCase(), [...top, 'users', index, 'email']]),
      'is the address of another user, too',
    ),
    ...repeated(
      workspaces.map((workspace, index) => [workspace.name, [...top, 'workspaces', index, 'name']]),
      'is the name of another workspace, too',
    ),
    ...repeated(
      webhooks.map(({ url }, index) => [sameAddress(url), [...top, 'webhooks', index, 'url']]),
      'is the address of another webhook, too',
    ),
  ];
  if (!users.some(({ role, status }) => role === 'owner' && status === 'ACTIVE')) {
    problems.push({
      path: [...top, 'users'],
      message: `must hold an active owner of ${organization.name}`,
      atKey: true,
    });
  }
  const emails = new Set(users.map(({ email }) => email.toLowerCase()));
  for (const [index, workspace] of workspaces.entries()) {
    const path = [...top, 'workspaces', index];
    problems.push(...checkType(name, workspace, path), ...checkWorkspace(workspace, emails, path));
  }
  return problems;
}

function checkType(environment: EnvironmentName, { type }: WorkspaceDeclaration, path: Path): Problem[] {
  if (environment !== 'sandbox' || type === 'SANDBOX') return [];
  return [{ path: [...path, 'type'], message: 'must be SANDBOX in the sandbox environment' }];
}

const isIdKey = (key: string | number, parent: string | number | undefined) =>
  key === 'id' || key === 'profileId' || parent === 'roleIds' || parent === 'permissionIds';

/** Inside of what a definition is made of, any key is somebody else's. */
const isInDocument = (path: Path) => path[4] === 'workflowDefinitions' && path.length > 7;

/** No two things share an identifier, whatever they are: a mistake of copying shows at once. */
function repeatedIds(environment: EnvironmentDeclaration, top: Path): Problem[] {
  const ids: [string, Path][] = [];
  walk(environment, top, (text, path) => {
    if (!isInDocument(path) && isIdKey(path.at(-1) ?? '', path.at(-2))) ids.push([text, path]);
  });
  return repeated(ids, 'is the identifier of something else, too');
}

/** PostgreSQL keeps no zero character, and half a surrogate pair is no character at all. */
function unstorableTexts(environment: EnvironmentDeclaration, top: Path): Problem[] {
  const problems: Problem[] = [];
  walk(environment, top, (text, path) => {
    if (text.includes('\0') || !text.isWellFormed()) {
      problems.push({ path, message: 'holds a character that cannot be stored' });
    }
  });
  return problems;
}

function walk(value: unknown, path: Path, visit: (text: string, path: Path) => void): void {
  if (typeof value === 'string') {
    visit(value, path);
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) walk(item, [...path, index], visit);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) walk(item, [...path, key], visit);
  }
}
