/** The speed of the platform with its database, next to what someone would write by hand on the same database. */
import { type Running, runSection, type Values as SectionValues } from '../section.ts';
import { table } from '../table.ts';
import { type Load, openLoad } from './requests/load.ts';
import { median, pairedRatios, rotated, type Spread } from './statistics.ts';
import { withStorage } from './storage/children.ts';
import type { ProcessorTime } from './storage/platform.ts';
import { requestsOf, type Workload, workloads } from './storage/workloads.ts';
import { figure, spread } from './text.ts';

interface Comparison {
  workload: string;
  counterpart: string;
  requestsPerSecond: { ours: number; counterpart: number };
  roundTrips: { ours: number; counterpart: number };
  /** Microseconds for each request, including the jobs and events that it causes. */
  processorTime: { ours: ProcessorTime; counterpart: ProcessorTime };
  ratio: Spread;
  target: number;
  met: boolean;
}

const options = {
  rounds: { description: 'rounds; the result is the median of their ratios', full: 12, quick: 3 },
  milliseconds: { description: 'length of each measurement', full: 1_000, quick: 300, minimum: 50 },
  callers: { description: 'concurrent requests', full: 16 },
  users: { description: 'users of the organization', full: 1_000 },
  only: { description: 'only workloads whose name contains this', full: '' },
};
type Values = SectionValues<typeof options>;

const warmUpSeconds = 4;
const countSeconds = 0.2;

/** One server for one workload. */
interface Baseline {
  name: string;
  load: Load;
  path: string;
  /** Counts them from now on, or no more. @returns those so far */
  countRoundTrips(isCounting: boolean): Promise<number>;
  settle(): Promise<unknown>;
  /** Microseconds so far. */
  processorTime(): Promise<ProcessorTime>;
  perSecond: number[];
  roundTrips: number;
  requests: number;
  used: ProcessorTime;
}

function measure(values: Values, running: Running): Promise<Comparison[]> {
  return withStorage(running, async ({ platform, express }) => {
    running.progress(`adding ${values.users} users`);
    const { userIds } = await platform.call('fill', 'production', values.users);
    const { baseUrl, token, definitions } = (await platform.call('about')).production;
    const settings = { connections: values.callers };
    const ours = await openLoad(Number(new URL(baseUrl).port), settings);
    const theirs = await openLoad(await express.call('port'), settings);
    const processorTime = () => platform.call('processorTime');
    const settle = () => platform.call('settle');
    const comparisons: Comparison[] = [];
    try {
      for (const workload of workloads(definitions.one)) {
        if (!workload.name.includes(values.only)) continue;
        const fresh = () => ({
          perSecond: [] as number[],
          roundTrips: 0,
          requests: 0,
          used: { process: 0, database: 0 },
        });
        const baselines: Baseline[] = [
          {
            name: 'ours',
            load: ours,
            path: workload.path,
            ...fresh(),
            processorTime,
            countRoundTrips: (isCounting) => platform.call('roundTrips', isCounting),
            settle: workload.hasJobs ? settle : async () => {},
          },
          ...workload.counterparts.map(({ name, path }) => ({
            name,
            load: theirs,
            path,
            ...fresh(),
            processorTime: async () => ({
              ...(await processorTime()),
              process: await express.call('processorTime'),
            }),
            countRoundTrips: () => express.call('roundTrips'),
            settle: async () => {},
          })),
        ];
        await measureWorkload(workload, baselines, { ...values, token, userIds }, running);
        comparisons.push(...comparisonsOf(workload, baselines));
      }
    } finally {
      ours.close();
      theirs.close();
    }
    return comparisons;
  });
}

async function measureWorkload(
  workload: Workload,
  baselines: Baseline[],
  {
    rounds,
    milliseconds,
    ...caller
  }: Pick<Values, 'rounds' | 'milliseconds'> & { token: string; userIds: string[] },
  { progress, signal }: Running,
): Promise<void> {
  // The first round warms up, long enough for the engine to compile hot code.
  for (let round = -1; round < rounds; round++) {
    for (const baseline of rotated(baselines, round + 1)) {
      signal.throwIfAborted();
      await baseline.load.ready();
      const requests = requestsOf(workload, baseline.path, caller);
      if (round < 0) {
        await baseline.load.saturate(requests, warmUpSeconds);
        const before = await baseline.countRoundTrips(true);
        const counted = await baseline.load.saturate(requests, countSeconds);
        baseline.roundTrips = ((await baseline.countRoundTrips(false)) - before) / counted.requests;
      } else {
        const before = await baseline.processorTime();
        const done = await baseline.load.saturate(requests, milliseconds / 1000);
        await baseline.settle();
        const after = await baseline.processorTime();
        baseline.perSecond.push(done.requests / done.seconds);
        baseline.requests += done.requests;
        for (const part of ['process', 'database'] as const)
          baseline.used[part] += after[part] - before[part];
      }
      await baseline.settle();
    }
  }
  const speeds = baselines.map(({ name, perSecond }) => `${name} ${figure(median(perSecond))}/s`);
  progress(`${workload.name}: ${speeds.join(', ')}`);
}

function comparisonsOf(workload: Workload, [ours, ...others]: Baseline[]): Comparison[] {
  if (!ours) return [];
  return others.map((other, index) => {
    const { target } = workload.counterparts[index] as Workload['counterparts'][number];
    const ratio = pairedRatios(ours.perSecond, other.perSecond);
    return {
      workload: workload.name,
      counterpart: other.name,
      ratio,
      target,
      met: ratio.median >= target,
      requestsPerSecond: { ours: median(ours.perSecond), counterpart: median(other.perSecond) },
      roundTrips: { ours: ours.roundTrips, counterpart: other.roundTrips },
      processorTime: { ours: perRequest(ours), counterpart: perRequest(other) },
    };
  });
}

function perRequest({ used, requests }: Baseline): ProcessorTime {
  return { process: used.process / requests, database: used.database / requests };
}

const headings = [
  'Ours',
  'by hand',
  'ours/s',
  'by hand/s',
  'round trips',
  'by hand',
  'µs + PostgreSQL',
  'by hand',
  'ratio',
  'target',
];

function rowsOf(comparisons: Comparison[]): string[][] {
  return comparisons.map(
    ({ workload, counterpart, requestsPerSecond, roundTrips, processorTime, ...rest }) => [
      workload,
      counterpart,
      figure(requestsPerSecond.ours),
      figure(requestsPerSecond.counterpart),
      roundTrips.ours.toFixed(1),
      roundTrips.counterpart.toFixed(1),
      ...[processorTime.ours, processorTime.counterpart].map(
        ({ process, database }) => `${Math.round(process)} + ${Math.round(database)}`,
      ),
      spread(rest.ratio),
      `${rest.met ? '≥' : 'misses'} ${rest.target}`,
    ],
  );
}

await runSection({
  tool: 'bench',
  name: 'storage',
  description: `Measures requests per second of the platform with its own PostgreSQL, with all checks and events, next to Express and
the driver with statements written by hand, on the same database with the same number of callers. They take turns in
each round, and ratios are computed within the round. Counts the round trips to the database for each request.`,
  options,
  run: measure,
  asText: (comparisons) => table([headings, ...rowsOf(comparisons)], [0, 1]),
});
