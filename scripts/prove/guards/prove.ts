import { readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { copyProject } from '../../design/project-copy.ts';
import { describeGuard, type Guard } from './find.ts';
import { instrument, type NumberedGuard } from './instrument.ts';
import type { GuardKind } from './named.ts';
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
const toolTests = /^test\/(bench|contract|design|journeys|mock|portal|prove|samples|supply-chain)\//;
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
    const { verdicts, trials } = await tryGuards(runs, numbered, baseline.passed, { tries, progress });
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
  let unusable: GuardReport['unusable'] = [];
  let left = tests;
  // Again in a process of its own: on a busy machine a test may fail for want of time.
  for (const isFresh of [false, true]) {
    unusable = [];
    const trials = left.map((test): Trial => ({ guard: 0, test, isFresh }));
    await runs.run(trials, (result) => {
      const { test: file, failure } = result;
      if (failure) unusable.push({ file, failure: `${failure.test}: ${failure.message}` });
      else passed.push(result);
      const done = passed.length + unusable.length;
      if (done % 20 === 0) progress(`${done} of ${tests.length} test files ran with all guards`);
    });
    left = unusable.map(({ file }) => file);
    if (left.length === 0) break;
  }
  for (const { file, failure } of unusable)
    progress(`left out, because it fails with all guards: ${file}: ${failure}`);
  return { passed, unusable };
}

interface Candidate {
  number: number;
  /** Among the guards of its file: the first of each file are tried first. */
  position: number;
  isFresh: boolean;
  /** Those that have not run yet. */
  tests: TrialResult[];
  verdict: Verdict;
}

/** Without a guard a test may wait for what never comes: it fails after 10 s and five times what its file takes. */
const leastPatience = 10_000;
/** How many guards are tried before the next ones profit from what was learnt. */
const batchSize = 64;

/** Tries each guard with the test that is most likely to notice, then with the next one. */
async function tryGuards(
  runs: TestRuns,
  guards: readonly NumberedGuard[],
  tests: readonly TrialResult[],
  { tries, progress }: { tries: number; progress: Progress },
) {
  const loading = new Set(tests.flatMap(({ reached }) => reached.loading));
  const experience = newExperience(tests);
  const inFile = new Map<string, number>();
  const candidates = guards.map(([number, guard]): Candidate => {
    const position = inFile.get(guard.file) ?? 0;
    inFile.set(guard.file, position + 1);
    const isFresh = loading.has(number);
    const covering = testsOf(number, guard, loading, guards, tests);
    const verdict = { guard, killedBy: undefined, ran: 0, covering: covering.length };
    return { number, position, isFresh, tests: covering, verdict };
  });
  const byNumber = new Map(candidates.map((candidate) => [candidate.number, candidate]));
  let trials = 0;
  for (;;) {
    const open = candidates
      .filter(({ verdict, tests: left }) => !verdict.killedBy && left.length > 0 && verdict.ran < tries)
      .sort((one, other) => one.verdict.ran - other.verdict.ran || one.position - other.position);
    if (open.length === 0) break;
    const planned = open.slice(0, batchSize).map((candidate): Trial => {
      const test = experience.mostLikely(candidate.verdict.guard, candidate.tests);
      candidate.tests = candidate.tests.filter((other) => other !== test);
      const patience = leastPatience + 5 * test.milliseconds;
      return { guard: candidate.number, test: test.test, isFresh: candidate.isFresh, patience };
    });
    await runs.run(planned, ({ guard, test, failure }) => {
      const { verdict } = byNumber.get(guard) as Candidate;
      verdict.ran++;
      if (failure) verdict.killedBy = { file: test, ...failure };
      experience.add(verdict.guard, test, failure !== undefined);
    });
    trials += planned.length;
    // Said at once: whoever ends the proof early still learns what it found.
    for (const { guard } of planned) {
      const { verdict, tests: left } = byNumber.get(guard) as Candidate;
      if (!verdict.killedBy && (left.length === 0 || verdict.ran >= tries)) progress(missed(verdict));
    }
    const noticed = candidates.filter(({ verdict }) => verdict.killedBy).length;
    progress(
      `${trials} trials: ${noticed} of ${guards.length} guards noticed, ${open.length} were to be tried`,
    );
  }
  return { verdicts: candidates.map(({ verdict }) => verdict), trials };
}

export function missed({ guard, ran }: Pick<Verdict, 'guard' | 'ran'>): string {
  return `${describeGuard(guard)}: no test of ${ran} files that evaluate it fails`;
}

/**
 * The tests that evaluate a guard. What is evaluated while modules load is not evaluated again by the next file of the
 * process: for such a guard, those that reach another one of its file count, or all.
 */
function testsOf(
  number: number,
  { file }: Guard,
  loading: ReadonlySet<number>,
  guards: readonly NumberedGuard[],
  tests: readonly TrialResult[],
): TrialResult[] {
  const reaching = (numbers: readonly number[]) =>
    tests.filter(({ reached }) => reached.running.some((one) => numbers.includes(one)));
  if (!loading.has(number)) return reaching([number]);
  const inFile = guards.filter(([other, guard]) => guard.file === file && !loading.has(other));
  return inFile.length > 0 ? reaching(inFile.map(([other]) => other)) : [...tests];
}

/** Which tests noticed what, to choose the next ones by. */
function newExperience(tests: readonly TrialResult[]) {
  const average = tests.reduce((sum, { milliseconds }) => sum + milliseconds, 0) / tests.length;
  const scores = new Map<string, number>();
  const scoreOf = ({ kind, file }: Guard, { test, milliseconds, reached }: TrialResult) => {
    const learnt = scores.get(`${file} ${test}`) ?? 0;
    // A test that evaluates few guards is about them.
    return (
      learnt + (isAbout(kind, file, test) ? 10 : 0) - reached.running.length / 20 - milliseconds / average
    );
  };
  return {
    add({ file }: Guard, test: string, hasNoticed: boolean) {
      const key = `${file} ${test}`;
      scores.set(key, (scores.get(key) ?? 0) + (hasNoticed ? 5 : -3));
    },
    mostLikely(guard: Guard, left: readonly TrialResult[]): TrialResult {
      return left.reduce((best, test) => (scoreOf(guard, test) > scoreOf(guard, best) ? test : best));
    },
  };
}

/** Whether a test file has the name of the guard's file, or calls every operation to see its permission. */
function isAbout(kind: GuardKind, file: string, test: string): boolean {
  if (kind === 'permission' || /access|addressable/.test(file)) return test === authorizationSweep;
  const name = basename(file, '.ts');
  return basename(test).startsWith(name) || basename(test, '.test.ts').split('-').includes(name);
}
