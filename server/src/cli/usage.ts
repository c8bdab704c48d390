import type { Command } from 'commander';
import { type EnvironmentName, environmentNames, storageQuota } from '../config.ts';
import { usageFacts } from '../console/usage-facts.ts';
import { type Usage, usageOf } from '../store/usage.ts';
import { CommandError } from './command-error.ts';
import { withPlatform } from './connect.ts';
import { action, environmentOption, type GlobalOptions } from './options.ts';
import { printable, printJson } from './print.ts';

type UsageOptions = GlobalOptions & { environment?: EnvironmentName; organization?: string };

const notes = `
Counts in tables of more than 200,000 rows are estimated from a sample and marked with ~.
The quota is the STORAGE_QUOTA_BYTES of wrp's own environment: set it to the server's value.

Examples:
  $ wrp usage
  $ wrp usage --environment production --json`;

export function addUsageCommand(program: Command): void {
  program
    .command('usage')
    .summary('show what each organization stores')
    .description('Shows how many users, records, files, executions and so on each organization has.')
    .option('--organization <name|id>', 'only this organization')
    .addOption(environmentOption('only this environment (default: both)'))
    .addHelpText('after', notes)
    .action(action(showUsage));
}

async function showUsage(options: UsageOptions): Promise<void> {
  const { environment, organization = '', json } = options;
  const quota = storageQuota(process.env);
  const wanted = organization.normalize('NFC');
  const names = environment ? [environment] : environmentNames;
  const found = await withPlatform(options, { reads: true }, async (open) => {
    const all = [];
    for (const name of names) {
      for (const usage of await usageOf(await open(name))) {
        const { id, name: organizationName } = usage.organization;
        if (wanted === '' || organizationName === wanted || id === wanted.toLowerCase())
          all.push({ environment: name, ...usage, storage: storageOf(usage, quota) });
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

/** The bytes that count towards the quota. `quota` is null if none is set. */
const storageOf = ({ attachments, resources }: Usage, quota: number | undefined) => ({
  bytes: attachments.bytes + resources.bytes,
  quota: quota ?? null,
});

function printUsage(usage: Usage & { environment: string; storage: ReturnType<typeof storageOf> }): void {
  const { organization, environment, storage } = usage;
  const lines = usageFacts(usage, storage.quota);
  console.log(printable(`${organization.name} (${environment}, ${organization.id})`));
  for (const [label, value] of lines) console.log(`  ${label.toLowerCase().padEnd(16)}${value}`);
  console.log();
}
