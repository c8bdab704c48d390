import { statSync } from 'node:fs';
import type { Command } from 'commander';
import { type Definition, drawDefinition } from '../../asl/index.ts';
import { pointerTo } from '../../json/index.ts';
import { checkFurther, checkStates } from '../manifest/check.ts';
import { parseSource, parseYaml, syntaxErrorsIn } from '../manifest/source.ts';
import { type ListedDefinition, listDefinitions } from '../store/definitions.ts';
import { CommandError, describeError, notFound } from './command-error.ts';
import { inEnvironment } from './connect.ts';
import { addArchiveCommands } from './definition-archive.ts';
import { addConvertCommand } from './definition-convert.ts';
import { addPauseCommands } from './definition-pause.ts';
import { addShowCommand, findDefinition } from './definition-show.ts';
import { addDefinitionTestCommand } from './definition-test.ts';
import { readInput } from './input-file.ts';
import {
  action,
  commandGroup,
  type EnvironmentOptions,
  fromWorkingDirectory,
  type GlobalOptions,
  refuseJson,
} from './options.ts';
import { formatMinute, printable, printableLines, printJson, printList } from './print.ts';
import { type Finding, sarifOf } from './sarif.ts';

/** `wrp definition`. */
export function addDefinitionCommands(program: Command): void {
  const add = commandGroup(program, 'definition', 'Workflow definitions.');
  add('list --environment sandbox', 'Lists the workflow definitions with their revisions.')
    .option('--archived', 'archived ones, too')
    .action(action(runList));
  add(
    'draw steps > steps.mmd',
    'Draws the current revision of a definition, or a file, as a Mermaid diagram (https://mermaid.js.org).',
  )
    .argument('<name|id|file>')
    .action(action(runDraw));
  addShowCommand(add);
  addPauseCommands(add);
  addArchiveCommands(add);
  const check = add(
    'check claims.asl.json',
    'Checks definitions in the Amazon States Language, each in a JSON or YAML file of its own; - is standard input.',
    null,
  )
    .argument('<file...>')
    .option('--sarif', 'print SARIF 2.1.0, for editors and CI')
    .action(action(runCheck));
  refuseJson(check, '--sarif');
  addDefinitionTestCommand(add);
  addConvertCommand(add);
}

async function runList(options: EnvironmentOptions & { archived?: true }): Promise<void> {
  const all = await inEnvironment(options, listDefinitions);
  const definitions = options.archived
    ? all
    : all.filter(({ archivedDateTime }) => archivedDateTime === null);
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
        STATE: stateOf,
      },
    },
  );
}

function stateOf(definition: Omit<ListedDefinition, 'document'>): string {
  const { archivedDateTime, pausedDateTime, pausedReason } = definition;
  if (archivedDateTime !== null) return `archived ${formatMinute(archivedDateTime)}`;
  if (pausedDateTime === null) return 'active';
  const since = `paused ${formatMinute(pausedDateTime)}`;
  return pausedReason === null ? since : `${since}: ${pausedReason}`;
}

async function runDraw(reference: string, options: EnvironmentOptions): Promise<void> {
  const file = fromWorkingDirectory(reference);
  if (statSync(file, { throwIfNoEntry: false })?.isFile()) return drawFile(reference, options);
  const finding = inEnvironment(options, (database) => findDefinition(database, reference, options));
  const definition = await finding.catch((error: unknown) => {
    if (!/\.(json|ya?ml)$/.test(reference)) throw error;
    throw new CommandError(`There is no file ${reference}. ${describeError(error)}`);
  });
  if (!definition.document) throw notFound('definition', reference, options);
  const diagram = drawDefinition(definition.document as Definition);
  if (options.json) printJson({ id: definition.id, revision: definition.revision, diagram });
  else console.log(printableLines(diagram));
}

/** Without a database. */
async function drawFile(file: string, { json }: GlobalOptions): Promise<void> {
  const errors = (await findingsIn(file)).filter(({ level }) => level === 'error');
  if (errors.length > 0) throw new CommandError(errors.map(lineOf).join('\n'));
  const { value } = parseSource(await readInput(file), file);
  const diagram = drawDefinition(value as Definition);
  if (json) printJson({ file, diagram });
  else console.log(printableLines(diagram));
}

function lineOf({ file, line, column, pointer, message, level }: Finding): string {
  const shown = level === 'warning' ? `warning: ${message}` : message;
  return [`${file}:${line}:${column}`, pointer, shown].filter(Boolean).join(' ');
}

/** Without a database: the files alone are read. */
async function runCheck(files: string[], options: GlobalOptions & { sarif?: true }): Promise<void> {
  const findings = (await Promise.all(files.map(findingsIn))).flat();
  const json = options.json || options.sarif;
  if (options.sarif) printJson(sarifOf(findings));
  else if (json) printJson(findings);
  const lines = findings.map(lineOf);
  const errors = findings.filter(({ level }) => level === 'error').length;
  if (errors > 0)
    throw new CommandError(json ? `${errors} error${errors === 1 ? '' : 's'}.` : lines.join('\n'));
  if (json) return;
  if (lines.length > 0) console.error(lines.map(printable).join('\n'));
  console.log(files.map((file) => `${file === '-' ? 'Standard input' : file} is valid.`).join('\n'));
}

async function findingsIn(file: string): Promise<Finding[]> {
  const content = await readInput(file);
  const syntaxErrors = syntaxErrorsIn(parseYaml(content), file);
  if (syntaxErrors.length > 0)
    return syntaxErrors.map((error) => ({ file, rule: 'syntax', level: 'error', pointer: '', ...error }));
  const { value, located } = parseSource(content, file);
  const { errors, warnings } = await checkFurther(value);
  const problems = [...checkStates(value), ...errors, ...warnings];
  return located(problems).map(({ path, line, column, message, warning }) => {
    const pointer = path.map(pointerTo).join('');
    const level = warning ? 'warning' : 'error';
    return { file, rule: 'definition', line, column, pointer, message, level };
  });
}
