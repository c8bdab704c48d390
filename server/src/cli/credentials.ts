import type { Command } from 'commander';
import {
  type CredentialEntry,
  type CredentialOwner,
  type CredentialTable,
  createApiKey,
  createOrganizationToken,
  listCredentials,
  revokeCredential,
  usersNamed,
  workspacesNamed,
} from '../store/credentials.ts';
import type { Database } from '../store/database.ts';
import { CommandError, noSuch, notFound } from './command-error.ts';
import { changeEnvironment, inEnvironment } from './connect.ts';
import { type AddCommand, action, commandGroup, type EnvironmentOptions, parseText } from './options.ts';
import { printable, printJson, printList } from './print.ts';

/** What differs between organization tokens and API keys. */
interface CredentialType<Created extends { id: string }> {
  add: AddCommand;
  table: CredentialTable;
  noun: 'API key' | 'organization token';
  /** The argument of `revoke`. */
  reference: string;
  examples: Record<'create' | 'list' | 'revoke', string>;
  create(database: Database, owner: CredentialOwner, now: Date): Promise<Created>;
  /** Prints the secrets to standard output. */
  printSecret(created: Created): void;
}

/** `wrp key`: API keys and their secrets, which `/auth/authorize` exchanges for access tokens. */
export function addKeyCommands(program: Command): void {
  const description = 'API keys: a key and a secret, exchanged for access tokens at /auth/authorize.';
  addCredentialCommands({
    add: commandGroup(program, 'key', description),
    table: 'api_keys',
    noun: 'API key',
    reference: 'id|key',
    examples: {
      create: 'create --user ada@example.com --workspace "Motor claims" --name "partner portal"',
      list: 'list --all',
      revoke: 'revoke wrpk_h2Zb0mQ4tR8yVwXc',
    },
    create: createApiKey,
    printSecret: ({ key, secret }) => console.log(`key     ${key}\nsecret  ${secret}`),
  });
}

/** `wrp token`. `create` prints only the token to standard output, for use in scripts. */
export function addTokenCommands(program: Command): void {
  const description = 'Organization tokens: tot_…, sent as they are in the Authorization header.';
  addCredentialCommands({
    add: commandGroup(program, 'token', description),
    table: 'organization_tokens',
    noun: 'organization token',
    reference: 'id|token',
    examples: {
      create: 'create --user ada@example.com --workspace "Motor claims" --name "nightly import"',
      list: 'list --user ada@example.com',
      revoke: 'revoke 5b0e7c1a-52f4-4a0b-8a54-0d6f3c1b9a02',
    },
    create: createOrganizationToken,
    printSecret: ({ token }) => console.log(token),
  });
}

function addCredentialCommands<Created extends { id: string }>(type: CredentialType<Created>): void {
  const { add, noun, reference, examples } = type;
  add(examples.create, `Creates an ${noun} and shows it once: it is not stored and cannot be shown again.`)
    .requiredOption('--user <email|id>', `the user that the ${noun} acts as`)
    .requiredOption('--workspace <name|id>', 'its home workspace, to which its uploads belong')
    .requiredOption('--name <text>', 'its purpose', parseText)
    .action(action((options: CreateOptions) => runCreate(type, options)));
  add(examples.list, `Lists the ${noun}s, without their secrets.`)
    .option('--user <email|id>', "only this user's")
    .option('--all', 'include revoked ones', false)
    .action(action((options: ListOptions) => runList(type, options)));
  add(examples.revoke, `Revokes an ${noun} immediately and permanently.`)
    .argument(`<${reference}>`)
    .action(action((text: string, options: EnvironmentOptions) => runRevoke(type, text, options)));
}

type CreateOptions = EnvironmentOptions & { user: string; workspace: string; name: string };
type ListOptions = EnvironmentOptions & { user?: string; all: boolean };

async function runCreate<Created extends { id: string }>(
  type: CredentialType<Created>,
  options: CreateOptions,
): Promise<void> {
  const { environment, json, name } = options;
  const { created, user, workspace } = await changeEnvironment(options, async (database, now) => {
    const user = await findUser(database, options.user, options);
    if (user.status === 'TERMINATED') {
      throw new CommandError(`${user.email} is terminated: reinstate the user first.`);
    }
    const workspace = await findWorkspace(database, user.organizationId, options.workspace);
    const { organizationId } = user;
    const owner = { organizationId, userId: user.id, homeWorkspaceId: workspace.id, name };
    return { created: await type.create(database, owner, now), user, workspace };
  });
  if (json) {
    printJson({ ...created, name, environment, user: { id: user.id, email: user.email }, workspace });
  } else {
    type.printSecret(created);
  }
  console.error(
    printable(`${created.id}: acts as ${user.email} in ${environment}, home workspace ${workspace.name}.`),
  );
  console.error('Store it safely: it is not shown again.');
}

type Listed = Pick<CredentialType<never>, 'noun' | 'table'>;

async function runList({ noun, table }: Listed, options: ListOptions): Promise<void> {
  const { environment, json, all } = options;
  const entries = await inEnvironment(options, async (database) => {
    const user = options.user === undefined ? undefined : await findUser(database, options.user, options);
    return listCredentials(database, table, { userId: user?.id, revoked: all });
  });
  const day = (timestamp: string) => timestamp.slice(0, 10);
  const revokedDay = ({ revokedDateTime }: CredentialEntry) => (revokedDateTime ? day(revokedDateTime) : '-');
  const withKey = entries.some(({ key }) => key !== undefined);
  printList(entries, {
    json,
    empty: `There are no ${all ? '' : 'active '}${noun}s in ${environment}.`,
    columns: {
      ID: ({ id }) => id,
      ...(withKey && { KEY: ({ key }: CredentialEntry) => key ?? '' }),
      NAME: ({ name }) => name,
      USER: ({ user }) => user.email,
      WORKSPACE: ({ workspace }) => workspace.name,
      CREATED: ({ createdDateTime }) => day(createdDateTime),
      ...(all && { REVOKED: revokedDay }),
    },
  });
}

async function runRevoke(
  { noun, table }: Listed,
  reference: string,
  options: EnvironmentOptions,
): Promise<void> {
  const outcome = await changeEnvironment(options, (database, now) =>
    revokeCredential(database, table, reference, now),
  );
  if (outcome === 'unknown') throw noSuch(noun, reference, options);
  if (options.json) printJson({ outcome });
  else console.error(`The ${noun} ${outcome === 'revoked' ? 'is' : 'was already'} revoked.`);
}

async function findUser(database: Database, reference: string, options: EnvironmentOptions) {
  const [user, second] = await usersNamed(database, reference);
  if (!user) throw notFound('user', reference, options);
  if (second) throw new CommandError(`Several organizations have a user ${reference}: use the user's id.`);
  return user;
}

async function findWorkspace(database: Database, organizationId: string, reference: string) {
  const [workspace, second] = await workspacesNamed(database, organizationId, reference);
  if (!workspace) throw new CommandError(`The user's organization has no workspace ${reference}.`);
  if (second) throw new CommandError(`Several workspaces are called ${reference}: use the workspace's id.`);
  return workspace;
}
