import { execFileSync } from 'node:child_process';
import { startChild } from '../child.ts';
import { type Load, openLoad } from './load.ts';
import type { ServerFunctions } from './serve.ts';

/** A server of the comparison, the platform included. */
export interface Baseline {
  name: string;
  /** Its file in `baselines/`. */
  module: string;
  validates: boolean;
}

export const baselines: Baseline[] = [
  { name: 'bare Express 5', module: 'express', validates: false },
  { name: 'Fastify, equal checks', module: 'fastify', validates: true },
  { name: 'ours', module: 'ours', validates: true },
];

export interface RunningBaseline extends Baseline, AsyncDisposable {
  load: Load;
  /** Microseconds of processor time that it has used so far. */
  processorTime(): Promise<number>;
}

/**
 * Starts a baseline as a child process, pinned to core 0.
 *
 * @param folder that of this file in the version that serves; default: this version
 */
export async function startBaseline(
  baseline: Baseline,
  {
    token,
    signal,
    folder = new URL('./', import.meta.url),
  }: { token: string; signal: AbortSignal; folder?: URL },
): Promise<RunningBaseline> {
  const child = await startChild<ServerFunctions>(new URL('serve.ts', folder), {
    args: [baseline.module],
    before: pinned(0),
    signal,
    env: { NODE_ENV: 'production', BENCH_TOKEN: token },
  });
  const load = await openLoad(await child.call('port'));
  return {
    ...baseline,
    load,
    processorTime: () => child.call('processorTime'),
    async [Symbol.asyncDispose]() {
      load.close();
      await child[Symbol.asyncDispose]();
    },
  };
}

/** Pins this process, which generates the load, to core 1. @returns whether that was possible */
export function pinLoad(): boolean {
  if (pinned(1).length === 0) return false;
  execFileSync('taskset', ['-acp', '1', String(process.pid)], { stdio: 'ignore' });
  return true;
}

function pinned(core: number): string[] {
  try {
    execFileSync('taskset', ['-c', '0,1', 'true'], { stdio: 'ignore' });
    return ['taskset', '-c', String(core)];
  } catch {
    return [];
  }
}
