import { type Command, InvalidArgumentError } from 'commander';
import { formatBytes } from '../domain/bytes.ts';
import { databaseTime } from '../store/clock.ts';
import { deleteResourcesById, listResources } from '../store/resources.ts';
import { CommandError, notFound, parseId } from './command-error.ts';
import { changeEnvironment, inEnvironment } from './connect.ts';
import { action, commandGroup, type EnvironmentOptions, parseLimit } from './options.ts';
import { formatMinute, printJson, printList } from './print.ts';

type ListOptions = EnvironmentOptions & {
  organization?: string;
  workspace?: string;
  olderThan?: number;
  limit: number;
};

const day = 86_400_000;

/** `wrp resource`. The API uploads and reads resources but does not delete them. */
export function addResourceCommands(program: Command): void {
  const description =
    'Resources: uploaded files, kept for RESOURCE_RETENTION_DAYS or until they are deleted.';
  const add = commandGroup(program, 'resource', description);
  add('list --workspace "Motor claims" --older-than 400', 'Lists resources, oldest first.')
    .option('--organization <name|id>', 'only of this organization')
    .option('--workspace <name|id>', 'only of this workspace')
    .option('--older-than <days>', 'only those uploaded at least this many days ago', parseDays)
    .option('--limit <n>', 'the maximum number of resources', parseLimit, 50)
    .action(action(runList));
  add(
    'delete 3c1b9a02-52f4-4a0b-8a54-0d6f5b0e7c1a',
    'Deletes resources permanently. The platform removes their files at its next maintenance, every 15 minutes.',
  )
    .argument('<id...>')
    .action(action(runDelete));
}

async function runList(options: ListOptions): Promise<void> {
  const { organization, workspace, olderThan, limit, json, environment } = options;
  const entries = await inEnvironment(options, async (database) => {
    const now = await databaseTime(database);
    return listResources(database, {
      organization: organization?.normalize('NFC'),
      workspace: workspace?.normalize('NFC'),
      createdBefore: olderThan === undefined ? undefined : new Date(now.getTime() - olderThan * day),
      limit,
    });
  });
  printList(entries, {
    json,
    empty: `There are no matching resources in ${environment}.`,
    columns: {
      ID: (entry) => entry.id,
      NAME: (entry) => entry.name,
      SIZE: (entry) => formatBytes(entry.size),
      WORKSPACE: (entry) => entry.workspace.name,
      'UPLOADED BY': (entry) => entry.createdBy.email,
      UPLOADED: (entry) => formatMinute(entry.createdDateTime),
    },
  });
}

async function runDelete(texts: string[], options: EnvironmentOptions): Promise<void> {
  const ids = [...new Set(texts.map((text) => parseId('resource', text, options)))];
  const deleted = await changeEnvironment(options, (database) => deleteResourcesById(database, ids));
  const unknown = ids.filter((id) => !deleted.some((resource) => resource.id === id));
  if (options.json) printJson({ deleted: deleted.map(({ id }) => id), unknown });
  else if (deleted.length > 0) {
    const bytes = deleted.reduce((sum, { size }) => sum + size, 0);
    console.error(`${deleted.length} deleted (${formatBytes(bytes)}).`);
  }
  const [first] = unknown;
  if (first === undefined) return;
  if (unknown.length === 1) throw notFound('resource', first, options);
  throw new CommandError(`There are no resources ${unknown.join(', ')} in ${options.environment}.`);
}

function parseDays(text: string): number {
  if (/^\d{1,5}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a number of days.');
}
