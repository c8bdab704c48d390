import { styleText } from 'node:util';
import type { Definition } from '../../asl/index.ts';
import { type Json, pointerTo, startOf } from '../../json/index.ts';
import { type Path, type Problem, pathOf } from '../manifest/platform-file.ts';
import type { Source } from '../manifest/source.ts';
import { type Coverage, statesOf } from '../workflows/simulation/coverage.ts';
import type { ExpectationDifference, UnusedMocks } from '../workflows/simulation/expectation.ts';
import type { DefinitionRun } from '../workflows/simulation/run-definition.ts';
import type { Step } from '../workflows/simulation/simulate.ts';
import { printable } from './print.ts';

export interface CaseReport extends Partial<Omit<DefinitionRun, 'steps'>> {
  name: string;
  /** The state that it runs alone. */
  state?: string;
  passed: boolean;
  differences: ExpectationDifference[];
  /** The mocks of the case for which there was no call. */
  unused?: UnusedMocks[];
  steps?: Step[];
  /** Why the case could not be run to its end. */
  problem?: string;
  /** The state in which it stopped. */
  failedState?: string;
}

export interface FileReport {
  file: string;
  /** The test file. */
  tests?: string;
  cases: CaseReport[];
  coverage?: Coverage;
  sources: { definition: Source; tests?: Source };
}

interface ReportOptions {
  case?: string;
  state?: string;
  input?: Json;
  verbose?: true;
}

/** `file:line:column /pointer message` of each problem, in the order of the file. */
export function findingLines(source: Source, problems: Problem[]): string[] {
  const lines = source.located(problems).map(({ path, line, column, message }) => {
    const pointer = path.map(pointerTo).join('');
    return [`${source.name}:${line}:${column}`, pointer, message].filter(Boolean).join(' ');
  });
  return [...new Set(lines)];
}

export function printReport(report: FileReport, options: ReportOptions): void {
  const { file, cases, coverage, sources } = report;
  const alone = options.case ?? options.state ?? options.input;
  print(file);
  for (const each of cases) {
    const mark = each.passed ? colored('green', '✓') : colored('red', '✗');
    const title = `${each.name}${each.state === undefined ? '' : ` (state ${each.state})`}`;
    console.log(`  ${mark} ${printable(title)}`);
    for (const line of failureLines(each, sources)) print(`      ${line}`);
    if (options.verbose || alone !== undefined || (cases.length === 1 && !each.passed))
      printRun(each, sources);
  }
  if (coverage) printCoverage(coverage, sources.definition);
}

function failureLines(report: CaseReport, { definition, tests }: FileReport['sources']): string[] {
  const { name, differences, unused = [], problem, failedState } = report;
  if (problem !== undefined) {
    const path = failedState === undefined ? [] : pathOfState(definition, failedState);
    return findingLines(definition, [{ path, message: problem }]);
  }
  const unusedLines = unused.flatMap(({ state, unused: count, total }) => {
    if (!tests) return [];
    const path = ['cases', name, 'mocks', state];
    const [at = ''] = findingLines(tests, [{ path, message: '', atKey: true }]);
    const were = count === 1 ? 'was' : 'were';
    return [`${at.split(' ', 1)} mocks/${state}: ${count} of ${total} ${were} not used`];
  });
  const lines = differences.flatMap(({ pointer, expected, actual }) => {
    const message = differenceText(pointer, expected, actual);
    const expectation: Path = ['cases', name, 'expect'];
    if (!tests || !isCase(tests, name)) return [message];
    const path = [...expectation, ...pathOf(pointer, expectationIn(tests, name))];
    const [at = ''] = findingLines(tests, [{ path, message: '' }]);
    return [`${at.split(' ', 1)} ${message}`];
  });
  const unexpected = differences.some(({ pointer }) => pointer === '/status' || pointer === '/error');
  return [...lines, ...unusedLines, ...(unexpected ? errorLines(report, definition) : [])];
}

/** Whether a case of the test file ran, not `--input`. */
function isCase({ value }: Source, name: string): boolean {
  return Object.hasOwn((value as { cases: object }).cases, name);
}

function expectationIn({ value }: Source, name: string): unknown {
  return (value as { cases: Record<string, { expect?: unknown }> }).cases[name]?.expect;
}

