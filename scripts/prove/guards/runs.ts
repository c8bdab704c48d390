import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createVitest, type TestModule, type TestSpecification } from 'vitest/node';

/** One test file, to be run without one guard. */
export interface Trial {
  /** 0: with all guards. */
  guard: number;
  /** Relative to the project. */
  test: string;
  /** In a process that has loaded nothing yet, for a guard that is evaluated while modules load. */
  isFresh: boolean;
  /** Milliseconds after which a test counts as failed. Default: the project's own. */
  patience?: number;
}

export interface TrialResult extends Trial {
  /** The first failure; undefined if everything passed. */
  failure: { test: string; message: string } | undefined;
  milliseconds: number;
  /** With all guards: which ones the file evaluates, and which ones loading the platform evaluates. */
  reached: { running: number[]; loading: number[] };
}

export interface TestRuns {
  run(trials: readonly Trial[], onResult: (result: TrialResult) => void): Promise<void>;
  close(): Promise<void>;
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
  { workers, signal }: { workers: number; signal?: AbortSignal | undefined },
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

  return {
    async run(trials, onResult) {
      signal?.throwIfAborted();
      const specifications: TestSpecification[] = [];
      for (const trial of trials) {
        const path = join(directory, folder, `${++written}`);
        await writeFile(`${path}.test.ts`, trialFile(trial, `${path}.json`));
        modules.set(`${path}.test.ts`, async (module) => {
          const reached = await readFile(`${path}.json`, 'utf8').catch(() => undefined);
          onResult({
            ...{ ...trial, failure: failureOf(module), milliseconds: durationOf(module) },
            reached: reached === undefined ? { running: [], loading: [] } : JSON.parse(reached),
          });
        });
        const runner = vitest.projects.find(({ name }) => name === (trial.isFresh ? 'fresh' : 'warm'));
        if (runner) specifications.push(runner.createSpecification(`${path}.test.ts`));
      }
      await vitest.runTestSpecifications(specifications);
      signal?.throwIfAborted();
    },
    async close() {
      signal?.removeEventListener('abort', stop);
      await vitest.close();
    },
  };
}

/** After the first failure no further test of the file runs: it says enough. */
function trialFile({ guard, test, patience }: Trial, reachedFile: string): string {
  const isBaseline = guard === 0;
  return `
import { writeFileSync } from 'node:fs';
import { afterAll, afterEach, beforeEach, vi } from 'vitest';
import { reached, switchOff } from '../../switches.mjs';

switchOff(${guard});
${patience === undefined ? '' : `vi.setConfig({ testTimeout: ${patience}, hookTimeout: ${patience} });`}
let failed = false;
let loading = [];
afterAll(() => ${isBaseline ? `writeFileSync(${JSON.stringify(reachedFile)}, JSON.stringify({ running: reached(), loading }))` : '{}'});
beforeEach(({ skip }) => skip(failed));
afterEach(({ task }) => { failed ||= task.result?.state === 'fail'; });
${isBaseline ? "await import('../support/api.ts');\nloading = reached();" : ''}
await import('../../${test}?guard=${guard}');
`;
}

function failureOf(module: TestModule): TrialResult['failure'] {
  for (const test of module.children.allTests('failed')) {
    return { test: test.fullName, message: firstLine(test.result().errors?.[0]?.message) };
  }
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
