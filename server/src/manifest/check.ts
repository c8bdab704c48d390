import { textProblem } from '../../json/index.ts';
import type { EnvironmentName } from '../config.ts';
import { checkWorkspace } from './check-workspace.ts';
import type { EnvironmentDeclaration, PlatformFile } from './platform-file.ts';
import { duplicates, type Path, type Problem } from './problems.ts';

/** Checks what a JSON Schema cannot express: ids and names are unique, and references resolve. */
export function checkContent(file: PlatformFile): Problem[] {
  return Object.entries(file.environments).flatMap(([name, environment]) =>
    checkEnvironment(name as EnvironmentName, environment),
  );
}

function checkEnvironment(name: EnvironmentName, environment: EnvironmentDeclaration): Problem[] {
  const top: Path = ['environments', name];
  const { organization, users, workspaces, webhooks } = environment;
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
  if (!users.some(({ role, status }) => role === 'owner' && status === 'ACTIVE')) {
    const message = `must include an active owner of ${organization.name}`;
    problems.push({ path: [...top, 'users'], message, atKey: true });
  }
  const emails = new Set(users.map(({ email }) => email.toLowerCase()));
  for (const [index, workspace] of workspaces.entries()) {
    const path = [...top, 'workspaces', index];
    if (name === 'sandbox' && workspace.type !== 'SANDBOX') {
      problems.push({ path: [...path, 'type'], message: 'must be SANDBOX in the sandbox environment' });
    }
    problems.push(...checkWorkspace(workspace, emails, path));
  }
  return problems;
}

function isId(path: Path): boolean {
  // A workflow document may use any key for its own purposes.
  if (path[4] === 'workflowDefinitions' && path.length > 7) return false;
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
