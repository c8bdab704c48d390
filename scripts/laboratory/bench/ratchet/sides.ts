import { temporaryDirectory } from '../../../command-line/temporary-directory.ts';
import type { Running } from '../../section.ts';
import { type Functions, startChild } from '../child.ts';
import type { PlatformFunctions as ExecutionFunctions } from '../executions/platform.ts';
import { type Baseline, startBaseline } from '../requests/baselines.ts';
import { openLoad } from '../requests/load.ts';
import { measure } from '../requests/measure.ts';
import { token } from '../requests/memory.ts';
import { workloads as requestWorkloads } from '../requests/workloads.ts';
import type { PlatformFunctions as StorageFunctions } from '../storage/platform.ts';
import { requestsOf, workloads as storageWorkloads } from '../storage/workloads.ts';

/** One version of the platform in one section of the ratchet. */
export interface Side extends AsyncDisposable {
  /** What it is measured by, in order. */
  lines: readonly string[];
  /** Measures a line once. @returns what is done per second; more is faster */
  measure(line: string): Promise<number>;
}

/** Opens one version. @param folder its `scripts/laboratory/bench/` */
export type OpenSide = (folder: URL, running: Running) => Promise<Side>;

const platform: Baseline = { name: 'ours', module: 'ours', validates: true };

/** Requests per second of processor time, with handlers from memory. */
export const requests: OpenSide = async (folder, { signal }) => {
  const served = await startBaseline(platform, { token, signal, folder: new URL('requests/', folder) });
  return {
    lines: requestWorkloads.map(({ name }) => name),
    async measure(line) {
      const workload = named(requestWorkloads, line);
      const { processorTime } = await measure(served, workload, { token, seconds: 0.2 });
      return 1e6 / processorTime;
    },
    [Symbol.asyncDispose]: () => served[Symbol.asyncDispose](),
  };
};

/** Requests per second of processor time of the platform and of PostgreSQL, with what workers do for them. */
export const storage: OpenSide = async (folder, { signal }) => {
  await using opened = new AsyncDisposableStack();
  const child = await startPlatform<StorageFunctions>(new URL('storage/platform.ts', folder), opened, signal);
  const { userIds } = await child.call('fill', 'production', 1_000);
  const { baseUrl, token, definitions } = (await child.call('about')).production;
  const load = await openLoad(Number(new URL(baseUrl).port), { connections: 16 });
  opened.defer(load.close);
  const workloads = storageWorkloads(definitions.one);
  const used = async () => {
    const { process, database } = await child.call('processorTime');
    return process + database;
  };
  const kept = opened.move();
  return {
    lines: workloads.map(({ name }) => name),
    async measure(line) {
      const workload = named(workloads, line);
      await load.ready();
      const before = await used();
      const done = await load.saturate(requestsOf(workload, workload.path, { token, userIds }), 0.6);
      if (workload.hasJobs) await child.call('settle');
      return (1e6 * done.requests) / ((await used()) - before);
    },
    [Symbol.asyncDispose]: () => kept[Symbol.asyncDispose](),
  };
};

/** Executions per second, all started in advance. */
export const executions: OpenSide = async (folder, { signal }) => {
  await using opened = new AsyncDisposableStack();
  const child = await startPlatform<ExecutionFunctions>(
    new URL('executions/platform.ts', folder),
    opened,
    signal,
  );
  const kinds = [
    { name: 'of one step', definition: 'one', count: 800 },
    { name: 'of ten steps', definition: 'ten', count: 160 },
  ] as const;
  const kept = opened.move();
  return {
    lines: kinds.map(({ name }) => name),
    async measure(line) {
      const { definition, count } = named(kinds, line);
      return count / (await child.call('run', definition, count));
    },
    [Symbol.asyncDispose]: () => kept[Symbol.asyncDispose](),
  };
};

/** Starts a platform on a temporary directory, both of which end with `opened`. */
async function startPlatform<Callable extends Functions>(
  module: URL,
  opened: AsyncDisposableStack,
  signal: AbortSignal,
) {
  const { path } = opened.use(await temporaryDirectory('bench-ratchet'));
  return opened.use(await startChild<Callable>(module, { args: [path], signal }));
}

function named<Item extends { name: string }>(items: readonly Item[], name: string): Item {
  const item = items.find((one) => one.name === name);
  if (!item) throw new Error(`There is no ${name}.`);
  return item;
}
