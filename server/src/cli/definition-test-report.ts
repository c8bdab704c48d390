import { styleText } from 'node:util';
import type { Definition } from '../../asl/index.ts';
import { type Json, pointerTo, startOf } from '../../json/index.ts';
import { type Path, type Problem, pathOf } from '../manifest/platform-file.ts';
import type { Source } from '../manifest/source.ts';
import { type Coverage, type Covered, statesOf } from '../workflows/simulation/coverage.ts';
import type { ExpectationDifference, UnusedMocks } from '../workflows/simulation/expectation.ts';
import type { DefinitionRun } from '../workflows/simulation/run-definition.ts';
import type { Step } from '../workflows/simulation/simulate.ts';
import { printable, printableLines } from './print.ts';

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
  full?: true;
}

/** Where something is in a file. Line and column count from 1. */
interface Place {
  file: string;
  line: number;
  column: number;
}

function placeOf(source: Source, path: Path, atKey = false): Place {
  const { line, column } = source.located([{ path, message: '', atKey }])[0] as Omit<Place, 'file'>;
  return { file: source.name, line, column };
}

const placeText = ({ file, line, column }: Place) => `${file}:${line}:${column}`;

/** The report for programs, with the places of what differs and of what is not reached. */
export function locatedReport({ sources, coverage, ...report }: FileReport): object {
  const { definition } = sources;
  const located = (covered: Covered) => ({
    ...covered,
    missing: covered.missing.map((each) => ({ ...each, ...placeOfMissing(definition, each.pointer) })),
  });
  return {
    ...report,
    cases: report.cases.map((each) => locatedCase(each, sources)),
    ...(coverage && {
      coverage: { states: located(coverage.states), transitions: located(coverage.transitions) },
    }),
  };
}

function locatedCase(report: CaseReport, { definition, tests }: FileReport['sources']): object {
  const { name, differences, unused, problem, failedState } = report;
  return {
    ...report,
    differences: differences.map((each) => ({ ...each, ...placeOfDifference(tests, name, each.pointer) })),
    ...(unused && { unused: unused.map((each) => ({ ...each, ...placeOfMocks(tests, name, each.state) })) }),
    ...(problem !== undefined && { place: placeOf(definition, placeInDefinition(definition, failedState)) }),
  };
}

const placeInDefinition = (definition: Source, state: string | undefined): Path =>
  state === undefined ? [] : pathOfState(definition, state);

const placeOfMissing = (definition: Source, pointer: string) =>
  placeOf(definition, pathOf(pointer, definition.value), true);

/** Undefined for `--input`, which has no expectations. */
function placeOfDifference(tests: Source | undefined, name: string, pointer: string): Place | undefined {
  if (!tests || !isCase(tests, name)) return undefined;
  const path: Path = ['cases', name, 'expect', ...pathOf(pointer, expectationIn(tests, name))];
  return placeOf(tests, path);
}

const placeOfMocks = (tests: Source | undefined, name: string, state: string) =>
  tests && placeOf(tests, ['cases', name, 'mocks', state], true);

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
    const show = options.full ? inFull : shortened;
    for (const line of failureLines(each, sources, show)) print(`      ${line}`);
    if (options.verbose || options.full || alone !== undefined || (cases.length === 1 && !each.passed))
      printRun(each, sources, show);
  }
  if (coverage) printCoverage(coverage, sources.definition);
}

function failureLines(
  report: CaseReport,
  { definition, tests }: FileReport['sources'],
  show: Show,
): string[] {
  const { name, differences, unused = [], problem, failedState } = report;
  if (problem !== undefined) {
    return findingLines(definition, [{ path: placeInDefinition(definition, failedState), message: problem }]);
  }
  const unusedLines = unused.flatMap(({ state, unused: count, total }) => {
    const place = placeOfMocks(tests, name, state);
    const were = count === 1 ? 'was' : 'were';
    return place ? [`${placeText(place)} mocks/${state}: ${count} of ${total} ${were} not used`] : [];
  });
  const lines = differences.map((difference) => {
    const place = placeOfDifference(tests, name, difference.pointer);
    return [place && placeText(place), differenceText(difference, show)].filter(Boolean).join(' ');
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

function differenceText({ pointer, expected, actual }: ExpectationDifference, show: Show): string {
  const what = pointer.slice(1);
  if (expected === undefined) return `${what}: not expected, is ${show.value(actual)}`;
  if (actual === undefined) return `${what}: expected ${show.value(expected)}, is missing`;
  if (what !== 'path') return `${what}: expected ${show.value(expected)}, is ${show.value(actual)}`;
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

/** The last states with what went in and came out. */
function printRun(report: CaseReport, { definition }: FileReport['sources'], show: Show): void {
  const { steps = [], status, waited, output, next, error } = report;
  const left = Math.max(steps.length - show.steps, 0);
  if (left > 0) print(`      … ${left} steps before …`);
  for (const step of steps.slice(left)) {
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
      if (value !== undefined) print(`        ${name.padEnd(9)} ${show.value(value)}`);
    }
    if (failure) print(`        ${'error'.padEnd(9)} ${failureLine(definition, state, failure)}`);
    if (step.next !== undefined)
      print(`        ${'next'.padEnd(9)} ${step.next}${via === 'Next' ? '' : ` (${via})`}`);
    else if (via) print(`        ${'next'.padEnd(9)} ${via}`);
  }
  if (status === undefined) return;
  const result = output === undefined ? '' : ` ${show.value(output)}`;
  const failed = error === undefined ? '' : `: ${error}`;
  print(`      ${status} after ${waited} s${failed}${next === undefined ? '' : `, next ${next}`}${result}`);
}

function printCoverage({ states, transitions }: Coverage, definition: Source): void {
  const count = ({ reached, total }: Covered) => `${reached} of ${total}`;
  print(`  Coverage: states ${count(states)}; Choice rules, Catchers and Retriers ${count(transitions)}`);
  const problems = [...states.missing, ...transitions.missing].map(({ pointer, name }) => ({
    path: pathOf(pointer, definition.value),
    message: `no case reaches ${name}`,
    atKey: true,
  }));
  for (const line of findingLines(definition, problems)) print(`    ${line}`);
}

/** How much is printed. */
interface Show {
  value(value: Json | undefined): string;
  /** The last steps of a case. */
  steps: number;
}

const textOf = (value: Json | undefined) => JSON.stringify(value) ?? 'nothing';

/** Characters of a value. */
const maxLength = 600;

const shortened: Show = {
  steps: 200,
  value(value) {
    const text = textOf(value);
    if (text.length <= maxLength) return text;
    return `${startOf(text, maxLength)}… (${text.length} characters; --full prints all)`;
  },
};

const inFull: Show = { steps: Number.POSITIVE_INFINITY, value: textOf };

function print(line: string): void {
  console.log(printableLines(line));
}

function colored(color: 'green' | 'red', text: string): string {
  return styleText(color, text, { stream: process.stdout });
}
