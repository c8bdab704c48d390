/** The speed of the platform with its database, next to what someone would write by hand on the same database. */
import { writeFile } from 'node:fs/promises';
import { type Running, runSection, type Values as SectionValues } from '../command-line/section.ts';
import { table } from '../command-line/table.ts';
import { type ProfiledFunction, profileHeadings, profileRows, profilesAsText } from './profile.ts';
import { barsOfRatios, reportPage } from './report.ts';
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
  report: { description: 'a file for the results as a page with plots', full: '' },
  profile: { description: 'report the functions of the platform with the most self time', full: false },
};
type Values = SectionValues<typeof options>;

interface Results {
  comparisons: Comparison[];
  /** Of each workload, with `--profile`. */
  profiles: { name: string; functions: ProfiledFunction[] }[];
}

const warmUpSeconds = 4;
const countSeconds = 0.2;
const profileSeconds = 3;

/** One server for one workload. */
interface Contender {
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

function measure(values: Values, running: Running): Promise<Results> {
  return withStorage(running, async ({ platform, express }) => {
    running.progress(`adding ${values.users} users`);
    const { userIds } = await platform.call('fill', 'production', values.users);
    const { baseUrl, token, definitions } = (await platform.call('about')).production;
    const settings = { connections: values.callers };
    const ours = await openLoad(Number(new URL(baseUrl).port), settings);
    const theirs = await openLoad(await express.call('port'), settings);
    const processorTime = () => platform.call('processorTime');
    const settle = () => platform.call('settle');
    const results: Results = { comparisons: [], profiles: [] };
    try {
      for (const workload of workloads(definitions.one)) {
        if (!workload.name.includes(values.only)) continue;
        const fresh = () => ({
          ...{ perSecond: [] as number[], roundTrips: 0, requests: 0, used: { process: 0, database: 0 } },
        });
        const contenders: Contender[] = [
          {
            ...{ name: 'ours', load: ours, path: workload.path, ...fresh(), processorTime },
            countRoundTrips: (isCounting) => platform.call('roundTrips', isCounting),
            settle: workload.hasJobs ? settle : async () => {},
          },
          ...workload.counterparts.map(({ name, path }) => ({
            ...{ name, load: theirs, path, ...fresh() },
            processorTime: async () => ({
              ...(await processorTime()),
              process: await express.call('processorTime'),
            }),
            countRoundTrips: () => express.call('roundTrips'),
            settle: async () => {},
          })),
        ];
        await measureWorkload(workload, contenders, { ...values, token, userIds }, running);
        results.comparisons.push(...comparisonsOf(workload, contenders));
        if (!values.profile) continue;
        await platform.call('startProfile');
        await ours.saturate(requestsOf(workload, workload.path, { token, userIds }), profileSeconds);
        results.profiles.push({ name: workload.name, functions: await platform.call('stopProfile') });
        await settle();
      }
    } finally {
      ours.close();
      theirs.close();
    }
    if (values.report) await writeFile(values.report, await pageOf(results));
    return results;
  });
}

async function measureWorkload(
  workload: Workload,
  contenders: Contender[],
  {
    rounds,
    milliseconds,
    ...caller
  }: Pick<Values, 'rounds' | 'milliseconds'> & { token: string; userIds: string[] },
  { progress, signal }: Running,
): Promise<void> {
  // The first round warms up, long enough for the engine to compile hot code.
  for (let round = -1; round < rounds; round++) {
    for (const contender of rotated(contenders, round + 1)) {
      signal.throwIfAborted();
      await contender.load.ready();
      const requests = requestsOf(workload, contender.path, caller);
      if (round < 0) {
        await contender.load.saturate(requests, warmUpSeconds);
        const before = await contender.countRoundTrips(true);
        const counted = await contender.load.saturate(requests, countSeconds);
        contender.roundTrips = ((await contender.countRoundTrips(false)) - before) / counted.requests;
      } else {
        const before = await contender.processorTime();
        const done = await contender.load.saturate(requests, milliseconds / 1000);
        await contender.settle();
        const after = await contender.processorTime();
        contender.perSecond.push(done.requests / done.seconds);
        contender.requests += done.requests;
        for (const part of ['process', 'database'] as const)
          contender.used[part] += after[part] - before[part];
      }
      await contender.settle();
    }
  }
  const speeds = contenders.map(({ name, perSecond }) => `${name} ${figure(median(perSecond))}/s`);
  progress(`${workload.name}: ${speeds.join(', ')}`);
}

function comparisonsOf(workload: Workload, [ours, ...others]: Contender[]): Comparison[] {
  if (!ours) return [];
  return others.map((other, index) => {
    const { target } = workload.counterparts[index] as Workload['counterparts'][number];
    const ratio = pairedRatios(ours.perSecond, other.perSecond);
    return {
      ...{ workload: workload.name, counterpart: other.name, ratio, target, met: ratio.median >= target },
      requestsPerSecond: { ours: median(ours.perSecond), counterpart: median(other.perSecond) },
      roundTrips: { ours: ours.roundTrips, counterpart: other.roundTrips },
      processorTime: { ours: perRequest(ours), counterpart: perRequest(other) },
    };
  });
}

function perRequest({ used, requests }: Contender): ProcessorTime {
  return { process: used.process / requests, database: used.database / requests };
}

const headings = [
  ...['Ours', 'by hand', 'ours/s', 'by hand/s', 'round trips', 'by hand', 'µs + PostgreSQL', 'by hand'],
  ...['ratio', 'target'],
];

function rowsOf(comparisons: Comparison[]): string[][] {
  return comparisons.map(
    ({ workload, counterpart, requestsPerSecond, roundTrips, processorTime, ...rest }) => [
      ...[workload, counterpart, figure(requestsPerSecond.ours), figure(requestsPerSecond.counterpart)],
      ...[roundTrips.ours.toFixed(1), roundTrips.counterpart.toFixed(1)],
      ...[processorTime.ours, processorTime.counterpart].map(
        ({ process, database }) => `${Math.round(process)} + ${Math.round(database)}`,
      ),
      ...[spread(rest.ratio), `${rest.met ? '≥' : 'misses'} ${rest.target}`],
    ],
  );
}

function pageOf({ comparisons, profiles }: Results): Promise<string> {
  const bars = comparisons.map(({ workload, counterpart, ratio, target }) => ({
    ...{ name: `${workload}: ${counterpart}`, ratio: ratio.median, target },
  }));
  return reportPage('Speed with storage', [
    { heading: 'Requests per second, to a counterpart written by hand', plot: barsOfRatios(bars) },
    { heading: 'Measured', rows: [headings, ...rowsOf(comparisons)] },
    ...profiles.map(({ name, functions }) => ({
      heading: `Profile: ${name}`,
      rows: [profileHeadings, ...profileRows(functions)],
    })),
  ]);
}

await runSection({
  tool: 'bench',
  name: 'storage',
  description: `Measures requests per second of the platform with its own PostgreSQL, with all checks and events, next to Express and
the driver with statements written by hand, on the same database with the same number of callers. They take turns in
each round, and ratios are computed within the round. Counts the round trips to the database for each request.`,
  options,
  run: measure,
  asText: ({ comparisons, profiles }) =>
    [table([headings, ...rowsOf(comparisons)], [0, 1]), profilesAsText(profiles)].join('\n'),
});
