/** Uploads and downloads per second next to bare pipes. */
import { tmpdir } from 'node:os';
import { temporaryDirectory } from '../../command-line/temporary-directory.ts';
import { type Running, runSection, type Values as SectionValues } from '../section.ts';
import { table } from '../table.ts';
import { type Child, startChild } from './child.ts';
import type { ServerFunctions } from './files/server.ts';
import { download, upload } from './files/transfers.ts';
import { median, pairedRatios, rotated, type Spread } from './statistics.ts';
import { figure, spread } from './text.ts';

const options = {
  rounds: { description: 'rounds; the result is the median of their ratios', full: 12, quick: 3 },
  size: { description: 'size of the file in MiB', full: 256, quick: 64 },
  directory: { description: 'directory on the disk to measure; default: the temporary directory', full: '' },
};
type Values = SectionValues<typeof options>;

type Direction = 'up' | 'down';
const directions: Direction[] = ['up', 'down'];
const names = ['bare', 'bare-1MiB', 'ours'] as const;
type Name = (typeof names)[number];
const titles: Record<Name, string> = {
  bare: 'bare pipe, buffers of 64 KiB',
  'bare-1MiB': 'bare pipe, buffers of 1 MiB',
  ours: 'ours',
};
/** The minimum share of the bare pipe's speed. */
const target = 0.9;

interface Result {
  direction: Direction;
  baselines: { name: Name; mebibytesPerSecond: number; cpuSecondsPerGibibyte: number; peakMiB: number }[];
  targets: { of: Name; ratio: Spread; target: number; met: boolean }[];
}

async function measure({ rounds, size, directory: parent }: Values, running: Running): Promise<Result[]> {
  await using temporary = await temporaryDirectory('bench', parent || tmpdir());
  const { path: directory } = temporary;
  const results: Result[] = [];
  // One direction after the other: a process is slow at first after it was idle.
  for (const direction of directions)
    results.push(await compare(direction, { rounds, bytes: size * 2 ** 20, directory }, running));
  return results;
}

interface Baseline {
  name: Name;
  server: Child<ServerFunctions>;
  port: number;
  /** MiB per second in each round. */
  speeds: number[];
}

async function compare(
  direction: Direction,
  { rounds, bytes, directory }: { rounds: number; bytes: number; directory: string },
  { progress, signal }: Running,
): Promise<Result> {
  const baselines: Baseline[] = [];
  await using children = new AsyncDisposableStack();
  for (const name of names) {
    const args = [`${direction}-${name}`, directory, String(bytes)];
    const module = new URL('files/server.ts', import.meta.url);
    const server = children.use(await startChild<ServerFunctions>(module, { args, signal }));
    baselines.push({ name, server, port: await server.call('port'), speeds: [] });
  }
  const transfer = direction === 'up' ? upload : download;
  // The first round warms up.
  for (let round = -1; round < rounds; round++) {
    for (const { port, speeds } of rotated(baselines, round + 1)) {
      signal.throwIfAborted();
      const seconds = await transfer(port, bytes);
      if (round >= 0) speeds.push(bytes / 2 ** 20 / seconds);
    }
    if (round >= 0) progress(`${direction}, round ${round + 1} of ${rounds}`);
  }
  return await resultOf(direction, baselines, ((rounds + 1) * bytes) / 2 ** 30);
}

async function resultOf(direction: Direction, baselines: Baseline[], gibibytes: number): Promise<Result> {
  const figures: Result['baselines'] = [];
  for (const { name, server, speeds } of baselines) {
    const { cpuSeconds, peakMiB } = await server.call('usage');
    const cpuSecondsPerGibibyte = cpuSeconds / gibibytes;
    figures.push({ name, mebibytesPerSecond: median(speeds), cpuSecondsPerGibibyte, peakMiB });
  }
  const speedsOf = (name: Name) => baselines.find((one) => one.name === name)?.speeds ?? [];
  const targets = (['bare', 'bare-1MiB'] as const).map((of) => {
    const ratio = pairedRatios(speedsOf('ours'), speedsOf(of));
    return { of, ratio, target, met: ratio.median >= target };
  });
  return { direction, baselines: figures, targets };
}

function asText(results: Result[]): string {
  return table(
    results.flatMap(({ direction, baselines, targets }, index) => [
      ...(index > 0 ? [[]] : []),
      [direction === 'up' ? 'Up' : 'Down', 'MiB/s', 'CPU s per GiB', 'peak MiB', 'ours to it', ''],
      ...baselines.map(({ name, mebibytesPerSecond, cpuSecondsPerGibibyte, peakMiB }) => {
        const compared = targets.find(({ of }) => of === name);
        return [
          titles[name],
          figure(mebibytesPerSecond),
          figure(cpuSecondsPerGibibyte),
          peakMiB.toFixed(0),
          ...(compared
            ? [spread(compared.ratio), `${compared.met ? '≥' : 'misses'} ${compared.target}`]
            : []),
        ];
      }),
    ]),
  );
}

await runSection({
  tool: 'bench',
  name: 'files',
  description: `Measures the throughput of uploads and downloads next to bare pipes with buffers of 64 KiB and of 1 MiB: an upload
through SHA-256 to the same disk with fsync, a download from a read stream. Each is a process of its own. They take
turns, and ratios are computed within each round.`,
  options,
  run: measure,
  asText,
});
