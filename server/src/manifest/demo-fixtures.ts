import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { EnvironmentName } from '../config.ts';
import { type DemoIds, demoDefinitions } from './demo-file.ts';
import type { Declaration, PlatformFile } from './platform-file.ts';

const files = join(import.meta.dirname, '../../demo/files');

/** The file of an attachment of the demo: that of its name, or text of this size. */
export function demoFile({ name, size }: { name: string; size: number }): Buffer {
  const file = join(files, basename(name));
  return existsSync(file) ? readFileSync(file) : Buffer.alloc(size, 'The vehicle was inspected. ');
}

/** The objects of the demo that its examples use. */
export interface DemoFixtures {
  organizationId: string;
  /** An owner, who has every permission. */
  ownerId: string;
  /** A member of the first workspace only. */
  memberId: string;
  ids: DemoIds;
}

/**
 * Selects the first owner, the first workspace, its first two members, and its first object of each kind.
 *
 * @throws Error if the platform file lacks one of them, or its id
 */
export function demoFixtures(file: PlatformFile, environment: EnvironmentName): DemoFixtures {
  const { organization, users, workspaces } = required(file.environments[environment], environment);
  const workspace = required(workspaces[0], 'a workspace');
  const table = required(workspace.tables[0], 'a table');
  const [member, colleague] = workspace.members.map(({ user }) =>
    required(
      users.find(({ email, role, status }) => email === user && role === 'member' && status === 'ACTIVE'),
      'active members',
    ),
  );
  const owner = users.find(({ role }) => role === 'owner');
  const definitions = Object.fromEntries(
    workspace.workflowDefinitions.map((definition) => [definition.name, idOf(definition, definition.name)]),
  ) as DemoIds['definitions'];
  for (const name of demoDefinitions) required(definitions[name], name);
  return {
    organizationId: idOf(organization, 'the organization'),
    ownerId: idOf(owner, 'an owner'),
    memberId: idOf(member, 'a member'),
    ids: {
      workspaceId: idOf(workspace, 'a workspace'),
      tableId: idOf(table, 'a table'),
      recordId: idOf(table.records[0], 'a record'),
      caseId: idOf(workspace.cases[0], 'a case'),
      userId: idOf(colleague, 'a second member'),
      workflowDefinitionId: definitions.echo,
      definitions,
    },
  };
}

function required<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Error(`The demo's platform file lacks ${what}.`);
  return value;
}

const idOf = (declaration: Declaration | undefined, what: string) =>
  required(declaration?.id, `${what} with an id`);
