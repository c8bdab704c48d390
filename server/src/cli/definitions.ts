import type { Command } from 'commander';
import { type Definition, drawDefinition } from '../../asl/index.ts';
import { listDefinitions } from '../store/definitions.ts';
import { CommandError, notFound } from './command-error.ts';
import { inEnvironment } from './connect.ts';
import { action, commandGroup, type EnvironmentOptions } from './options.ts';
import { printJson, printList } from './print.ts';

/** `wrp definition`. */
export function addDefinitionCommands(program: Command): void {
  const add = commandGroup(program, 'definition', 'Workflow definitions.');
  add('list --environment sandbox', 'Lists the workflow definitions with their revisions.').action(
    action(runList),
  );
  add(
    'draw steps > steps.mmd',
    'Draws the current revision of a definition as a Mermaid diagram (https://mermaid.js.org).',
  )
    .argument('<name|id>')
    .action(action(runDraw));
}

async function runList(options: EnvironmentOptions): Promise<void> {
  const definitions = await inEnvironment(options, listDefinitions);
  printList(
    definitions.map(({ document: _, ...definition }) => definition),
    {
      json: options.json,
      empty: `There are no definitions in ${options.environment}.`,
      columns: {
        ID: ({ id }) => id,
        WORKSPACE: ({ workspace }) => workspace.name,
        NAME: ({ name }) => name,
        REVISION: ({ revision }) => revision,
        'ALL REVISIONS': ({ revisions }) => revisions.join(' '),
        LOCALE: ({ defaultLocale }) => defaultLocale,
      },
    },
  );
}

async function runDraw(reference: string, options: EnvironmentOptions): Promise<void> {
  const definitions = await inEnvironment(options, listDefinitions);
  const matching = definitions.filter(({ id, name }) => id === reference || name === reference);
  const [definition, second] = matching;
  if (!definition?.document) throw notFound('definition', reference, options.environment);
  if (second) {
    const ids = matching.map(({ id, workspace }) => `${id} (${workspace.name})`).join(', ');
    throw new CommandError(`Several workspaces have a definition ${reference}: use an id: ${ids}.`);
  }
  const diagram = drawDefinition(definition.document as Definition);
  if (options.json) printJson({ id: definition.id, revision: definition.revision, diagram });
  else console.log(diagram);
}
