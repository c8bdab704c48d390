import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { vi } from 'vitest';
import { createVitest, type TestCase, type TestModule, type TestSpecification } from 'vitest/node';

/** One test file, to be run without a guard. */
export interface Trial {
  /** Missing while the file is loaded and set up, and in its tests if none are named. 0: none. */
  guard: number;
  /** The tests that run, by key, with the guard that each of them runs without. Default: all, until one fails. */
  tests?: ReadonlyMap<string, number>;
  /** Relative to the project. */
  file: string;
  /** In a process that has loaded nothing yet. */
  isFresh?: boolean;
  /** Milliseconds after which a test counts as failed. Default: the project's own. */
  patience?: number;
}

export interface Failure {
  test: string;
  message: string;
}

export interface TestResult {
  /** Where the test stands in its file. */
  key: string;
  title: string;
  failure: Failure | undefined;
  milliseconds: number;
}

/** Which guards were evaluated: while a file was set up, and in each test. */
export interface Reached {
  setup: number[];
  tests: Record<string, number[]>;
}

export interface TrialResult {
  trial: Trial;
  /** The first failure, also one of the file's set-up; undefined if everything passed. */
  failure: Failure | undefined;
  milliseconds: number;
  /** Those that ran, in their order. */
  tests: TestResult[];
  reached: Reached;
}

export interface TestRuns {
  run(trials: readonly Trial[], onResult: (result: TrialResult) => void): Promise<void>;
  close(): Promise<void>;
}

interface RunOptions {
  workers: number;
  progress(line: string): void;
  signal?: AbortSignal | undefined;
}

const folder = 'test/trials';
const signals = ['SIGINT', 'SIGTERM'] as const;

/**
 * Runs test files of a copy of the project in processes that stay: what they have loaded serves every trial. Each trial
 * is a test file of its own, which imports the one that is to run.
 *
 * @param directory of the copy
 */
export async function openTestRuns(
  directory: string,
  { workers, progress, signal }: RunOptions,
): Promise<TestRuns> {
  await mkdir(join(directory, folder), { recursive: true });
  const modules = new Map<string, (module: TestModule) => Promise<void>>();
  const project = (name: string, isolate: boolean) => ({
    test: {
      ...{ name, isolate, maxWorkers: workers, pool: 'forks' as const, include: [`${folder}/*.test.ts`] },
      setupFiles: ['test/support/setup.ts'],
      globalSetup: ['test/support/postgres.ts'],
      experimental: { viteModuleRunner: false as const, nodeLoader: false },
    },
  });
  const listeners = signals.map((name) => process.listeners(name));
  const vitest = await createVitest(
    'test',
    {
      ...{ config: false as const, root: directory, watch: false, maxWorkers: workers },
      projects: [project('warm', false), project('fresh', true)],
      reporters: [{ onTestModuleEnd: (module) => modules.get(module.moduleId)?.(module) }],
    },
    { server: { watch: null } },
  );
  // Vitest's own listeners end the process before the copy is removed.
  for (const [index, name] of signals.entries()) {
    for (const listener of process.listeners(name))
      if (!listeners[index]?.includes(listener)) process.off(name, listener);
  }
  const stop = () => void vitest.cancelCurrentRun('keyboard-input');
  signal?.addEventListener('abort', stop);
  let written = 0;

  /** @returns the trials of which no test ran, although no guard was missing while the file was set up */
  const runOnce = async (
    trials: readonly Trial[],
    onResult: (result: TrialResult) => void,
    { isLast }: { isLast: boolean },
  ) => {
    signal?.throwIfAborted();
    const lost = new Set(trials);
    const specifications: TestSpecification[] = [];
    for (const trial of trials) {
      const path = join(directory, folder, `${++written}`);
      await writeFile(`${path}.test.ts`, trialFile(trial, `${path}.json`));
      modules.set(`${path}.test.ts`, async (module) => {
        const tests = testsOf(module);
        const failure = failureOf(module);
        const nothingRan = tests.length === 0 && (trial.guard === 0 || !failure);
        if (!nothingRan) lost.delete(trial);
        else if (!isLast) return;
        const reached = await readFile(`${path}.json`, 'utf8').catch(() => undefined);
        onResult({
          ...{ trial, failure, milliseconds: durationOf(module), tests },
          reached: reached === undefined ? { setup: [], tests: {} } : JSON.parse(reached),
        });
      });
      const runner = vitest.projects.find(({ name }) => name === (trial.isFresh ? 'fresh' : 'warm'));
      if (runner) specifications.push(runner.createSpecification(`${path}.test.ts`));
    }
    await vitest.runTestSpecifications(specifications);
    signal?.throwIfAborted();
    return [...lost];
  };

  return {
    async run(trials, onResult) {
      const lost = await runOnce(trials, onResult, { isLast: false });
      const again = lost.length > 0 ? await runOnce(lost, onResult, { isLast: true }) : [];
      if (again.length === 0) return;
      const [error] = vitest.state.getUnhandledErrors() as Error[];
      const cause = error?.cause instanceof Error ? `: ${error.cause.message}` : '';
      progress(
        `${again.length} of ${trials.length} trials did not run: ${error?.message ?? again[0]?.file}${cause}`,
      );
    },
    async close() {
      signal?.removeEventListener('abort', stop);
      await vitest.close();
    },
  };
}

