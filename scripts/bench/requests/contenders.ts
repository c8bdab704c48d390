import { execFileSync } from 'node:child_process';
import { startChild } from '../child.ts';
import { type Load, openLoad } from './load.ts';
import type { ServerFunctions } from './serve.ts';

export interface Contender {
  name: string;
  /** Its file in `contenders/`. */
  module: string;
  validates: boolean;
}

export const contenders: Contender[] = [
  { name: 'bare node:http', module: 'node-http', validates: false },
  { name: 'bare Express 5', module: 'express', validates: false },
  { name: 'unmodified validator', module: 'stock-validator', validates: true },
  { name: 'Fastify, equal checks', module: 'fastify', validates: true },
  { name: 'ours', module: 'ours', validates: true },
];

export interface RunningContender extends Contender, AsyncDisposable {
  load: Load;
  /** Microseconds of processor time that it has used so far. */
  processorTime(): Promise<number>;
}

/** Starts a contender as a child process, pinned to core 0. */
export async function startContender(
  contender: Contender,
  { token, signal }: { token: string; signal: AbortSignal },
): Promise<RunningContender> {
  const child = await startChild<ServerFunctions>(new URL('serve.ts', import.meta.url), {
    ...{ args: [contender.module], before: pinned(0), signal },
    env: { NODE_ENV: 'production', BENCH_TOKEN: token },
  });
  const load = await openLoad(await child.call('port'));
  return {
    ...{ ...contender, load },
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
