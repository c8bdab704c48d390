import {
  archiveDefinition,
  type DefinitionStarters,
  maxOpenLinks,
  restoreDefinition,
  startersOf,
} from '../store/archived-definitions.ts';
import { changeDefinition } from './definition-show.ts';
import { type AddCommand, action, type EnvironmentOptions } from './options.ts';
import { printable, printJson } from './print.ts';

const notes = `
New executions are refused as those of an unknown definition, from the API, links and schedules, and the API does not list
the definition. Running executions go on, and failed ones can be retried. Nothing is deleted. "wrp definition restore" makes
it startable again, and so does applying a platform file that declares it: remove it from the file.`;

/** `wrp definition archive` and `wrp definition restore`. */
export function addArchiveCommands(add: AddCommand): void {
  add('archive claims', 'Removes a definition from those that can be started. Its executions stay.')
    .argument('<name|id>')
    .addHelpText('after', notes)
    .action(action(runArchive));
  add('restore claims', 'Makes an archived definition startable again.')
    .argument('<name|id>')
    .action(action(runRestore));
}

async function runArchive(reference: string, options: EnvironmentOptions): Promise<void> {
  const { id, outcome, ...starters } = await changeDefinition(
    reference,
    options,
    async (transaction, id, now) => ({
      outcome: await archiveDefinition(transaction, id, now),
      ...(await startersOf(transaction, id, now)),
    }),
  );
  if (options.json) return printJson({ id, outcome, ...starters });
  console.error(`The definition ${outcome === 'archived' ? 'is' : 'was already'} archived.`);
  for (const line of refusedStarters(starters)) console.error(printable(line));
}

/** What can no longer start an execution. */
function refusedStarters({ schedules, openLinks }: DefinitionStarters): string[] {
  return [
    ...schedules.map((name) => `The schedule ${name} uses it, and is refused when it is due: pause it.`),
    ...(openLinks > 0
      ? [
          `Open single-use links that use it, and are refused: ${openLinks}${openLinks >= maxOpenLinks ? ' or more' : ''}.`,
        ]
      : []),
  ];
}

async function runRestore(reference: string, options: EnvironmentOptions): Promise<void> {
  const { id, outcome } = await changeDefinition(reference, options, async (transaction, id) => ({
    outcome: await restoreDefinition(transaction, id),
  }));
  if (options.json) return printJson({ id, outcome });
  console.error(`The definition ${outcome === 'restored' ? 'is restored' : 'was not archived'}.`);
}