function trialFile({ guard, tests, file, patience }: Trial, reachedFile: string): string {
  const isBaseline = guard === 0 && !tests;
  return `
import { writeFileSync } from 'node:fs';
import { afterAll, afterEach, beforeEach, vi } from 'vitest';
import { limitHangBounds } from '../support/hang-bound.ts';
import { reached, switchOff } from '../../switches.mjs';

switchOff(${guard});
limitHangBounds(${patience});
${patience === undefined ? '' : `vi.setConfig(${JSON.stringify(timeouts(patience))});`}
const planned = ${tests ? `new Map(${JSON.stringify([...tests])})` : 'undefined'};
const keyOf = (task) => task.id.slice(task.file.id.length);
let failed = false;
const seen = { setup: [], tests: {} };
const setUp = () => { seen.setup = [...new Set([...seen.setup, ...reached()])]; };
afterAll(() => {
  setUp();
  ${isBaseline ? `writeFileSync(${JSON.stringify(reachedFile)}, JSON.stringify(seen));` : ''}
});
beforeEach(({ task, skip }) => {
  if (planned ? !planned.has(keyOf(task)) : ${!isBaseline} && failed) skip();
  setUp();
  switchOff(planned?.get(keyOf(task)) ?? ${guard});
});
afterEach(({ task }) => {
  seen.tests[keyOf(task)] = reached();
  failed ||= task.result?.state === 'fail';
  switchOff(${guard});
});
${isBaseline ? "await import('../support/api.ts');\nswitchOff(0);" : ''}
await import('../../${file}?trial=${basename(reachedFile, '.json')}');
`;
}

function timeouts(patience: number): Parameters<typeof vi.setConfig>[0] {
  return { testTimeout: patience, hookTimeout: patience, expect: { poll: { timeout: patience } } };
}

/** The id of a test begins with that of its file, which differs from trial to trial. */
function testsOf(module: TestModule): TestResult[] {
  return [...module.children.allTests()]
    .filter((test) => test.result().state !== 'skipped')
    .map((test) => ({
      key: test.id.slice(module.id.length),
      title: test.fullName,
      failure: test.result().state === 'failed' ? failureOfTest(test) : undefined,
      milliseconds: Math.round(test.diagnostic()?.duration ?? 0),
    }));
}

function failureOfTest(test: TestCase): Failure {
  return { test: test.fullName, message: firstLine(test.result().errors?.[0]?.message) };
}

function failureOf(module: TestModule): TrialResult['failure'] {
  for (const test of module.children.allTests('failed')) return failureOfTest(test);
  if (module.state() !== 'failed') return undefined;
  const suite = [...module.children.allSuites()].find((one) => one.errors().length > 0);
  const error = module.errors()[0] ?? suite?.errors()[0];
  return { test: suite?.fullName ?? 'the file', message: firstLine(error?.message) };
}

function firstLine(message = ''): string {
  return message.trim().split('\n', 1).join().slice(0, 200);
}

function durationOf(module: TestModule): number {
  const { collectDuration, duration } = module.diagnostic();
  return Math.round(collectDuration + duration);
}
