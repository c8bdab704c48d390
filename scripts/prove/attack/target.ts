import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findPostgres } from '../../../server/embedded-postgres/index.ts';
import { type EnvironmentName, environmentNames } from '../../../server/src/config.ts';
import type { DemoEnvironment } from '../../../server/src/manifest/demo-file.ts';
import { createOrganizationToken } from '../../../server/src/store/credentials.ts';
import { type Database, openDatabase } from '../../../server/src/store/database.ts';
import { type DescribedExecution, describeExecution } from '../../../server/src/store/execution-list.ts';
import { CommandError } from '../../command-line/command.ts';
import type { PlatformProcess } from '../platform.ts';
import { type Received, send } from './send.ts';

/** The users of the attacked organization, with what they may do. */
const users = {
  owner: { role: 'owner' },
  admin: { role: 'admin' },
  /** Manages users and resets their second factors, by a role of a workspace. */
  officer: { role: 'member', memberOf: 'People desk' },
  /** Only manages users. */
  personnel: { role: 'member', memberOf: 'Users' },
  /** Only resets second factors. */
  helpdesk: { role: 'member', memberOf: 'Second factors' },
  /** Manages a workspace. */
  manager: { role: 'member', memberOf: 'Manager' },
  clerk: { role: 'member' },
  formerOwner: { role: 'owner', status: 'TERMINATED' },
  formerAdmin: { role: 'admin', status: 'TERMINATED' },
  formerMember: { role: 'member', status: 'TERMINATED' },
} as const satisfies Record<string, UserKind>;

interface UserKind {
  role: 'owner' | 'admin' | 'member';
  /** The role in the workspace. */
  memberOf?: string;
  status?: 'TERMINATED';
}

export type UserName = keyof typeof users;
const userEntries = Object.entries<UserKind>(users) as [UserName, UserKind][];
const userNames = userEntries.map(([name]) => name);

/** A workflow definition for an attack. */
export interface Definition {
  name: string;
  inputSchema?: object;
  states: Record<string, object>;
}

const newIds = <Name extends string>(names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, randomUUID()])) as Record<Name, string>;

/** The objects of the attacked organization, the same in both environments. */
export const ids = {
  organization: randomUUID(),
  workspace: randomUUID(),
  table: randomUUID(),
  record: randomUUID(),
  case: randomUUID(),
  users: newIds(userNames),
  organizationRoles: newIds(['owner', 'admin', 'member']),
  workspaceRoles: newIds(['People desk', 'Users', 'Second factors', 'Viewer', 'Editor', 'Manager']),
};

/** One environment of the attacked platform. */
export interface Target {
  name: EnvironmentName;
  baseUrl: string;
  dataDirectory: string;
  demo: DemoEnvironment;
  /** The demo of the other environment. */
  elsewhere: DemoEnvironment;
  database: Database;
  tokens: Record<UserName, string>;
  /** Ids of the definitions by name. */
  definitions: ReadonlyMap<string, string>;
  request(method: string, path: string, body?: unknown, token?: string): Promise<Received>;
  /** Starts an execution as the owner. */
  start(definition: string, parameters: unknown): Promise<Received>;
  /** Waits until an execution has ended. */
  ending(start: Received): Promise<DescribedExecution>;
}

/**
 * Creates the attacked organization in both environments, with `wrp apply`, and gives each of its users a token.
 *
 * @param webhooks URLs that receive every event
 */
export async function openTargets(
  { demo, sandbox }: PlatformProcess,
  dataDirectory: string,
  definitions: readonly Definition[] = [],
  webhooks: readonly string[] = [],
): Promise<{ targets: Target[] } & AsyncDisposable> {
  const known = new Map(definitions.map(({ name }) => [name, randomUUID()]));
  const applied = await apply(dataDirectory, platformFile(definitions, known, webhooks));
  if (applied !== undefined)
    throw new CommandError(`wrp apply refused the attacked organization: ${applied}`);
  const postgres = await findPostgres({ dataDirectory });
  if (!postgres) throw new Error('No platform runs on that data directory.');
  const targets: Target[] = [];
  for (const name of environmentNames) {
    const database = openDatabase({ connection: postgres.connectionString, schema: name, poolSize: 4 });
    const [own, elsewhere] = name === 'production' ? [demo, sandbox] : [sandbox, demo];
    targets.push({
      ...{ name, baseUrl: own.baseUrl, dataDirectory, demo: own, elsewhere, database, definitions: known },
      ...(await callsOf(own.baseUrl, database, known)),
    });
  }
  return {
    targets,
    async [Symbol.asyncDispose]() {
      for (const { database } of targets) await database.destroy();
    },
  };
}

