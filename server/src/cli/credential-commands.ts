import { Command } from 'commander';
import type { EnvironmentName } from '../config.ts';
import { resolveUser, resolveWorkspace } from '../store/credential-owners.ts';
import type { CredentialEntry, CredentialFilter, CredentialOwner, Revocation } from '../store/credentials.ts';
import type { Database } from '../store/database.ts';
import { CommandError } from './command-error.ts';
import { type EnvironmentOptions, inEnvironment } from './environment.ts';
import { environmentOption } from './options.ts';
import { printJson, printTable } from './print.ts';

/** What differs between organization tokens and API keys. */
export interface CredentialKind {
  /** The command, and the noun in its texts. */
  name: string;
  noun: string;
  description: string;
  /** What `revoke` takes. */
  reference: string;
  examples: Record<'create' | 'list' | 'revoke', string>;
  create(database: Database, owner: CredentialOwner, now: Date): Promise<{ id: string }>;
  /** The secret parts, each on a line of its own. */
  printSecret(created: { id: string }): void;
  list(database: Database, filter: CredentialFilter): Promise<CredentialEntry[]>;
  revoke(database: Database, reference: string, now: Date): Promise<Revocation>;
}

type Options = EnvironmentOptions & {
  user: string;
  workspace: string;
  name: string;
  all: boolean;
};

/** `create`, `list` and `revoke` for one kind of credential. */
export function credentialCommand(kind: CredentialKind): Command {
  const { name, noun, description, reference, examples } = kind;
  const environment = () => environmentOption('where').default('production');
  const example = (text: string) => `\nExample:\n  $ wrp ${name} ${text}`;
  const create = new Command('create')
    .description(`Makes an ${noun} and shows it once: it is not stored and cannot be shown again.`)
    .requiredOption('--user <email|id>', `the user that the ${noun} acts as`)
    .requiredOption('--workspace <name|id>', 'its home workspace, where what it uploads belongs')
    .requiredOption('--name <text>', 'what it is for')
    .addOption(environment())
    .addHelpText('after', example(examples.create))
    .action((_options: unknown, command: Command) => runCreate(kind, command.optsWithGlobals()));
  const list = new Command('list')
    .description(`Lists the ${noun}s, without their secrets.`)
    .option('--user <email|id>', "only this user's")
    .option('--all', 'revoked ones as well', false)
    .addOption(environment())
    .addHelpText('after', example(examples.list))
    .action((_options: unknown, command: Command) => runList(kind, command.optsWithGlobals()));
  const revoke = new Command('revoke')
    .description(`Ends an ${noun} at once and for good.`)
    .argument(`<${reference}>`)
    .addOption(environment())
    .addHelpText('after', example(examples.revoke))
    .action((text: string, _options: unknown, command: Command) =>
      runRevoke(kind, text, command.optsWithGlobals()),
    );
  const all = `\nExamples:\n${Object.values(examples)
    .map((text) => `  $ wrp ${name} ${text}`)
    .join('\n')}`;
  return new Command(name)
    .description(description)
    .addCommand(create)
    .addCommand(list)
    .addCommand(revoke)
    .addHelpText('after', all);
}

async function runCreate(kind: CredentialKind, options: Options): Promise<void> {
  const { environment, json } = options;
  const name = options.name.normalize('NFC').trim();
  if (name === '' || name.length > 200) throw new CommandError('--name must have 1 to 200 characters.');
  await inEnvironment(options, async (database) => {
    const user = await findUser(database, options.user, environment);
    if (user.status === 'TERMINATED') {
      throw new CommandError(`${user.email} is terminated: reinstate the user first.`);
    }
    const workspace = await findWorkspace(database, user.organizationId, options.workspace);
    const owner = { userId: user.id, homeWorkspaceId: workspace.id, name };
    const created = await kind.create(database, owner, new Date());
    if (json) {
      printJson({ ...created, name, environment, user: { id: user.id, email: user.email }, workspace });
    } else {
      kind.printSecret(created);
    }
    console.error(
      `${created.id}: acts as ${user.email} in ${environment}, home workspace ${workspace.name}.\n` +
        `This is the only time that it is shown: keep it safe.`,
    );
  });
}

async function runList(kind: CredentialKind, options: Options): Promise<void> {
  const { environment, json, all } = options;
  const entries = await inEnvironment(options, async (database) => {
    const user = options.user === undefined ? undefined : await findUser(database, options.user, environment);
    return kind.list(database, { userId: user?.id, revoked: all });
  });
  if (json) return printJson(entries);
  if (entries.length === 0) {
    console.error(`There are no ${kind.noun}s in ${environment}${all ? '' : ' that still work'}.`);
    return;
  }
  const day = (moment: string) => moment.slice(0, 10);
  const withKey = entries.some(({ key }) => key !== undefined);
  printTable(
    ['ID', ...(withKey ? ['KEY'] : []), 'NAME', 'USER', 'WORKSPACE', 'CREATED', ...(all ? ['REVOKED'] : [])],
    entries.map(({ id, key, name, user, workspace, createdDateTime, revokedDateTime }) => [
      id,
      ...(withKey ? [key ?? ''] : []),
      ...[name, user.email, workspace.name, day(createdDateTime)],
      ...(all ? [revokedDateTime ? day(revokedDateTime) : '-'] : []),
    ]),
  );
}

async function runRevoke(kind: CredentialKind, reference: string, options: Options): Promise<void> {
  const { environment, json } = options;
  const outcome = await inEnvironment(options, (database) => kind.revoke(database, reference, new Date()));
  if (outcome === 'unknown') throw new CommandError(`There is no such ${kind.noun} in ${environment}.`);
  if (json) printJson({ outcome });
  else
    console.error(
      outcome === 'revoked' ? `The ${kind.noun} is revoked.` : `The ${kind.noun} was revoked before.`,
    );
}

async function findUser(database: Database, reference: string, environment: EnvironmentName) {
  const found = await resolveUser(database, reference);
  if (found.kind === 'found') return found.user;
  throw new CommandError(
    found.kind === 'unknown'
      ? `There is no user ${reference} in ${environment}.`
      : `Several organizations have a user ${reference}: name one by its id.`,
  );
}

async function findWorkspace(database: Database, organizationId: string, reference: string) {
  const found = await resolveWorkspace(database, organizationId, reference);
  if (found.kind === 'found') return found.workspace;
  throw new CommandError(
    found.kind === 'unknown'
      ? `The user's organization has no workspace ${reference}.`
      : `Several workspaces are called ${reference}: name one by its id.`,
  );
}
