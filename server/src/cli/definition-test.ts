import { type Stats, unwatchFile, watchFile } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { InvalidArgumentError, Option } from 'commander';
import type { Definition } from '../../asl/index.ts';
import { reasonOf } from '../../durable-files/index.ts';
import { isObject, type Json, type JsonObject } from '../../json/index.ts';
import { checkFurther, checkStates } from '../manifest/check.ts';
import {
  checkTests,
  type DefinitionTestCase,
  type DefinitionTests,
} from '../manifest/definition-test-file.ts';
import { parseSource, type Source } from '../manifest/source.ts';
import { coverageOf } from '../workflows/simulation/coverage.ts';
import { failedExpectations, unusedMocks } from '../workflows/simulation/expectation.ts';
import { openIsolatedSteps } from '../workflows/simulation/isolated-steps.ts';
import { DefinitionError, MockError, runWith } from '../workflows/simulation/run-definition.ts';
import { CommandError, UsageError } from './command-error.ts';
import {
  type CaseReport,
  type FileReport,
  findingLines,
  locatedReport,
  printReport,
} from './definition-test-report.ts';
import { readInput } from './input-file.ts';
import {
  type AddCommand,
  action,
  exclusiveOption,
  fromWorkingDirectory,
  type GlobalOptions,
  refuseJson,
} from './options.ts';
import { printableLines, printJson } from './print.ts';

type TestOptions = GlobalOptions & {
  tests?: string;
  case?: string;
  state?: string;
  input?: Json;
  variables?: JsonObject;
  parameters?: JsonObject;
  verbose?: true;
  full?: true;
  coverage?: true;
  watch?: true;
};

const notes = `
The tests of claims.asl.json are in claims.test.yaml beside it (or .yml, .json):

  cases:
    a large claim waits for an assessor:
      input: { amount: 9000 }
      mocks:
        Fetch:                          # one for each call of the Task state, in order
          - { error: Http.Status.503 }
          - { output: { body: { open: true } }, duration: 2 }
        Assess: { callback: { output: { approved: true } }, duration: 86400 }
      expect:
        path: [Fetch, Large?, Assess, Pay]
        output: { paid: 9000 }

Waits take no time. The guide "Writing workflow definitions" describes all fields.
Exit status: 0 all cases pass, 1 a case differs or a file has errors, 2 usage error.`;

/** `wrp definition test`. Without a database: files are read, and definitions run in a process with the platform's limits. */
export function addDefinitionTestCommand(add: AddCommand): void {
  const command = add(
    'test claims.asl.json --coverage',
    'Runs the test cases of definitions, with mocked tasks.',
    null,
  )
    .argument('<file...>')
    .option('--tests <file>', 'the test file (default: claims.test.yaml beside claims.asl.json)')
    .addOption(exclusiveOption('--case <name>', 'only this case, with its steps', 'input'))
    .option('--state <name>', 'only the cases of this state, with their steps')
    .addOption(
      new Option(
        '--input <json>',
        'run once with this input instead of the cases, with the mocks of the test file',
      ).argParser(parseInput),
    )
    .addOption(
      new Option(
        '--variables <json>',
        'with --state and --input: the variables that the state reads',
      ).argParser(parseObject),
    )
    .addOption(
      new Option(
        '--parameters <json>',
        'with --state and --input: the parameters of the execution',
      ).argParser(parseObject),
    )
    .option('--verbose', "print each state's input, output and variables")
    .option('--full', 'the same without cutting long values')
    .option('--coverage', 'list the states, Choice rules, Catchers and Retriers that no case reaches')
    .option('--watch', 'run again when a file changes')
    .addHelpText('after', notes)
    .action(action(runTests));
  refuseJson(command, '--verbose', '--full');
}

function parseInput(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch (error) {
    throw new InvalidArgumentError(`It is not JSON: ${(error as Error).message}.`);
  }
}

function parseObject(text: string): JsonObject {
  const value = parseInput(text);
  if (!isObject(value)) throw new InvalidArgumentError('It is not a JSON object.');
  return value;
}

async function runTests(files: string[], options: TestOptions): Promise<void> {
  const { state, input, variables, parameters } = options;
  if ((variables ?? parameters) && (state === undefined || input === undefined)) {
    throw new UsageError('--variables and --parameters are only for --state with --input.');
  }
  const isolated = openIsolatedSteps();
  try {
    if (!options.watch) return await testAll(files, options, isolated);
    for (;;) {
      await testAll(files, options, isolated).catch((error: Error) =>
        console.error(printableLines(error.message)),
      );
      console.error('Waiting for changes; Ctrl+C ends.');
      await changeOf(files.flatMap((file) => [file, ...testFilesOf(file, options)]));
    }
  } finally {
    await isolated.close();
  }
}

const watchMilliseconds = 200;

function changeOf(files: string[]): Promise<void> {
  const paths = [...new Set(files.map(fromWorkingDirectory))];
  return new Promise((resolve) => {
    const changed = (now: Stats, before: Stats) => {
      // A file that does not exist is reported once.
      if (now.mtimeMs === before.mtimeMs) return;
      for (const path of paths) unwatchFile(path, changed);
      resolve();
    };
    for (const path of paths) watchFile(path, { interval: watchMilliseconds }, changed);
  });
}

