import { basename } from 'node:path';
import type { Command } from 'commander';
import { type EnvironmentName, environmentNames } from '../config.ts';
import { applyPlatform } from '../manifest/apply.ts';
import type { DefinitionChange } from '../manifest/definition-changes.ts';
import { PlatformFileError, type Problem } from '../manifest/platform-file.ts';
import { readPlatformFile } from '../manifest/read.ts';
import { type Changes, type CreatedObject, kinds } from '../manifest/rows.ts';
import { databaseTime } from '../store/clock.ts';
import { CommandError } from './command-error.ts';
import { operatorOrigin, withPlatform } from './connect.ts';
import { printDefinitionChanges } from './definition-changes.ts';
import { action, environmentOption, fromWorkingDirectory, type GlobalOptions } from './options.ts';
import { printable, printJson, printTable } from './print.ts';

interface ApplyOptions extends GlobalOptions {
  environment?: EnvironmentName;
  dryRun: boolean;
}

const notes = `
The whole file is checked before anything is written. Errors are reported as file:line:column.
Applying a file again changes nothing. Objects that already exist:
  - what the file does not mention is kept, never deleted
  - names, descriptions, e-mail addresses, contacts and revisions are set to those of the file; to empty one that may be
    empty, mention it with an empty value
  - a role grants exactly the permissions in the file
  - an id never changes: another id for an existing object is an error
  - a user's name, title, role, status and factors, and a member's role are kept: use the API to change them
  - a removed membership is added again while the file mentions it
  - an archived definition that the file mentions is restored

Examples:
  $ wrp apply platform.yaml --dry-run
  $ wrp apply platform.yaml
  $ wrp apply platform.yaml --environment sandbox`;

export function addApplyCommand(program: Command): void {
  program
    .command('apply')
    .summary('set up organizations, users and workspaces from a file')
    .description('Creates and updates what a platform file declares, in one transaction per environment.')
    .argument('<file>', 'the platform file, in YAML')
    .addOption(environmentOption('only this environment (default: all in the file)'))
    .option(
      '--dry-run',
      'show the changes without making them, and the differences of each definition',
      false,
    )
    .addHelpText('after', notes)
    .action(action(runApply));
}

async function runApply(file: string, options: ApplyOptions): Promise<void> {
  try {
    await apply(file, options);
  } catch (error) {
    if (!options.json || !(error instanceof PlatformFileError)) throw error;
    const errors = error.lines.map(locatedLine);
    printJson({ errors });
    throw new CommandError(`${errors.length} error${errors.length === 1 ? '' : 's'}.`);
  }
}

async function apply(file: string, options: ApplyOptions): Promise<void> {
  const { dryRun, environment, json } = options;
  const platform = await readPlatformFile(fromWorkingDirectory(file), file);
  const declared = environmentNames.filter((name) => platform.environments[name]);
  const names = environment ? declared.filter((name) => name === environment) : declared;
  if (names.length === 0) throw new CommandError(`${file} declares nothing for ${environment}.`);
  const warnings = platform.warnings.filter(({ path: [, name] }) => names.some((each) => each === name));
  // Several declarations may name one file.
  const linesOf = (problems: Problem[]) => [...new Set(platform.source.error(problems).lines)];
  const marked = warnings.map((each) => ({ ...each, message: `warning: ${each.message}` }));
  if (!json) for (const line of linesOf(marked)) console.error(printable(line));

  const results = await withPlatform(options, { create: !dryRun, readOnly: dryRun }, async (open) => {
    const all: Applied[] = [];
    // An error that only the database shows must not leave one environment applied and another not.
    if (!dryRun && names.length > 1)
      for (const name of names)
        await applyPlatform({ database: await open(name), environment: name, file: platform, dryRun: true });
    for (const name of names) {
      const definitions: DefinitionChange[] = [];
      const created: CreatedObject[] = [];
      const database = await open(name);
      const operator = operatorOrigin(options, await databaseTime(database));
      const target = { database, environment: name, operator };
      const changes = await applyPlatform({ ...target, file: platform, dryRun, definitions, created });
      all.push({ name, changes, definitions, created });
      if (json) continue;
      printChanges(name, changes);
      printNewPlaces(created);
      if (dryRun) printDefinitionChanges(definitions);
    }
    return all;
  });
  if (json) printJson({ ...reportOf(results, dryRun), warnings: linesOf(warnings).map(locatedLine) });
  else console.error(dryRun ? 'Dry run: nothing was changed.' : `Applied ${basename(file)}.`);
}

/** The parts of `file:line:column message`; an error that has no place is a message. */
function locatedLine(text: string): object {
  const [, file, line, column, message] = /^(.*?):(\d+):(\d+) (.*)$/s.exec(text) ?? [];
  if (file === undefined) return { message: text };
  return { file, line: Number(line), column: Number(column), message };
}

interface Applied {
  name: EnvironmentName;
  changes: Changes;
  definitions: DefinitionChange[];
  created: CreatedObject[];
}

function reportOf(results: Applied[], dryRun: boolean): object {
  const byName = (partOf: (applied: Applied) => object) =>
    Object.fromEntries(results.map((applied) => [applied.name, partOf(applied)]));
  const environments = byName(({ changes }) => changes);
  return {
    dryRun,
    environments,
    created: byName(({ created }) => created),
    ...(dryRun && { definitions: byName(({ definitions }) => definitions) }),
  };
}

function printChanges(environment: EnvironmentName, changes: Changes): void {
  const rows = kinds
    .map((kind) => ({ kind, ...changes[kind] }))
    .filter(({ created, updated, removed, unchanged }) => created + updated + removed + unchanged > 0)
    .map(({ kind, created, updated, removed, unchanged }) => [kind, created, updated, removed, unchanged]);
  printTable([environment.toUpperCase(), 'CREATED', 'UPDATED', 'REMOVED', 'UNCHANGED'], rows);
  console.log();
}

/** A mistyped name creates a new organization or workspace, so each is named. */
function printNewPlaces(created: CreatedObject[]): void {
  const places = created.filter(({ kind }) => kind === 'organization' || kind === 'workspaces');
  for (const { kind, name } of places)
    console.log(`New ${kind === 'organization' ? 'organization' : 'workspace'}: ${printable(name)}`);
  if (places.length > 0) console.log();
}
