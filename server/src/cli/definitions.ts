import { Command } from 'commander';
import { listDefinitions } from '../store/definitions.ts';
import type { Definition } from '../workflows/machine/definition.ts';
import { drawDefinition } from '../workflows/machine/index.ts';
import { CommandError } from './command-error.ts';
import { type EnvironmentOptions, inEnvironment } from './environment.ts';
import { environmentOption } from './options.ts';
import { printJson, printTable } from './print.ts';

/** `wrp definition`: the workflow definitions that there are. */
export function definitionCommand(): Command {
  const environment = () => environmentOption('where').default('production');
  const list = new Command('list')
    .description('Lists the workflow definitions with their revisions.')
    .addOption(environment())
    .addHelpText('after', '\nExample:\n  $ wrp definition list --environment sandbox')
    .action((_options: unknown, command: Command) => runList(command.optsWithGlobals()));
  const draw = new Command('draw')
    .description('Draws the current revision of a definition as a Mermaid diagram (https://mermaid.js.org).')
    .argument('<name|id>')
    .addOption(environment())
    .addHelpText('after', '\nExample:\n  $ wrp definition draw steps > steps.mmd')
    .action((name: string, _options: unknown, command: Command) => runDraw(name, command.optsWithGlobals()));
  return new Command('definition')
    .description('Workflow definitions: what there is, and what it looks like.')
    .addCommand(list)
    .addCommand(draw)
    .addHelpText('after', '\nExamples:\n  $ wrp definition list\n  $ wrp definition draw steps > steps.mmd');
}

async function runList(options: EnvironmentOptions): Promise<void> {
  const definitions = await find(options);
  if (options.json) return printJson(definitions.map(({ document: _, ...definition }) => definition));
  if (definitions.length === 0)
    return void console.error(`There are no definitions in ${options.environment}.`);
  printTable(
    ['ID', 'WORKSPACE', 'NAME', 'REVISION', 'ALL REVISIONS', 'LOCALE'],
    definitions.map(({ id, workspace, name, revision, revisions, defaultLocale }) => [
      ...[id, workspace.name, name, revision, revisions.join(' '), defaultLocale],
    ]),
  );
}

async function runDraw(reference: string, options: EnvironmentOptions): Promise<void> {
  const named = (await find(options)).filter(({ id, name }) => id === reference || name === reference);
  const [definition, second] = named;
  if (!definition?.document)
    throw new CommandError(`There is no definition ${reference} in ${options.environment}.`);
  if (second) {
    const ids = named.map(({ id, workspace }) => `${id} (${workspace.name})`).join(', ');
    throw new CommandError(`Several workspaces have a definition ${reference}: name one by its id: ${ids}.`);
  }
  const diagram = drawDefinition(definition.document as Definition);
  if (options.json) printJson({ id: definition.id, revision: definition.revision, diagram });
  else console.log(diagram);
}

function find(options: EnvironmentOptions) {
  return inEnvironment(options, listDefinitions);
}