function differenceText(pointer: string, expected: Json | undefined, actual: Json | undefined): string {
  const what = pointer.slice(1);
  if (expected === undefined) return `${what}: not expected, is ${shown(actual)}`;
  if (actual === undefined) return `${what}: expected ${shown(expected)}, is missing`;
  if (what !== 'path') return `${what}: expected ${shown(expected)}, is ${shown(actual)}`;
  const [wanted, taken] = [expected, actual].map((path) => (path as string[]).join(' → '));
  return `path: expected ${wanted}\n                      is ${taken}`;
}

/** The error of a run, with the place of its expression in the definition. */
function errorLines({ error, cause, expression, steps = [] }: CaseReport, definition: Source): string[] {
  if (error === undefined) return [];
  const last = steps.findLast(({ failure }) => failure?.cause === cause);
  return [
    failureLine(definition, last?.state, { error, cause: cause ?? '', ...(expression && { expression }) }),
  ];
}

/** `claims.asl.json:12:20 /States/Fetch/Arguments/url States.QueryEvaluationError: …` */
function failureLine(
  definition: Source,
  state: string | undefined,
  { error, cause, expression }: NonNullable<Step['failure']>,
): string {
  const text = [error || 'without a name', cause].filter(Boolean).join(': ');
  if (state === undefined) return text;
  const inState = pathOfState(definition, state);
  const field = expression ? pathOf(`/${expression.field}`, valueAt(definition.value, inState)) : [];
  const at = expression?.position;
  const message = at === undefined ? text : `${text} at character ${at} of the expression`;
  return findingLines(definition, [{ path: [...inState, ...field], message }]).join();
}

function pathOfState({ value }: Source, state: string): Path {
  const placed = statesOf(value as Definition).find(({ name }) => name === state);
  return placed ? pathOf(placed.pointer, value) : [];
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((inner, key) => (inner as Record<string | number, unknown>)?.[key], value);
}

/** Steps of a case. */
const maxSteps = 200;

/** The last states with what went in and came out. */
function printRun(report: CaseReport, { definition }: FileReport['sources']): void {
  const { steps = [], status, waited, output, next, error } = report;
  if (steps.length > maxSteps) print(`      … ${steps.length - maxSteps} steps before …`);
  for (const step of steps.slice(-maxSteps)) {
    const { state, type, branch, attempt, at, until, failure, via } = step;
    const place = [branch && `in ${branch}`, attempt > 1 && `attempt ${attempt}`].filter(Boolean);
    const time = at === until ? `${at} s` : `${at}–${until} s`;
    print(`      ${[`${state} (${type})`, ...place].join(', ')}, ${time}`);
    const values = {
      input: step.input,
      arguments: step.arguments,
      output: step.output,
      assigned: step.assigned,
    };
    for (const [name, value] of Object.entries(values)) {
      if (value !== undefined) print(`        ${name.padEnd(9)} ${shown(value)}`);
    }
    if (failure) print(`        ${'error'.padEnd(9)} ${failureLine(definition, state, failure)}`);
    if (step.next !== undefined)
      print(`        ${'next'.padEnd(9)} ${step.next}${via === 'Next' ? '' : ` (${via})`}`);
    else if (via) print(`        ${'next'.padEnd(9)} ${via}`);
  }
  if (status === undefined) return;
  const result = output === undefined ? '' : ` ${shown(output)}`;
  const failed = error === undefined ? '' : `: ${error}`;
  print(`      ${status} after ${waited} s${failed}${next === undefined ? '' : `, next ${next}`}${result}`);
}

function printCoverage({ states, transitions }: Coverage, definition: Source): void {
  const counts = Object.entries({ states, transitions }).map(
    ([name, { reached, total }]) => `${name} ${reached} of ${total}`,
  );
  print(`  Coverage: ${counts.join(', ')}`);
  const problems = [...states.missing, ...transitions.missing].map(({ pointer, name }) => ({
    path: pathOf(pointer, definition.value),
    message: `no case reaches ${name}`,
    atKey: true,
  }));
  for (const line of findingLines(definition, problems)) print(`    ${line}`);
}

/** Characters of a value. */
const maxLength = 600;

function shown(value: Json | undefined): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > maxLength ? `${startOf(text, maxLength)}… (${text.length} characters)` : text;
}

function print(line: string): void {
  console.log(line.split('\n').map(printable).join('\n'));
}

function colored(color: 'green' | 'red', text: string): string {
  return styleText(color, text, { stream: process.stdout });
}
