import type { Database } from '../store/database.ts';
import { findRevision, type ListedDefinition, listDefinitions } from '../store/definitions.ts';
import { CommandError, notFound } from './command-error.ts';
import { changeEnvironment, inEnvironment } from './connect.ts';
import type { AddCommand, EnvironmentOptions } from './options.ts';
import { action } from './options.ts';
import { printJson } from './print.ts';

/** `wrp definition show`. */
export function addShowCommand(add: AddCommand): void {
  add(
    'show steps --revision 1 > steps.asl.json',
    'Prints a definition in the Amazon States Language as it is stored; with --json, its input schema and the rest of its revision, too.',
  )
    .argument('<name|id>')
    .option('--revision <revision>', 'this revision (default: the current one)')
    .action(action(runShow));
}

async function runShow(
  reference: string,
  options: EnvironmentOptions & { revision?: string },
): Promise<void> {
  await inEnvironment(options, async (database) => {
    const { document: _, ...definition } = await findDefinition(database, reference, options);
    const { revision = definition.revision } = options;
    const found = await findRevision(database, definition.id, revision);
    if (!found) throw unknownRevision(definition, revision);
    printJson(options.json ? { ...definition, revision, ...found } : found.definition);
  });
}

/** @throws CommandError if no definition, or more than one, has this name or id */
export async function findDefinition(
  database: Database,
  reference: string,
  options: EnvironmentOptions,
): Promise<ListedDefinition> {
  const matching = (await listDefinitions(database)).filter(
    ({ id, name }) => id === reference || name === reference,
  );
  const [definition, second] = matching;
  if (!definition) throw notFound('definition', reference, options);
  if (!second) return definition;
  const ids = matching.map(({ id, workspace }) => `${id} (${workspace.name})`).join(', ');
  throw new CommandError(`Several workspaces have a definition ${reference}: use an id: ${ids}.`);
}

const listedRevisions = 20;

function unknownRevision({ name, revisions }: ListedRevisions, revision: string): CommandError {
  const newest = revisions.slice(-listedRevisions);
  const earlier = revisions.length > newest.length ? `the ${newest.length} newest are` : 'it has';
  return new CommandError(
    `The definition ${name} has no revision ${revision}: ${earlier} ${newest.join(', ')}.`,
  );
}

type ListedRevisions = Pick<ListedDefinition, 'name' | 'revisions'>;

/** Finds a definition and changes it, in one transaction. @returns its id with what `change` returns */
export function changeDefinition<Change extends object>(
  reference: string,
  options: EnvironmentOptions,
  change: (transaction: Database, id: string, now: Date) => Promise<Change>,
): Promise<{ id: string } & Change> {
  return changeEnvironment(options, async (transaction, now) => {
    const { id } = await findDefinition(transaction, reference, options);
    return { id, ...(await change(transaction, id, now)) };
  });
}
