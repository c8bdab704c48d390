import type { EnvironmentName } from '../config.ts';
import { type DemoIds, demoDefinitions } from './demo-file.ts';
import type { PlatformFile } from './platform-file.ts';

/** Who and what of the demo its visitors get to know first. */
export interface DemoFixtures {
  organizationId: string;
  /** An owner, who may do everything. */
  ownerId: string;
  /** A member of the first workspace and of no other. */
  memberId: string;
  ids: DemoIds;
}

/**
 * Picks the cast out of the demo's file: its first owner, the first two members of its first workspace, and the first
 * of everything in that workspace.
 *
 * @throws Error when the demo's file lacks one of them, or its identifier
 */
export function demoFixtures(file: PlatformFile, environment: EnvironmentName): DemoFixtures {
  const { organization, users, workspaces } = given(file.environments[environment], environment);
  const workspace = given(workspaces[0], 'a workspace');
  const table = given(workspace.tables[0], 'a table');
  const [member, colleague] = workspace.members.map(({ user }) =>
    given(
      users.find(({ email, role, status }) => email === user && role === 'member' && status === 'ACTIVE'),
      'active members',
    ),
  );
  const definitions = demoDefinitions.map((name) => {
    const definition = workspace.workflowDefinitions.find((declared) => declared.name === name);
    return [name, idOf(definition, name)];
  });
  const named = Object.fromEntries(definitions) as DemoIds['definitions'];
  return {
    organizationId: idOf(organization, 'the organization'),
    ownerId: idOf(
      users.find(({ role }) => role === 'owner'),
      'an owner',
    ),
    memberId: idOf(member, 'a member'),
    ids: {
      workspaceId: idOf(workspace, 'a workspace'),
      tableId: idOf(table, 'a table'),
      recordId: idOf(table.records[0], 'a record'),
      caseId: idOf(workspace.cases[0], 'a case'),
      userId: idOf(colleague, 'a second member'),
      workflowDefinitionId: named.echo,
      definitions: named,
    },
  };
}

function given<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Error(`The demo's platform file lacks ${what}.`);
  return value;
}

const idOf = (thing: { id?: string } | undefined, what: string) => given(thing?.id, `${what} with an id`);
