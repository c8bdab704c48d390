/** The cost of a request next to other servers with the same responses from memory. */

import { type Running, runSection, type Values as SectionValues } from '../section.ts';
import { baselines, pinLoad, type RunningBaseline, startBaseline } from './requests/baselines.ts';
import { measure, measureLatency } from './requests/measure.ts';
import { token } from './requests/memory.ts';
import { asText, comparisonOf, latencyOf, type Measured, type Results } from './requests/report.ts';
import { type Workload, workloads } from './requests/workloads.ts';
import { rotated } from './statistics.ts';

const options = {
  rounds: { description: 'rounds; the result is the median of their ratios', full: 12, quick: 3 },
  milliseconds: { description: 'length of each measurement', full: 300, quick: 200, minimum: 50 },
  rate: { description: 'requests per second for the p99; 0 skips it', full: 2_000, minimum: 0 },
  only: {
    description: 'only workloads and baselines whose name contains one of these, comma-separated',
    full: '',
  },
};
type Values = SectionValues<typeof options>;

/** The number of requests of one p99. */
const requestsOfLatency = 1_000;
/** Enough for the engine to compile hot code, with a limit on the time. */
const warmUp = { requests: 4_000, seconds: 4 };

async function run({ rounds, milliseconds, rate, only }: Values, running: Running): Promise<Results> {
  const { progress, signal } = running;
  if (!pinLoad())
    progress('taskset is missing: server and load share the cores, so the ratios are less accurate');
  const serving: RunningBaseline[] = [];
  await using children = new AsyncDisposableStack();
  for (const baseline of select(baselines, only))
    serving.push(children.use(await startBaseline(baseline, { token, signal })));
  const measured: Measured[] = select(workloads, only).map((workload) => ({
    workload,
    samples: new Map(),
  }));
  progress('warming up');
  for (const baseline of serving) for (const { workload } of measured) await warm(baseline, workload, signal);

  for (let round = 0; round < rounds; round++) {
    for (const { workload, samples } of measured)
      for (const baseline of rotated(serving, round)) {
        signal.throwIfAborted();
        const sample = await measure(baseline, workload, { token, seconds: milliseconds / 1000 });
        samples.set(baseline.name, [...(samples.get(baseline.name) ?? []), sample]);
      }
    progress(`round ${round + 1} of ${rounds}`);
  }
  const latencies = rate > 0 ? await runLatency(serving, { rounds, rate }, running) : undefined;
  return {
    workloads: measured.map(comparisonOf),
    ...(latencies && { latency: latencyOf(latencies, rate) }),
  };
}

async function warm(baseline: RunningBaseline, workload: Workload, signal: AbortSignal): Promise<void> {
  const until = performance.now() + warmUp.seconds * 1000;
  for (let requests = 0; requests < warmUp.requests && performance.now() < until; ) {
    signal.throwIfAborted();
    const seconds = 0.25;
    const { requestsPerSecond } = await measure(baseline, workload, { token, seconds });
    requests += requestsPerSecond * seconds;
  }
}

/** @returns the latencies of each round, by baseline */
async function runLatency(
  serving: RunningBaseline[],
  { rounds, rate }: { rounds: number; rate: number },
  { progress, signal }: Running,
): Promise<Map<string, number[][]>> {
  const [workload] = workloads as [Workload];
  const latencies = new Map<string, number[][]>(serving.map(({ name }) => [name, []]));
  const seconds = requestsOfLatency / rate;
  for (let round = 0; round < rounds * 2; round++) {
    for (const baseline of rotated(serving, round)) {
      signal.throwIfAborted();
      latencies.get(baseline.name)?.push(await measureLatency(baseline, workload, { token, seconds, rate }));
    }
    if (round % 2 === 1) progress(`p99, round ${round + 1} of ${rounds * 2}`);
  }
  return latencies;
}

/** The items that `--only` names; all if it names none. */
function select<Item extends { name: string }>(items: Item[], only: string): Item[] {
  const words = only.toLowerCase().split(',').filter(Boolean);
  const selected = items.filter(({ name }) => words.some((word) => name.toLowerCase().includes(word.trim())));
  return selected.length > 0 ? selected : items;
}

await runSection({
  tool: 'bench',
  name: 'requests',
  description: `Measures the cost of a request, with all checks, next to bare Express 5 and Fastify with equal checks, all with the same
responses from memory. Each is a process on a core of its own. They take turns in each round, and ratios are computed
within the round. The result is the median of the ratios, with the quartiles in parentheses.`,
  options,
  run,
  asText,
});
