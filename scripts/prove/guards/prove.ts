import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { copyProject } from '../../laboratory/project-copy.ts';
import type { Guard } from './find.ts';
import { instrument, type NumberedGuard } from './instrument.ts';
import { openTestRuns, type TestRuns, type Trial, type TrialResult } from './runs.ts';
import { tryGuards, type Verdict } from './trials.ts';

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
  /** How many tests of average duration run without a guard at most: the most likely to notice come first. */
  tries: number;
  workers: number;
  progress?: Progress;
  signal?: AbortSignal;
}

/** Tests of tools and of packages, which reach no guard that another test does not. */
const toolTests =
  /^test\/(bench|client\/journeys|contract|design|journeys|mock|portal|prove|samples|supply-chain)\b/;

export async function quickTests(): Promise<string[]> {
  const root = fileURLToPath(new URL('../../../', import.meta.url));
  const names = await readdir(join(root, 'test'), { recursive: true });
  return names
    .map((name) => `test/${name}`)
    .filter((name) => /(?<!\.slow)\.test\.ts$/.test(name) && !toolTests.test(name))
    .sort();
}

/** Runs the tests without each guard, until one fails. Aborted, it says what it found until then. */
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
    runs = await openTestRuns(copy.directory, { workers, progress, signal });
    const baseline = await runBaseline(runs, tests ?? (await quickTests()), progress);
    const baselineSeconds = (performance.now() - started) / 1000;
    progress(`all tests with all guards: ${Math.round(baselineSeconds)} s`);
    const { verdicts, trials } = await tryGuards(runs, numbered, baseline.passed, {
      tries,
      progress,
      signal,
    });
    return {
      ...{ verdicts, trials, unusable: baseline.unusable, baselineSeconds },
      seconds: (performance.now() - started) / 1000,
    };
  } finally {
    await runs?.close();
    await copy.remove();
  }
}

/**
 * The server composes the statements of access while it is loaded, the copy whenever one is used: otherwise their
 * guards could be switched only in a process that has loaded nothing yet.
 */
const composedOnUse = [
  {
    file: 'server/src/store/access.ts',
    text: /const \{ \[object\.name\]: text \} = statements.*;/g,
    replacement:
      'const text = statement(credential.scheme, check, { ...common, ...addressableObjects }[object.name], withRow);',
  },
  { file: 'server/src/store/access.ts', text: /^const statements = \{.*?^\};/gms, replacement: '' },
  {
    file: 'server/src/store/addressable-objects.ts',
    text: /\.\.\.(inWorkspace\('(\w+)'\))/g,
    replacement: "table: '$2', get select() { return $1.select; }",
  },
];

/** Writes all guards with their switches into the copy. */
export async function instrumentCopy(directory: string, guards: readonly NumberedGuard[]): Promise<void> {
  const switches = join(directory, 'switches.mjs');
  await writeFile(switches, await readFile(new URL('./switches.mjs', import.meta.url)));
  for (const [file, ofFile] of Map.groupBy(guards, ([, guard]) => guard.file)) {
    const path = join(directory, file);
    const text = await readFile(path, 'utf8');
    await writeFile(path, instrument(text, ofFile, pathToFileURL(switches).href));
  }
  for (const { file, text, replacement } of composedOnUse) {
    const path = join(directory, file);
    const source = await readFile(path, 'utf8');
    if (source.search(text) < 0) throw new Error(`${file} does not contain ${text}: adapt guards/prove.ts.`);
    await writeFile(path, source.replace(text, replacement));
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
    const trials = left.map((file): Trial => ({ guard: 0, file, isFresh }));
    await runs.run(trials, (result) => {
      const {
        failure,
        trial: { file },
      } = result;
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
