import { Command, InvalidArgumentError } from 'commander';
import { deleteResourcesById, listResources } from '../store/resource-list.ts';
import { CommandError } from './command-error.ts';
import { type EnvironmentOptions, idOf, inEnvironment, noSuch } from './environment.ts';
import { countOf, environmentOption } from './options.ts';
import { bytesOf, minuteOf, printJson, printTable } from './print.ts';

type ListOptions = EnvironmentOptions & {
  organization?: string;
  workspace?: string;
  olderThan?: number;
  limit: number;
};

const day = 86_400_000;
const examples = {
  list: 'list --workspace "Motor claims" --older-than 400',
  delete: 'delete 3c1b9a02-52f4-4a0b-8a54-0d6f5b0e7c1a',
};

/** `wrp resource`: uploaded files, which the API only adds and reads. */
export function resourceCommand(): Command {
  const environment = () => environmentOption('where').default('production');
  const example = (text: string) => `\nExample:\n  $ wrp resource ${text}`;
  const list = new Command('list')
    .description('Lists resources, the oldest first.')
    .option('--organization <name|id>', 'only of this organization')
    .option('--workspace <name|id>', 'only of this workspace')
    .option('--older-than <days>', 'only those uploaded so many days ago, or more', daysOf)
    .option('--limit <n>', 'this many at most', countOf, 50)
    .addOption(environment())
    .addHelpText('after', example(examples.list))
    .action((_options: unknown, command: Command) => runList(command.optsWithGlobals()));
  const remove = new Command('delete')
    .description('Deletes resources for good. The platform removes their files within the next hours.')
    .argument('<id...>')
    .addOption(environment())
    .addHelpText('after', example(examples.delete))
    .action((ids: string[], _options: unknown, command: Command) =>
      runDelete(ids, command.optsWithGlobals()),
    );
  return new Command('resource')
    .description(
      'Resources: uploaded files, kept until they are deleted or RESOURCE_RETENTION_DAYS are over.',
    )
    .addCommand(list)
    .addCommand(remove)
    .addHelpText(
      'after',
      `\nExamples:\n  $ wrp resource ${examples.list}\n  $ wrp resource ${examples.delete}`,
    );
}

async function runList(options: ListOptions): Promise<void> {
  const { organization, workspace, olderThan, limit } = options;
  const createdBefore = olderThan === undefined ? undefined : new Date(Date.now() - olderThan * day);
  const entries = await inEnvironment(options, (database) =>
    listResources(database, {
      organization: organization?.normalize('NFC'),
      workspace: workspace?.normalize('NFC'),
      ...{ createdBefore, limit },
    }),
  );
  if (options.json) return printJson(entries);
  if (entries.length === 0)
    return void console.error(`There are no such resources in ${options.environment}.`);
  printTable(
    ['ID', 'NAME', 'SIZE', 'WORKSPACE', 'UPLOADED BY', 'UPLOADED'],
    entries.map(({ id, name, size, workspace, createdBy, createdDateTime }) => [
      ...[id, name, bytesOf(size), workspace.name, createdBy.email, minuteOf(createdDateTime)],
    ]),
  );
}

async function runDelete(texts: string[], options: EnvironmentOptions): Promise<void> {
  const ids = [...new Set(texts.map((text) => idOf(text, 'resource', options)))];
  const deleted = await inEnvironment(options, (database) => deleteResourcesById(database, ids));
  const unknown = ids.filter((id) => !deleted.some((resource) => resource.id === id));
  if (options.json) printJson({ deleted: deleted.map(({ id }) => id), unknown });
  else if (deleted.length > 0) {
    const bytes = deleted.reduce((sum, { size }) => sum + size, 0);
    console.error(`${deleted.length} deleted (${bytesOf(bytes)}).`);
  }
  const [first] = unknown;
  if (first === undefined) return;
  if (unknown.length === 1) throw noSuch('resource', first, options.environment);
  throw new CommandError(`There are no resources ${unknown.join(', ')} in ${options.environment}.`);
}

function daysOf(text: string): number {
  if (/^\d{1,5}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a number of days.');
}
