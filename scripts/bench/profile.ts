import { type Profiler, Session } from 'node:inspector/promises';
import { fileURLToPath } from 'node:url';
import { table } from '../command-line/table.ts';

/** A function with the share of the samples in which it was at the top of the stack. */
export interface ProfiledFunction {
  name: string;
  /** Relative to the sources or to its package; empty for the engine. */
  file: string;
  /** From 0 to 1, of the time in which the process was not idle. */
  share: number;
}

const samplingMicroseconds = 200;
const listedFunctions = 15;
const root = new URL('../../', import.meta.url).href;

/** Profiles this process between two calls. */
export function profiler(): { start(): Promise<void>; stop(): Promise<ProfiledFunction[]> } {
  const session = new Session();
  return {
    async start() {
      session.connect();
      await session.post('Profiler.enable');
      await session.post('Profiler.setSamplingInterval', { interval: samplingMicroseconds });
      await session.post('Profiler.start');
    },
    async stop() {
      const { profile } = await session.post('Profiler.stop');
      session.disconnect();
      return topFunctions(profile);
    },
  };
}

/** The functions with the most self time, the most first. */
export function topFunctions(
  { nodes, samples = [], timeDeltas = [] }: Profiler.Profile,
  count = listedFunctions,
): ProfiledFunction[] {
  const functions = new Map<string, ProfiledFunction>();
  const byNode = new Map<number, ProfiledFunction>();
  for (const { id, callFrame } of nodes) {
    const name = callFrame.functionName || '(anonymous)';
    const file = fileOf(callFrame.url);
    const key = `${name} ${file}`;
    const found = functions.get(key) ?? { name, file, share: 0 };
    functions.set(key, found);
    byNode.set(id, found);
  }
  let total = 0;
  for (const [index, node] of samples.entries()) {
    const sampled = byNode.get(node);
    if (!sampled || sampled.name === '(idle)' || sampled.file === 'node:inspector') continue;
    // The time since the sample before.
    const time = timeDeltas[index] ?? 0;
    sampled.share += time;
    total += time;
  }
  return [...functions.values()]
    .filter(({ share }) => share > 0)
    .sort((a, b) => b.share - a.share)
    .slice(0, count)
    .map((sampled) => ({ ...sampled, share: sampled.share / total }));
}

/** `server/src/http/reply.ts`, `pg/lib/query.js` or `node:internal/timers`. */
function fileOf(url: string): string {
  const path = url.startsWith('/') ? url : url.startsWith(root) ? url.slice(root.length) : url;
  const inPackage = path.split('node_modules/').at(-1) as string;
  if (inPackage !== path) return inPackage;
  const folder = fileURLToPath(root);
  return path.startsWith(folder) ? path.slice(folder.length) : path;
}

export const profileHeadings = ['Self time', 'function', 'file'];

export function profileRows(functions: readonly ProfiledFunction[]): string[][] {
  return functions.map(({ name, file, share }) => [`${(share * 100).toFixed(1)} %`, name, file]);
}

/** A table for each name, as text. */
export function profilesAsText(profiles: readonly { name: string; functions: ProfiledFunction[] }[]): string {
  return profiles
    .map(({ name, functions }) =>
      [`\nProfile: ${name}`, table([profileHeadings, ...profileRows(functions)], [1, 2])].join('\n'),
    )
    .join('\n');
}
