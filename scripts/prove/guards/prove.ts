import { readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { copyProject } from '../../design/project-copy.ts';
import { describeGuard, type Guard } from './find.ts';
import { instrument, type NumberedGuard } from './instrument.ts';
import { openTestRuns, type TestRuns, type Trial, type TrialResult } from './runs.ts';

/** What the tests say about one guard. */
export interface Verdict {
  guard: Guard;
  /** The test that failed without it; undefined if none did. */
  killedBy: { file: string; test: string; message: string } | undefined;
  /** How many test files ran without it, of those that evaluate it. */
  ran: number;
  covering: number;
}

export interface GuardReport {
  verdicts: Verdict[];
  /** Test files that fail in the copy with all guards, and say nothing therefore. */
  unusable: { file: string; failure: string }[];
  baselineSeconds: number;
  seconds: number;
  trials: number;
}

type Progress = (line: string) => void;

interface Options {
  guards: readonly Guard[];
  /** Relative to the project. Default: every quick test file that may reach a guard. */
  tests?: readonly string[];
  /** How many of the test files that evaluate a guard run without it at most: the most likely to notice come first. */
  tries: number;
  workers: number;
  progress?: Progress;
  signal?: AbortSignal;
}

/** Tests of tools, which reach no guard that another test does not. */
const toolTests = /^test\/(bench|contract|design|journeys|mock|portal|samples|supply-chain)\//;
/** Calls every operation as everybody. */
const authorizationSweep = 'test/sweeps/authorization.test.ts';

export async function quickTests(): Promise<string[]> {
  const root = fileURLToPath(new URL('../../../', import.meta.url));
  const names = await readdir(join(root, 'test'), { recursive: true });
  return names
    .map((name) => `test/${name}`)
    .filter((name) => /(?<!\.slow)\.test\.ts$/.test(name) && !toolTests.test(name))
    .sort();
}

/** Runs the tests without each guard, until one fails. */
export async function proveGuards({
  guards,
  tests,
  tries,
  workers,
  progress = () => {},
  signal,
}: Options): Promise<GuardReport> {
  const started = performance.now();
  const copy = await copyProject();
  let runs: TestRuns | undefined;
  try {
    const numbered = guards.map((guard, index): NumberedGuard => [index + 1, guard]);
    await instrumentCopy(copy.directory, numbered);
    runs = await openTestRuns(copy.directory, { workers, signal });
    const baseline = await runBaseline(runs, tests ?? (await quickTests()), progress);
    const baselineSeconds = (performance.now() - started) / 1000;
    progress(`all tests with all guards: ${Math.round(baselineSeconds)} s`);
    const { verdicts, trials } = await runRounds(runs, numbered, baseline.passed, { tries, progress });
    return {
      ...{ verdicts, trials, unusable: baseline.unusable, baselineSeconds },
      seconds: (performance.now() - started) / 1000,
    };
  } finally {
    await runs?.close();
    await copy.remove();
  }
}

/** Writes all guards with their switches into the copy. */
export async function instrumentCopy(directory: string, guards: readonly NumberedGuard[]): Promise<void> {
  const switches = join(directory, 'switches.mjs');
  await writeFile(switches, await readFile(new URL('./switches.mjs', import.meta.url)));
  for (const [file, ofFile] of Map.groupBy(guards, ([, guard]) => guard.file)) {
    const path = join(directory, file);
    const text = await readFile(path, 'utf8');
    await writeFile(path, instrument(text, ofFile, pathToFileURL(switches).href));
  }
}

/** With all guards: which file reaches which guard, and how long it takes. */
async function runBaseline(runs: TestRuns, tests: readonly string[], progress: Progress) {
  const passed: TrialResult[] = [];
  const unusable: GuardReport['unusable'] = [];
  const trials = tests.map((test): Trial => ({ guard: 0, test, isFresh: false }));
  await runs.run(trials, (result) => {
    const { test, failure } = result;
    if (failure) unusable.push({ file: test, failure: `${failure.test}: ${failure.message}` });
    else passed.push(result);
    const done = passed.length + unusable.length;
    if (done % 20 === 0) progress(`${done} of ${tests.length} test files ran with all guards`);
  });
  return { passed, unusable };
}

interface Candidate {
  number: number;
  guard: Guard;
  isFresh: boolean;
  /** Those that have not run yet. */
  tests: TrialResult[];
  verdict: Verdict;
}

/** In each round every guard that no test has missed yet is tried with the test that is most likely to miss it. */
async function runRounds(
  runs: TestRuns,
  guards: readonly NumberedGuard[],
  tests: readonly TrialResult[],
  { tries, progress }: { tries: number; progress: Progress },
) {
  const loading = new Set(tests.flatMap(({ reached }) => reached.loading));
  const kills = new Map<string, number>();
  let trials = 0;
  const candidates = guards.map(([number, guard]): Candidate => {
    const isFresh = loading.has(number);
    const covering = testsOf(number, guard, isFresh, guards, tests);
    const verdict = { guard, killedBy: undefined, ran: 0, covering: covering.length };
    return { number, guard, isFresh, tests: covering, verdict };
  });
  for (let round = 1; round <= tries; round++) {
    const open = candidates.filter(({ verdict, tests: left }) => !verdict.killedBy && left.length > 0);
    if (open.length === 0) break;
    const byNumber = new Map(open.map((candidate) => [candidate.number, candidate]));
    const planned = open.map((candidate): Trial => {
      const test = mostLikely(candidate, kills);
      candidate.tests = candidate.tests.filter((other) => other !== test);
      return { guard: candidate.number, test: test.test, isFresh: candidate.isFresh };
    });
    let done = 0;
    await runs.run(planned, ({ guard, test, failure }) => {
      const candidate = byNumber.get(guard) as Candidate;
      candidate.verdict.ran++;
      trials++;
      if (failure) {
        candidate.verdict.killedBy = { file: test, ...failure };
        for (const key of keysOf(candidate.guard, test)) kills.set(key, (kills.get(key) ?? 0) + 1);
      }
      if (++done % 50 === 0) progress(`round ${round}: ${done} of ${open.length}`);
    });
    const left = candidates.filter(({ verdict }) => !verdict.killedBy);
    progress(`round ${round}: ${open.length} guards tried, ${left.length} of ${guards.length} left`);
    if (left.length <= 12) for (const { guard } of left) progress(`  left: ${describeGuard(guard)}`);
  }
  return { verdicts: candidates.map(({ verdict }) => verdict), trials };
}

/**
 * The tests that evaluate a guard. What is evaluated while modules load is not evaluated again by the next file of the
 * process: for such a guard, those that reach another one of its file count, or all.
 */
function testsOf(
  number: number,
  { file }: Guard,
  isFresh: boolean,
  guards: readonly NumberedGuard[],
  tests: readonly TrialResult[],
): TrialResult[] {
  const reaching = (numbers: readonly number[]) =>
    tests.filter(({ reached }) => reached.running.some((one) => numbers.includes(one)));
  if (!isFresh) return reaching([number]);
  const others = guards.filter(([, guard]) => guard.file === file).map(([other]) => other);
  const inFile = reaching(others.filter((other) => other !== number));
  return inFile.length > 1 ? inFile : [...tests];
}

function mostLikely({ guard, tests }: Candidate, kills: ReadonlyMap<string, number>): TrialResult {
  const score = ({ test, milliseconds }: TrialResult) => {
    const killed = keysOf(guard, test).map((key) => kills.get(key) ?? 0);
    const [byFile = 0, byKind = 0] = killed;
    return (named(guard, test) ? 10 : 0) + byFile * 5 + byKind - milliseconds / 1000;
  };
  return tests.reduce((best, test) => (score(test) > score(best) ? test : best));
}

/** Whether a test file has the name of the guard's file, or is the one for guards of this kind. */
function named({ kind, file }: Guard, test: string): boolean {
  if (kind === 'permission' || file === 'server/src/store/access.ts') return test === authorizationSweep;
  return basename(test).startsWith(basename(file, '.ts'));
}

function keysOf({ kind, file }: Guard, test: string): [byFile: string, byKind: string] {
  return [`${file} ${test}`, `${kind} ${test}`];
}
