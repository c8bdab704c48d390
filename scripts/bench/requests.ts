/** What a request costs this server next to others that answer the same from memory. */
import { contenders, pinLoad, type RunningContender, startContender } from './requests/contenders.ts';
import { measure, measureLatency } from './requests/measure.ts';
import { token } from './requests/memory.ts';
import { asText, comparisonOf, latencyOf, type Measured, type Results } from './requests/report.ts';
import { type Workload, workloads } from './requests/workloads.ts';
import { type Running, runSection } from './section.ts';
import { rotated } from './statistics.ts';

const options = {
  rounds: { what: 'rounds, of whose ratios the median counts', full: 12, quick: 3 },
  milliseconds: { what: 'of load of each measurement', full: 300, quick: 200, least: 50 },
  rate: { what: 'requests a second at which p99 is taken; 0 for not at all', full: 2_000, least: 0 },
  only: { what: 'workloads and contenders whose name contains one of these, comma-separated', full: '' },
};
interface Values {
  rounds: number;
  milliseconds: number;
  rate: number;
  only: string;
}

/** A latency needs more time than a cost: this many requests make one p99. */
const requestsOfLatency = 1_000;
/** Until the engine has compiled what is hot, at most so long. */
const warmUp = { requests: 4_000, seconds: 4 };

async function run({ rounds, milliseconds, rate, only }: Values, running: Running): Promise<Results> {
  const { progress, signal } = running;
  if (!pinLoad()) progress('taskset is missing: server and load share the cores, and the ratios are blurred');
  const serving: RunningContender[] = [];
  try {
    for (const contender of chosen(contenders, only))
      serving.push(await startContender(contender, { token, signal }));
    const measured: Measured[] = chosen(workloads, only).map((workload) => ({
      workload,
      samples: new Map(),
    }));
    progress('warming up');
    for (const contender of serving)
      for (const { workload } of measured) await warm(contender, workload, signal);

    for (let round = 0; round < rounds; round++) {
      for (const { workload, samples } of measured)
        for (const contender of rotated(serving, round)) {
          signal.throwIfAborted();
          const sample = await measure(contender, workload, { token, seconds: milliseconds / 1000 });
          samples.set(contender.name, [...(samples.get(contender.name) ?? []), sample]);
        }
      progress(`round ${round + 1} of ${rounds}`);
    }
    const latencies = rate > 0 ? await runLatency(serving, { rounds, rate }, running) : undefined;
    return {
      workloads: measured.map(comparisonOf),
      ...(latencies && { latency: latencyOf(latencies, rate) }),
    };
  } finally {
    for (const contender of serving) await contender.stop();
  }
}

async function warm(contender: RunningContender, workload: Workload, signal: AbortSignal): Promise<void> {
  const until = performance.now() + warmUp.seconds * 1000;
  for (let requests = 0; requests < warmUp.requests && performance.now() < until; ) {
    signal.throwIfAborted();
    const seconds = 0.25;
    const { requestsPerSecond } = await measure(contender, workload, { token, seconds });
    requests += requestsPerSecond * seconds;
  }
}

/** @returns by contender the latencies of each round */
async function runLatency(
  serving: RunningContender[],
  { rounds, rate }: { rounds: number; rate: number },
  { progress, signal }: Running,
): Promise<Map<string, number[][]>> {
  const [workload] = workloads as [Workload];
  const latencies = new Map<string, number[][]>(serving.map(({ name }) => [name, []]));
  const seconds = requestsOfLatency / rate;
  for (let round = 0; round < rounds * 2; round++) {
    for (const contender of rotated(serving, round)) {
      signal.throwIfAborted();
      latencies
        .get(contender.name)
        ?.push(await measureLatency(contender, workload, { token, seconds, rate }));
    }
    if (round % 2 === 1) progress(`p99, round ${round + 1} of ${rounds * 2}`);
  }
  return latencies;
}

/** Those that `--only` names; all where it names none of this kind. */
function chosen<Item extends { name: string }>(items: Item[], only: string): Item[] {
  const words = only.toLowerCase().split(',').filter(Boolean);
  const named = items.filter(({ name }) => words.some((word) => name.toLowerCase().includes(word.trim())));
  return named.length > 0 ? named : items;
}

await runSection({
  name: 'requests',
  about: `What a request costs this server, with all its checks, next to bare node:http, bare Express 5, Express with
express-openapi-validator as it comes, and Fastify with equal checks, which all answer the same from memory. Each
has a process on a core of its own. In each round they take turns at once after one another, and the ratio is made
within the round: the median of those ratios, with the middle half of them in brackets, is what counts.`,
  options,
  measure: run,
  asText,
});
