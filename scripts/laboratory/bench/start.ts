/** How long the platform takes to be ready after a warm start, and with the rows of `bench growth --data`. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryDirectory } from '../../command-line/temporary-directory.ts';
import { type Running, runSection, type Values as SectionValues } from '../section.ts';
import { table } from '../table.ts';
import { median, pairedRatios, rotated, type Spread } from './statistics.ts';
import { figure, spread } from './text.ts';

interface Results {
  /** The median until ready. */
  demo: { milliseconds: number };
  /** A data directory with many rows, if one is given, to the demo alone. */
  filled?: { milliseconds: number; ratio: Spread };
}

const options = {
  rounds: { description: 'starts of each', full: 10, quick: 3 },
  data: { description: 'a data directory with many rows, see `bench growth --data`', full: '' },
};
type Values = SectionValues<typeof options>;

const main = fileURLToPath(new URL('../../../server/src/main.ts', import.meta.url));
const cache = fileURLToPath(new URL('../../../node_modules/.cache/node', import.meta.url));

async function measure({ rounds, data }: Values, { progress, signal }: Running): Promise<Results> {
  await using temporary = await temporaryDirectory('bench-start');
  const { path: directory } = temporary;
  const directories = [directory, ...(data ? [resolve(data)] : [])].map((directory) => ({
    directory,
    times: [] as number[],
  }));
  // The first starts create the demo and fill the compile cache.
  for (let round = -2; round < rounds; round++) {
    for (const { directory, times } of rotated(directories, round + 2)) {
      const milliseconds = await startOnce(directory, signal);
      if (round >= 0) times.push(milliseconds);
    }
    if (round >= 0)
      progress(`round ${round + 1} of ${rounds}: ${figure(directories[0]?.times.at(-1) ?? 0)} ms`);
  }
  const [demo, filled] = directories as [(typeof directories)[number], (typeof directories)[number]?];
  return {
    demo: { milliseconds: median(demo.times) },
    ...(filled && {
      filled: { milliseconds: median(filled.times), ratio: pairedRatios(filled.times, demo.times) },
    }),
  };
}

/** @returns milliseconds until the platform is ready */
async function startOnce(directory: string, signal: AbortSignal): Promise<number> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [main], {
    env: {
      ...process.env,
      DATA_DIR: directory,
      PORT: '0',
      SANDBOX_PORT: '0',
      NODE_COMPILE_CACHE: cache,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
    signal,
  });
  const exited = once(child, 'exit');
  let output = '';
  for await (const chunk of child.stdout.setEncoding('utf8')) {
    output += chunk;
    if (output.includes('is ready')) break;
  }
  if (!output.includes('is ready')) throw new Error('The platform did not start.');
  const milliseconds = performance.now() - startedAt;
  child.kill('SIGTERM');
  await exited;
  return milliseconds;
}

await runSection({
  tool: 'bench',
  name: 'start',
  description: `Measures the time from starting the platform's process to its line "is ready", with its own PostgreSQL, the demo and a
full compile cache.`,
  options,
  run: measure,
  asText: ({ demo, filled }) =>
    table([
      ['Ready after', 'ms', 'ratio'],
      ['with the demo', figure(demo.milliseconds)],
      ...(filled ? [['with the given rows', figure(filled.milliseconds), spread(filled.ratio)]] : []),
    ]),
});