async function callsOf(baseUrl: string, database: Database, definitions: ReadonlyMap<string, string>) {
  const tokens = {} as Record<UserName, string>;
  for (const name of userNames) {
    const owner = { userId: ids.users[name], homeWorkspaceId: ids.workspace, name: 'Attack' };
    tokens[name] = (await createOrganizationToken(database, owner, new Date())).token;
  }
  const request = (method: string, target: string, body?: unknown, token: string = tokens.owner) =>
    send(baseUrl, {
      ...{ method, target },
      headers: {
        ...(token && { Authorization: token }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
  return {
    tokens,
    request,
    start: (definition: string, parameters: unknown) =>
      request('POST', '/workflows', { workflowDefinitionId: definitions.get(definition), parameters }),
    async ending({ status, text }: Received): Promise<DescribedExecution> {
      if (status !== 200) throw new Error(`the start got ${status} ${text.slice(0, 200)}`);
      const { id } = JSON.parse(text) as { id: string };
      for (;;) {
        const execution = (await describeExecution(database, id)) as DescribedExecution;
        if (execution.status !== 'RUNNING') return execution;
        await sleep(50);
      }
    },
  };
}

function platformFile(
  definitions: readonly Definition[],
  definitionIds: ReadonlyMap<string, string>,
  webhooks: readonly string[],
): object {
  const email = (name: string) => `${name.toLowerCase()}@attacked.example`;
  const roles = ids.workspaceRoles;
  const onOrganization = (name: 'People desk' | 'Users' | 'Second factors', ...relations: string[]) => ({
    ...{ id: roles[name], name },
    permissions: relations.map((relation) => ({ relation, on: 'organization' })),
  });
  const environment = (type: string) => ({
    organization: { id: ids.organization, name: 'Attacked', roleIds: ids.organizationRoles },
    users: userEntries.map(([name, { role, status }]) => ({
      ...{ id: ids.users[name], email: email(name), firstName: name, lastName: 'Attacked', role },
      ...(status && { status }),
    })),
    webhooks: webhooks.map((url) => ({ url, events: 'all' })),
    workspaces: [
      {
        ...{ id: ids.workspace, name: 'Attacked', description: '', type },
        builtInRoles: {
          Viewer: { id: roles.Viewer },
          Editor: { id: roles.Editor },
          Manager: { id: roles.Manager },
        },
        roles: [
          onOrganization('People desk', 'can_manage_users', 'can_reset_2fa'),
          onOrganization('Users', 'can_manage_users'),
          onOrganization('Second factors', 'can_reset_2fa'),
        ],
        members: userEntries.flatMap(([name, { memberOf: role }]) =>
          role ? [{ user: email(name), role }] : [],
        ),
        tables: [{ id: ids.table, name: 'Table', records: [{ id: ids.record, name: 'Record' }] }],
        cases: [{ id: ids.case, name: 'Case' }],
        workflowDefinitions: definitions.map((definition) => ({
          id: definitionIds.get(definition.name),
          ...declarationOf(definition),
        })),
      },
    ],
  });
  return { environments: { production: environment('LIVE'), sandbox: environment('SANDBOX') } };
}

/** Causes an event of the attacked organization. */
export async function changeProfile(request: Target['request']): Promise<void> {
  const profile = { firstName: 'clerk', lastName: 'Attacked', title: 'Clerk' };
  await request('PUT', `/organizations/users/${ids.users.clerk}/profile`, profile);
}

/** A definition as a platform file declares it. */
export function declarationOf({ name, inputSchema = {}, states }: Definition): object {
  const definition = { QueryLanguage: 'JSONata', StartAt: Object.keys(states)[0], States: states };
  return { name, revision: '1', inputSchema, definition };
}

/** Applies a platform file. @returns the output if it is refused */
export async function apply(
  dataDirectory: string,
  file: object | string,
  ...options: string[]
): Promise<string | undefined> {
  const path = join(dataDirectory, `${randomUUID()}.yaml`);
  // JSON is YAML.
  await writeFile(path, typeof file === 'string' ? file : JSON.stringify(file));
  const launcher = join(import.meta.dirname, '../../../server/bin/wrp.js');
  const args = [launcher, 'apply', path, '--data-dir', dataDirectory, ...options];
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, { maxBuffer: 1 << 26, timeout: 120_000 }, (error, _stdout, stderr) => {
      if (!error) resolve(undefined);
      else if (error.code === 1) resolve(stderr);
      else reject(new Error(`wrp apply ended with ${error.code ?? error.signal}: ${stderr.slice(0, 500)}`));
    });
  });
}
