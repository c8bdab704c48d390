import { Command } from 'commander';
import { ConfigError, type EnvironmentName, environmentNames, storageQuota } from '../config.ts';
import { type Usage, usageOf } from '../store/usage.ts';
import { CommandError } from './command-error.ts';
import { withPlatform } from './connect.ts';
import { environmentOption, type GlobalOptions } from './options.ts';
import { bytesOf, printable, printJson } from './print.ts';

type UsageOptions = GlobalOptions & { environment?: EnvironmentName; organization?: string };

const notes = `
Counts in tables of more than 200,000 rows are estimated from a sample and marked with ~.
The quota is STORAGE_QUOTA_BYTES as set where wrp runs: set it as for the server.

Examples:
  $ wrp usage
  $ wrp usage --environment production --json`;

/** `wrp usage`: what each organization has, and what of its quota is used. */
export function usageCommand(): Command {
  return new Command('usage')
    .summary('show what each organization stores')
    .description('Shows how many users, records, files, executions and so on each organization has.')
    .option('--organization <name|id>', 'only this organization')
    .addOption(environmentOption('only this environment (default: both)'))
    .addHelpText('after', notes)
    .action((_options: unknown, command: Command) => run(command.optsWithGlobals()));
}

async function run(options: UsageOptions): Promise<void> {
  const { environment, organization = '', json } = options;
  const quota = quotaOf(process.env);
  const wanted = organization.normalize('NFC');
  const names = environment ? [environment] : environmentNames;
  const found = await withPlatform(options, {}, async (open) => {
    const all = [];
    for (const name of names) {
      for (const usage of await usageOf(await open(name))) {
        const { id, name: called } = usage.organization;
        const matches = wanted === '' || called === wanted || id === wanted.toLowerCase();
        if (matches) all.push({ environment: name, ...usage, storage: storageOf(usage, quota) });
      }
    }
    return all;
  });
  if (wanted !== '' && found.length === 0)
    throw new CommandError(`There is no organization ${organization}.`);
  if (json) return printJson(found);
  if (found.length === 0) console.error('There are no organizations.');
  for (const usage of found) printUsage(usage);
}

/** Bytes that count towards the quota; null where there is none. */
const storageOf = ({ attachments, resources }: Usage, quota: number | undefined) => ({
  bytes: attachments.bytes + resources.bytes,
  quota: quota ?? null,
});

function printUsage(usage: Usage & { environment: string; storage: ReturnType<typeof storageOf> }): void {
  const { organization, environment, attachments, resources, executions, storage, estimated } = usage;
  const number = (count: number, name?: Usage['estimated'][number]) =>
    `${name && estimated.includes(name) ? '~' : ''}${count.toLocaleString('en')}`;
  const files = ({ count, bytes }: Usage['resources']) => `${number(count)} (${bytesOf(bytes)})`;
  const statuses = Object.entries(executions).map(
    ([status, count]) => `${number(count, 'executions')} ${status.toLowerCase()}`,
  );
  const share = storage.quota && Math.round((100 * storage.bytes) / storage.quota);
  const quota = storage.quota === null ? 'no quota' : `${share} % of ${bytesOf(storage.quota)}`;
  const lines: [string, string][] = [
    ['users', number(usage.users, 'users')],
    [
      'workspaces',
      `${number(usage.workspaces)}, the largest with ${number(usage.membersMax)} direct members`,
    ],
    ['records', number(usage.records, 'records')],
    ['attachments', files(attachments)],
    ['resources', files(resources)],
    ['storage', `${bytesOf(storage.bytes)}, ${quota}`],
    ['executions', statuses.join(', ')],
    ['links', number(usage.links, 'links')],
    ['parameter sets', number(usage.parameterSets, 'parameterSets')],
    ['events', number(usage.events, 'events')],
    ['deliveries', number(usage.deliveries, 'deliveries')],
  ];
  console.log(printable(`${organization.name} (${environment}, ${organization.id})`));
  for (const [what, value] of lines) console.log(`  ${what.padEnd(16)}${value}`);
  console.log();
}

function quotaOf(env: NodeJS.ProcessEnv): number | undefined {
  try {
    return storageQuota(env);
  } catch (error) {
    throw error instanceof ConfigError ? new CommandError(error.message) : error;
  }
}