async function testAll(
  files: string[],
  options: TestOptions,
  isolated: ReturnType<typeof openIsolatedSteps>,
): Promise<void> {
  const reports: FileReport[] = [];
  const errors: string[] = [];
  for (const file of files) {
    try {
      const report = await testFile(file, options, isolated);
      reports.push(report);
      if (!options.json) printReport(report, options);
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      errors.push(error.message);
    }
  }
  const cases = reports.flatMap((report) => report.cases);
  const failed = cases.filter(({ passed }) => !passed).length;
  if (options.json) printJson({ files: reports.map(locatedReport), errors });
  if (failed > 0) errors.push(`${failed} of ${cases.length} case${cases.length === 1 ? '' : 's'} failed.`);
  if (errors.length > 0) throw new CommandError(errors.join('\n'));
}

async function testFile(
  file: string,
  options: TestOptions,
  isolated: ReturnType<typeof openIsolatedSteps>,
): Promise<FileReport> {
  const source = await sourceOf(file, /\.test\.(yaml|yml|json)$/.test(file));
  assertNone(source, [...checkStates(source.value), ...(await checkFurther(source.value)).errors]);
  const definition = source.value as Definition;
  const tests = await testsOf(file, definition, options);
  const cases = chosenCases(tests?.tests, tests?.source.name ?? testFilesOf(file, options)[0] ?? '', options);
  const take = isolated.of(definition);
  const steps: CaseReport['steps'] = [];
  const reports: CaseReport[] = [];
  for (const [name, { expect, ...each }] of Object.entries(cases)) {
    const { context, mocks } = tests?.tests ?? {};
    const own = { name: basename(file).replace(/(\.asl)?\.\w+$/, ''), ...context, ...each.context };
    const merged = { ...each, context: own, mocks: { ...mocks, ...each.mocks } };
    const report = { name, ...(each.state !== undefined && { state: each.state }) };
    try {
      const run = await runWith(definition, take, merged);
      steps.push(...run.steps);
      const differences = failedExpectations(run, expect ?? {});
      const unused = unusedMocks(run, each.mocks);
      const passed = differences.length === 0 && unused.length === 0;
      reports.push({ ...report, passed, differences, ...(unused.length > 0 && { unused }), ...run });
    } catch (error) {
      if (!(error instanceof MockError || error instanceof DefinitionError)) throw error;
      const inState = error instanceof MockError && { failedState: error.state };
      reports.push({ ...report, passed: false, differences: [], problem: error.message, ...inState });
    }
  }
  return {
    file,
    ...(tests && { tests: tests.source.name }),
    cases: reports,
    ...(options.coverage && { coverage: coverageOf(definition, steps) }),
    sources: { definition: source, ...(tests && { tests: tests.source }) },
  };
}

/** The cases that the options choose. */
function chosenCases(
  tests: DefinitionTests | undefined,
  testFile: string,
  { case: name, state, input, variables, parameters }: TestOptions,
): Record<string, DefinitionTestCase> {
  if (input !== undefined) {
    const alone = { ...(variables && { variables }), ...(parameters && { parameters }) };
    return { '--input': { input, ...(state !== undefined && { state, ...alone }) } };
  }
  if (!tests) throw new CommandError(`${testFile} does not exist: write it, or run once with --input '{}'.`);
  const chosen = Object.entries(tests.cases).filter(
    ([key, each]) => (name === undefined || key === name) && (state === undefined || each.state === state),
  );
  if (chosen.length > 0) return Object.fromEntries(chosen);
  if (name !== undefined) {
    const names = Object.keys(tests.cases).map((each) => `‘${each}’`);
    throw new CommandError(`${testFile} has no case ‘${name}’; its cases: ${names.join(', ')}.`);
  }
  throw new CommandError(
    `${testFile} has no case with state: ${state}. Add one, or run once with --input '{}'.`,
  );
}

/** The paths at which the tests of a definition may be. */
function testFilesOf(file: string, { tests }: TestOptions): string[] {
  if (tests !== undefined) return [tests];
  const stem = file.replace(/(\.asl)?\.(json|yaml|yml)$/, '');
  return ['yaml', 'yml', 'json'].map((type) => `${stem}.test.${type}`);
}

async function testsOf(
  file: string,
  definition: Definition,
  options: TestOptions,
): Promise<{ source: Source; tests: DefinitionTests } | undefined> {
  for (const name of testFilesOf(file, options)) {
    const text = await readFile(fromWorkingDirectory(name), 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' && options.tests === undefined) return undefined;
      throw new CommandError(`${name}: cannot be read: ${reasonOf(error)}.`);
    });
    if (text === undefined) continue;
    const source = parsed(text, name);
    assertNone(source, checkTests(source.value, definition));
    return { source, tests: source.value as DefinitionTests };
  }
  return undefined;
}

async function sourceOf(file: string, isTestFile: boolean): Promise<Source> {
  if (isTestFile) {
    throw new CommandError(`${file} is a test file: name its definition, such as claims.asl.json.`);
  }
  return parsed(await readInput(file), file);
}

function parsed(text: string, name: string): Source {
  try {
    return parseSource(text, name);
  } catch (error) {
    throw new CommandError((error as Error).message);
  }
}

/** @throws CommandError with a line for each problem */
function assertNone(source: Source, problems: Parameters<Source['located']>[0]): void {
  if (problems.length > 0) throw new CommandError(findingLines(source, problems).join('\n'));
}
