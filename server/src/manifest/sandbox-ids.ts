import { builtInRoles } from './built-in-roles.ts';
import { demoPlatformFile } from './demo.ts';
import { derivedId } from './derived-id.ts';
import type { EnvironmentDeclaration, PlatformFile, WorkspaceDeclaration } from './platform-file.ts';
import { readPlatformFile } from './read.ts';

type Named = { id?: string; name: string };

/** The identifiers of the demo's things in production, each with that of the same thing in the sandbox. */
export async function demoSandboxIds(): Promise<Map<string, string>> {
  return sandboxIds(await readPlatformFile(demoPlatformFile));
}

/**
 * The same for any platform file: the user of the same address, the workspace of the same name, and so on. What
 * production's half gives no identifier, or the sandbox's half does not have, is left out.
 */
export function sandboxIds({ environments }: Pick<PlatformFile, 'environments'>): Map<string, string> {
  const pairs = new Map<string, string>();
  const pair = (one: string | undefined, other: string | undefined) => {
    if (one !== undefined && other !== undefined) pairs.set(one, other);
  };
  const { production, sandbox } = environments;
  if (!production || !sandbox) return pairs;
  pairRoles(pair, production, sandbox);
  pair(production.organization.id, sandbox.organization.id);
  for (const user of production.users) {
    const same = sandbox.users.find(({ email }) => email === user.email);
    for (const key of ['id', 'idpId', 'profileId'] as const) pair(user[key], same?.[key]);
  }
  pairNamed(pair, production.workspaces, sandbox.workspaces, (one, other) => {
    pairWorkspaceRoles(pair, one, other);
    pairNamed(pair, one.tables, other.tables, (table, same) => pairNamed(pair, table.records, same.records));
    pairNamed(pair, one.cases, other.cases);
    pairNamed(pair, one.workflowDefinitions, other.workflowDefinitions);
  });
  return pairs;
}

type Pair = (one: string | undefined, other: string | undefined) => void;

function pairNamed<T extends Named>(pair: Pair, some: T[], others: T[], inside?: (one: T, other: T) => void) {
  for (const one of some) {
    const other = others.find(({ name }) => name === one.name);
    pair(one.id, other?.id);
    if (other) inside?.(one, other);
  }
}

/** Roles that the sandbox's half gives no identifier have one that follows from their name. */
function pairRoles(pair: Pair, { organization: one }: EnvironmentDeclaration, other: EnvironmentDeclaration) {
  const { id: parent, roleIds } = other.organization;
  if (parent === undefined) return;
  for (const role of ['owner', 'admin', 'member'] as const)
    pair(one.roleIds[role], roleIds[role] ?? derivedId('sandbox', 'organization roles', parent, role));
}

function pairWorkspaceRoles(pair: Pair, one: WorkspaceDeclaration, other: WorkspaceDeclaration) {
  const { id: parent } = other;
  if (parent === undefined) return;
  const idOf = (name: string, id: string | undefined) =>
    id ?? derivedId('sandbox', 'workspace roles', parent, name);
  for (const { name } of builtInRoles)
    pair(one.builtInRoles[name]?.id, idOf(name, other.builtInRoles[name]?.id));
  for (const { name, id } of one.roles) {
    const same = other.roles.find((role) => role.name === name);
    if (same) pair(id, idOf(name, same.id));
  }
}
