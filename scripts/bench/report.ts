import { contenders } from './contenders.ts';
import { median, type Sample } from './measure.ts';
import { fastifyTarget, type Workload } from './workloads.ts';

export interface Results {
  /** By workload, then by contender. */
  samples: Map<Workload, Map<string, Sample[]>>;
  /** By contender: p99 in milliseconds at `rate` requests a second, one for each round. */
  p99: Map<string, number[]>;
  rate: number;
}

export interface Verdict {
  workload: string;
  of: string;
  ratio: number;
  target: number;
  met: boolean;
}

/**
 * Our requests per second of processor time, as a share of a contender's, and whether it is what we want.
 * A server that has a core for itself and is kept busy answers just that many requests per second; other
 * work on the machine blurs the rate that is measured, and hardly this one.
 */
export function verdicts({ samples }: Results): Verdict[] {
  return [...samples].flatMap(([workload, byContender]) =>
    [
      { of: 'bare Express 5', target: workload.target },
      { of: 'Fastify, equal checks', target: fastifyTarget },
    ].flatMap(({ of, target }) => {
      const ratio = speed(byContender, 'ours') / speed(byContender, of);
      return Number.isNaN(ratio)
        ? []
        : [{ workload: workload.name, of, ratio, target, met: ratio >= target }];
    }),
  );
}

export function asText(results: Results): string {
  const { samples, p99, rate } = results;
  const names = [...samples.keys()].map(({ name }) => name);
  const row = (name: string, value: (byContender: Map<string, Sample[]>) => string) => [
    name,
    ...[...samples.values()].map(value),
  ];
  const present = contenders.filter(({ name }) => [...samples.values()].some((found) => found.has(name)));
  const judged = verdicts(results);
  const targets = (of: string) => [
    `ours to ${of}`,
    ...names.map((name) => {
      const verdict = judged.find((each) => each.workload === name && each.of === of);
      return verdict ? `${verdict.ratio.toFixed(2)} ${verdict.met ? '≥' : 'misses'} ${verdict.target}` : '';
    }),
  ];
  const sections = [
    ['Requests per second of processor time, as a share of bare Express 5', ...names],
    ...present.map(({ name }) => row(name, (found) => ratioTo(found, name, 'bare Express 5').toFixed(2))),
    [],
    ['Targets', ...names],
    targets('bare Express 5'),
    targets('Fastify, equal checks'),
    [],
    ['Processor time of the server, µs a request', ...names],
    ...present.map(({ name }) => row(name, (found) => middle(found, name, 'processorTime').toFixed(0))),
    [],
    ['Requests per second as measured, beside all else on this machine', ...names],
    ...present.map(({ name }) => row(name, (found) => middle(found, name, 'requestsPerSecond').toFixed(0))),
  ];
  if (p99.size > 0) sections.push([], [`p99 at ${rate} requests a second, ms`, 'one user']);
  for (const [name, values] of p99) sections.push([name, median(values).toFixed(0)]);
  const [ours, express] = ['ours', 'bare Express 5'].map((name) => median(p99.get(name) ?? []));
  if (ours !== undefined && express !== undefined && !Number.isNaN(ours + express))
    sections.push(['ours to bare Express 5', ours <= express ? 'no worse' : 'misses: worse']);
  return table(sections);
}

export function asJson(results: Results): object {
  const { samples, p99, rate } = results;
  return {
    workloads: [...samples].map(([{ name }, byContender]) => ({
      name,
      contenders: Object.fromEntries(
        [...byContender.keys()].map((contender) => [
          contender,
          {
            requestsPerSecond: middle(byContender, contender, 'requestsPerSecond'),
            processorMicroseconds: middle(byContender, contender, 'processorTime'),
          },
        ]),
      ),
    })),
    targets: verdicts(results),
    p99: { rate, milliseconds: Object.fromEntries([...p99].map(([name, values]) => [name, median(values)])) },
  };
}

function ratioTo(byContender: Map<string, Sample[]>, name: string, other: string): number {
  return speed(byContender, name) / speed(byContender, other);
}

function speed(byContender: Map<string, Sample[]>, name: string): number {
  return 1e6 / middle(byContender, name, 'processorTime');
}

function middle(byContender: Map<string, Sample[]>, name: string, what: keyof Sample): number {
  return median((byContender.get(name) ?? []).map((sample) => sample[what]));
}

function table(rows: string[][]): string {
  const width = Math.max(...rows.map(([first = '']) => first.length));
  return rows
    .map(([first = '', ...cells]) => first.padEnd(width) + cells.map((cell) => cell.padStart(17)).join(''))
    .join('\n');
}
