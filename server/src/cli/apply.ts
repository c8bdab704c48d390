import { basename } from 'node:path';
import { Command } from 'commander';
import { type EnvironmentName, environmentNames } from '../config.ts';
import { applyPlatform } from '../manifest/apply.ts';
import { type Changes, kinds } from '../manifest/changes.ts';
import { readPlatformFile } from '../manifest/read.ts';
import { CommandError } from './command-error.ts';
import { withPlatform } from './connect.ts';
import { environmentOption, fromWhereCalled, type GlobalOptions } from './options.ts';
import { printJson, printTable } from './print.ts';

interface ApplyOptions extends GlobalOptions {
  environment?: EnvironmentName;
  dryRun: boolean;
}

const notes = `
The file is checked whole before anything is written; each fault is told as file:line:column.
Applying it again changes nothing. Of what is there already,
  - what the file does not name is left as it is, never deleted
  - names, descriptions, e-mail addresses, contacts, revisions become what the file says
  - a role permits exactly what the file says
  - a user's name, title, role, status and factors, and a member's role stay: the API decides on them
  - a membership that was removed is given again as long as the file names it

Examples:
  $ wrp apply platform.yaml --dry-run
  $ wrp apply platform.yaml
  $ wrp apply platform.yaml --environment sandbox`;

export function applyCommand(): Command {
  return new Command('apply')
    .summary('set up organizations, users and workspaces from a file')
    .description('Makes what a platform file declares, each environment in one transaction.')
    .argument('<file>', 'the platform file, YAML')
    .addOption(environmentOption('only this environment (default: all that the file declares)'))
    .option('--dry-run', 'say what would change, and change nothing', false)
    .addHelpText('after', notes)
    .action((file: string, _options: unknown, command: Command) => run(file, command.optsWithGlobals()));
}

async function run(file: string, options: ApplyOptions): Promise<void> {
  const { dryRun, environment, json } = options;
  const platform = await readPlatformFile(fromWhereCalled(file), file);
  const declared = environmentNames.filter((name) => platform.environments[name]);
  const names = environment ? declared.filter((name) => name === environment) : declared;
  if (names.length === 0) throw new CommandError(`${file} declares nothing for ${environment}.`);

  const done = await withPlatform(options, { create: !dryRun, readOnly: dryRun }, async (open) => {
    const all: [EnvironmentName, Changes][] = [];
    for (const name of names) {
      const changes = await applyPlatform({
        database: await open(name),
        environment: name,
        file: platform,
        dryRun,
      });
      all.push([name, changes]);
      if (!json) printChanges(name, changes);
    }
    return all;
  });
  if (json) printJson({ dryRun, environments: Object.fromEntries(done) });
  else console.error(dryRun ? 'Dry run: nothing was changed.' : `Applied ${basename(file)}.`);
}

function printChanges(environment: EnvironmentName, changes: Changes): void {
  const rows = kinds
    .map((kind) => ({ kind, ...changes[kind] }))
    .filter(({ created, updated, removed, unchanged }) => created + updated + removed + unchanged > 0)
    .map(({ kind, created, updated, removed, unchanged }) => [kind, created, updated, removed, unchanged]);
  printTable([environment.toUpperCase(), 'CREATED', 'UPDATED', 'REMOVED', 'UNCHANGED'], rows);
  console.log();
}
