/** Executions per second next to the job queue alone, and latency of starts next to stored executions. */

import { temporaryDirectory } from '../../command-line/temporary-directory.ts';
import { type Running, runSection } from '../section.ts';
import { table } from '../table.ts';
import { type Child, type Functions, startChild } from './child.ts';
import type { PlatformFunctions } from './executions/platform.ts';
import type { QueueFunctions } from './executions/queue.ts';
import { startExecutions } from './executions/starts.ts';
import { median, pairedRatios, quantile, rotated, type Spread } from './statistics.ts';
import { figure, spread } from './text.ts';

interface Throughput {
  steps: number;
  executionsPerSecond: number;
  /** The queue alone, with a job for each step. */
  jobsPerSecond: number;
  /** Steps per second as a share of the queue's jobs per second. */
  ofQueue: Spread;
}
interface Latency {
  p50: number;
  p95: number;
}
interface Results {
  throughput: Throughput[];
  /** Milliseconds until the response to a start, with no stored executions and with `stored`. */
  starts: { stored: number; none: Latency; many: Latency; manyToNone: Spread };
  /** Milliseconds from start to end of an execution of one step. */
  durations: { none: Latency; many: Latency };
  /** The same for three steps, each started after the end of the one before. */
  threeSteps: Latency;
}

const options = {
  rounds: { description: 'rounds; the result is the median of their ratios', full: 8, quick: 2 },
  executions: {
    description: 'executions of one step in a round; a fifth as many have ten',
    full: 1_000,
    quick: 300,
  },
  stored: { description: 'stored executions', full: 100_000, quick: 5_000 },
  starts: { description: 'starts in a round', full: 50, quick: 20 },
};
type Values = Record<keyof typeof options, number>;

const kinds = [
  { definition: 'one', steps: 1, share: 1 },
  // Fewer, so that a round takes about as long.
  { definition: 'ten', steps: 10, share: 1 / 5 },
] as const;

type Platform = Child<PlatformFunctions>;

/** Each on a platform of its own: what a burst leaves in the queue's tables until they are vacuumed slows starts. */
async function measure(values: Values, running: Running): Promise<Results> {
  const throughput = await withPlatform(running, async (platform) => {
    const { connection } = await platform.call('about');
    await using queue = await start<QueueFunctions>('queue', [connection], running);
    return await measureThroughput({ platform, queue }, values, running);
  });
  return { throughput, ...(await withPlatform(running, (it) => measureStarts(it, values, running))) };
}

async function withPlatform<Result>(
  running: Running,
  use: (platform: Platform) => Promise<Result>,
): Promise<Result> {
  running.progress('starting the platform');
  await using directory = await temporaryDirectory('bench-executions');
  await using platform = await start<PlatformFunctions>('platform', [directory.path], running);
  return await use(platform);
}

function start<Callable extends Functions>(name: string, args: string[], { signal }: Running) {
  return startChild<Callable>(new URL(`executions/${name}.ts`, import.meta.url), { args, signal });
}

async function measureThroughput(
  { platform, queue }: { platform: Platform; queue: Child<QueueFunctions> },
  { rounds, executions }: Values,
  { progress }: Running,
): Promise<Throughput[]> {
  const measured = kinds.map((kind) => ({ ...kind, ours: [] as number[], theirs: [] as number[] }));
  // The first round warms up.
  for (let round = -1; round < rounds; round++) {
    for (const { definition, steps, share, ours, theirs } of measured) {
      const count = Math.round(executions * share);
      const sides = [
        async () => {
          const seconds = await platform.call('run', definition, count);
          if (round >= 0) ours.push(count / seconds);
        },
        async () => {
          const jobs = count * steps;
          const seconds = await queue.call('measure', jobs);
          if (round >= 0) theirs.push(jobs / seconds);
        },
      ];
      for (const measureSide of rotated(sides, round + 1)) await measureSide();
    }
    const speeds = measured.map(({ steps, ours }) => `${figure(ours.at(-1) ?? Number.NaN)}/s of ${steps}`);
    progress(round < 0 ? 'warmed up' : `round ${round + 1} of ${rounds}: ${speeds.join(', ')}`);
  }
  return measured.map(({ steps, ours, theirs }) => ({
    steps,
    executionsPerSecond: median(ours),
    jobsPerSecond: median(theirs),
    ofQueue: pairedRatios(
      ours.map((speed) => speed * steps),
      theirs,
    ),
  }));
}

async function measureStarts(
  platform: Platform,
  { rounds, stored, starts }: Values,
  { progress }: Running,
): Promise<Pick<Results, 'starts' | 'durations' | 'threeSteps'>> {
  const { production, sandbox } = await platform.call('about');
  progress(`storing ${stored} executions`);
  await platform.call('store', stored);
  const many = { environment: production, times: [] as number[], medians: [] as number[] };
  const none = { environment: sandbox, times: [] as number[], medians: [] as number[] };
  let since = '';
  for (let round = -1; round < rounds; round++) {
    if (round === 0) since = new Date().toISOString();
    for (const { environment, times, medians } of rotated([many, none], round + 1)) {
      const taken = await startExecutions(environment, starts);
      if (round < 0) continue;
      times.push(...taken);
      medians.push(median(taken));
    }
    if (round >= 0) progress(`starts, round ${round + 1} of ${rounds}`);
  }
  const durations = await platform.call('durations', since);
  const threeSteps = { definition: 'three', untilEnd: true } as const;
  await startExecutions(sandbox, starts, threeSteps);
  const warmAt = new Date().toISOString();
  await startExecutions(sandbox, starts * rounds, threeSteps);
  const three = await platform.call('durations', warmAt);
  return {
    starts: {
      stored,
      none: latencyOf(none.times),
      many: latencyOf(many.times),
      manyToNone: pairedRatios(many.medians, none.medians),
    },
    durations: { none: latencyOf(durations.sandbox), many: latencyOf(durations.production) },
    threeSteps: latencyOf(three.sandbox),
  };
}

function latencyOf(times: number[]): Latency {
  return { p50: median(times), p95: quantile(times, 0.95) };
}

function asText({ throughput, starts, durations, threeSteps }: Results): string {
  const latency = ({ p50, p95 }: Latency) => [`${figure(p50)} ms`, `${figure(p95)} ms`];
  const withMany = `with ${starts.stored} stored`;
  return table([
    ['Executions', 'per second', 'queue alone, jobs/s', 'steps to its jobs'],
    ...throughput.map(({ steps, executionsPerSecond, jobsPerSecond, ofQueue }) => [
      `of ${steps} step${steps === 1 ? '' : 's'}`,
      figure(executionsPerSecond),
      figure(jobsPerSecond),
      spread(ofQueue),
    ]),
    [],
    ['Response to a start', 'p50', 'p95', 'ratio'],
    ['with none stored', ...latency(starts.none)],
    [withMany, ...latency(starts.many), spread(starts.manyToNone)],
    [],
    ['From start to end, one step', 'p50', 'p95'],
    ['with none stored', ...latency(durations.none)],
    [withMany, ...latency(durations.many)],
    [],
    ['From start to end, three steps', 'p50', 'p95'],
    ['one at a time', ...latency(threeSteps)],
  ]);
}

await runSection({
  tool: 'bench',
  name: 'executions',
  description: `Measures executions per second for definitions of one step and of ten, all started in advance, next to the job queue
alone: pg-boss on the same database, with the same workers and connections, and one job for each step. Also measures
the latency of starts with no stored executions and with many, in two environments of one platform.`,
  options,
  run: measure,
  asText,
});
