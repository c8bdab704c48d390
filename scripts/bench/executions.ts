/** How fast executions run next to the job queue alone, and start beside stored ones. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Child, startChild } from './child.ts';
import type { About, Question as Asked, Lasted } from './executions/platform.ts';
import type { Question as AskedQueue } from './executions/queue.ts';
import { startExecutions } from './executions/starts.ts';
import { type Running, runSection } from './section.ts';
import { median, pairedRatios, quantile, rotated, type Spread } from './statistics.ts';
import { figure, spread, table } from './text.ts';

interface Throughput {
  steps: number;
  executionsPerSecond: number;
  /** Of the queue alone, with a job for each step. */
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
  /** Milliseconds until a start is answered, beside none stored and beside `stored`. */
  starts: { stored: number; none: Latency; many: Latency; manyToNone: Spread };
  /** Milliseconds from the start to the end of an execution of one step. */
  lasted: { none: Latency; many: Latency };
}

const options = {
  rounds: { what: 'rounds, of whose ratios the median counts', full: 8, quick: 2 },
  executions: {
    what: 'executions of one step in a round; a fifth as many have ten',
    full: 1_000,
    quick: 300,
  },
  stored: { what: 'stored executions', full: 100_000, quick: 5_000 },
  starts: { what: 'starts in a round', full: 50, quick: 20 },
};
type Values = Record<keyof typeof options, number>;

/** Fewer of ten steps, so that they take about as long as those of one. */
const fewer = 5;
const kinds = [
  { definition: 'one', steps: 1, share: 1 },
  { definition: 'ten', steps: 10, share: 1 / fewer },
] as const;

async function measure(values: Values, running: Running): Promise<Results> {
  const directory = await mkdtemp(join(tmpdir(), 'wrp-bench-executions-'));
  const children: Child[] = [];
  const start = async (name: string, args: string[]) => {
    const child = await startChild(new URL(`executions/${name}.ts`, import.meta.url), {
      ...{ args, signal: running.signal },
    });
    children.unshift(child);
    return child;
  };
  try {
    running.progress('starting the platform');
    const platform = await start('platform', [directory]);
    const about = await platform.ask<About>({ kind: 'about' } satisfies Asked);
    const queue = await start('queue', [about.connection]);
    const throughput = await measureThroughput({ platform, queue }, values, running);
    return { throughput, ...(await measureStarts(platform, about, values, running)) };
  } finally {
    for (const child of children) await child.stop();
    await rm(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

async function measureThroughput(
  { platform, queue }: { platform: Child; queue: Child },
  { rounds, executions }: Values,
  { progress }: Running,
): Promise<Throughput[]> {
  const measured = kinds.map((kind) => ({ ...kind, ours: [] as number[], theirs: [] as number[] }));
  // The first round warms up.
  for (let round = -1; round < rounds; round++) {
    for (const { definition, steps, share, ours, theirs } of measured) {
      const count = Math.round(executions * share);
      const contenders = [
        async () => {
          const seconds = await platform.ask<number>({ kind: 'run', definition, count } satisfies Asked);
          if (round >= 0) ours.push(count / seconds);
        },
        async () => {
          const jobs = count * steps;
          const seconds = await queue.ask<number>({ jobs } satisfies AskedQueue);
          if (round >= 0) theirs.push(jobs / seconds);
        },
      ];
      for (const contender of rotated(contenders, round + 1)) await contender();
    }
    const told = measured.map(({ steps, ours }) => `${figure(ours.at(-1) ?? Number.NaN)}/s of ${steps}`);
    progress(round < 0 ? 'warmed up' : `round ${round + 1} of ${rounds}: ${told.join(', ')}`);
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
  platform: Child,
  { production, sandbox }: About,
  { rounds, stored, starts }: Values,
  { progress }: Running,
): Promise<Pick<Results, 'starts' | 'lasted'>> {
  progress(`storing ${stored} executions`);
  await platform.ask({ kind: 'store', count: stored } satisfies Asked);
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
  const lasted = await platform.ask<Lasted>({ kind: 'lasted', since } satisfies Asked);
  return {
    starts: {
      stored,
      none: latencyOf(none.times),
      many: latencyOf(many.times),
      manyToNone: pairedRatios(many.medians, none.medians),
    },
    lasted: { none: latencyOf(lasted.sandbox), many: latencyOf(lasted.production) },
  };
}

function latencyOf(times: number[]): Latency {
  return { p50: median(times), p95: quantile(times, 0.95) };
}

function asText({ throughput, starts, lasted }: Results): string {
  const latency = ({ p50, p95 }: Latency) => [`${figure(p50)} ms`, `${figure(p95)} ms`];
  const beside = `beside ${starts.stored} stored`;
  return table([
    ['Executions', 'a second', 'queue alone, jobs a second', 'steps as a share of its jobs'],
    ...throughput.map(({ steps, executionsPerSecond, jobsPerSecond, ofQueue }) => [
      `of ${steps} step${steps === 1 ? '' : 's'}`,
      ...[figure(executionsPerSecond), figure(jobsPerSecond), spread(ofQueue)],
    ]),
    [],
    ['Start answered', 'p50', 'p95', 'as a ratio'],
    ['beside none stored', ...latency(starts.none)],
    [beside, ...latency(starts.many), spread(starts.manyToNone)],
    [],
    ['From start to end, one step', 'p50', 'p95'],
    ['beside none stored', ...latency(lasted.none)],
    [beside, ...latency(lasted.many)],
  ]);
}

await runSection({
  name: 'executions',
  about: `Executions per second of a definition of one step and of one of ten, all started before, next to the job queue
alone: pg-boss on the same database, with the same workers and connections, doing as many jobs as there are steps.
And how long a start takes beside no stored executions and beside many, in two environments of one platform.`,
  options,
  measure,
  asText,
});
