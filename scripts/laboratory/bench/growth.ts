/** How long responses of bounded size take with few rows and with many. */
import { type Running, runSection, type Values as SectionValues } from '../section.ts';
import { table } from '../table.ts';
import type { Environment } from './platform.ts';
import { median, pairedRatios, rotated, type Spread } from './statistics.ts';
import { type Storage, withStorage } from './storage/children.ts';
import type { Filled } from './storage/rows.ts';
import { figure, spread } from './text.ts';

interface Growth {
  name: string;
  /** The rows of each measurement, and the median in milliseconds. */
  sizes: { rows: number; milliseconds: number }[];
  /** With the most rows, to the fewest in the same rounds. */
  ratio: Spread;
  target: number;
  met: boolean;
}

const target = 1.3;
const options = {
  rounds: { description: 'rounds; the result is the median of their ratios', full: 10, quick: 3 },
  requests: { description: 'requests of a kind in a round', full: 20, quick: 10 },
  few: { description: 'rows with which the others are compared', full: 1_000 },
  many: { description: 'rows', full: 1_000_000, quick: 20_000 },
  between: { description: 'rows in between; 0: none', full: 100_000, quick: 0, minimum: 0 },
  only: { description: 'measure only those whose name contains this text', full: '' },
  data: { description: 'a directory that keeps the rows for later runs', full: '' },
};
type Values = SectionValues<typeof options>;

/** Takes as long as one response. */
type Probe = () => Promise<number>;

function measure(values: Values, running: Running): Promise<Growth[]> {
  const measureWith = async ({ platform }: Storage): Promise<Growth[]> => {
    const about = await platform.call('about');
    const fill = (environment: 'production' | 'sandbox', count: number) => {
      running.progress(`filling ${environment} with ${count} users, executions, attachments and memberships`);
      return platform.call('fill', environment, count);
    };
    const lists = await platform.call('operatorLists');
    const probes = (environment: 'production' | 'sandbox', filled: Filled) => {
      const all = [...probesOf(platform, { environment, lists }, about[environment], filled)];
      return new Map(all.filter(([name]) => name.includes(values.only)));
    };
    const few = probes('sandbox', await fill('sandbox', values.few));
    const sizes = [values.between, values.many].filter((size) => size > values.few);
    const medians = new Map<string, { rows: number; milliseconds: number }[]>();
    let ratios = new Map<string, Spread>();
    for (const size of sizes) {
      const many = probes('production', await fill('production', size));
      const times = await measurePaired(few, many, values, running);
      ratios = new Map([...times].map(([name, { few, many }]) => [name, pairedRatios(many, few)]));
      for (const [name, taken] of times) {
        const before = medians.get(name) ?? [{ rows: values.few, milliseconds: median(taken.few) }];
        medians.set(name, [...before, { rows: size, milliseconds: median(taken.many) }]);
      }
    }
    return [...medians].map(([name, sizes]) => {
      const ratio = ratios.get(name) as Spread;
      return { name, sizes, ratio, target, met: ratio.median <= target };
    });
  };
  return withStorage(running, measureWith, values.data);
}

/** The median of each round, for the environment with few rows and the one with many, in turns. */
async function measurePaired(
  few: ReadonlyMap<string, Probe>,
  many: ReadonlyMap<string, Probe>,
  { rounds, requests }: Values,
  { progress, signal }: Running,
): Promise<Map<string, Record<'few' | 'many', number[]>>> {
  const times = new Map([...few.keys()].map((name) => [name, { few: [] as number[], many: [] as number[] }]));
  // The first round warms up.
  for (let round = -1; round < rounds; round++) {
    for (const [name, taken] of times) {
      const sides = [
        { probe: few.get(name) as Probe, into: taken.few },
        { probe: many.get(name) as Probe, into: taken.many },
      ];
      for (const { probe, into } of rotated(sides, round + 1)) {
        signal.throwIfAborted();
        const each: number[] = [];
        for (let made = 0; made < requests; made++) each.push(await probe());
        if (round >= 0) into.push(median(each));
      }
    }
    if (round >= 0) progress(`round ${round + 1} of ${rounds}`);
  }
  return times;
}

function probesOf(
  platform: Storage['platform'],
  { environment, lists }: { environment: 'production' | 'sandbox'; lists: string[] },
  { baseUrl, token }: Environment,
  { users, userIds, workspaceId, tableId, recordId, executionId }: Filled,
): Map<string, Probe> {
  const last = Math.max(0, Math.ceil(users / 20) - 1);
  const page = (number: number) => request('GET', `/organizations/users?page=${number}&size=20`);
  const request = (method: string, path: string, body?: object): Probe => {
    const headers = { Authorization: token, ...(body && { 'Content-Type': 'application/json' }) };
    return async () => {
      const startedAt = performance.now();
      const response = await fetch(baseUrl + path, {
        method,
        headers,
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}: ${text}`);
      return performance.now() - startedAt;
    };
  };
  const [userId = ''] = userIds;
  return new Map<string, Probe>([
    ['first page of 20 users', page(0)],
    ['middle page of 20 users', page(Math.floor(last / 2))],
    ['last page of 20 users', page(last)],
    ['one user', request('GET', `/organizations/users/${userId}`)],
    ['PUT profile', request('PUT', `/organizations/users/${userId}/profile`, { title: 'Claims adjuster' })],
    ['workspaces’ 100 memberships', request('GET', `/organizations/workspaces/${workspaceId}/memberships`)],
    ['roles of a workspace', request('GET', `/organizations/workspaces/${workspaceId}/roles`)],
    ['100 attachments of a record', request('GET', `/tables/${tableId}/records/${recordId}/attachments`)],
    ['one execution', request('GET', `/workflows/${executionId}`)],
    ...lists.map((list): [string, Probe] => [list, () => platform.call('operator', environment, list)]),
  ]);
}

function rowsOf(growth: Growth[]): string[][] {
  const sizes = growth[0]?.sizes.map(({ rows }) => `${rows} rows`) ?? [];
  return [
    ['Median, ms', ...sizes, 'ratio', 'target'],
    ...growth.map(({ name, sizes, ratio, target, met }) => [
      name,
      ...sizes.map(({ milliseconds }) => figure(milliseconds)),
      spread(ratio),
      `${met ? '≤' : 'misses'} ${target}`,
    ]),
  ];
}

await runSection({
  tool: 'bench',
  name: 'growth',
  description: `Measures how long responses of bounded size take, one request at a time, in two environments of one platform: one with few rows,
one with many users, memberships, attachments and executions, and up to 10,000 roles. They take turns in each round,
and ratios are computed within the round.`,
  options,
  run: measure,
  asText: (growth) => table(rowsOf(growth)),
});
