import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface Contender {
  name: string;
  /** Its file in `contenders/`. */
  module: string;
  validates: boolean;
}

export const contenders: Contender[] = [
  { name: 'bare node:http', module: 'node-http', validates: false },
  { name: 'bare Express 5', module: 'express', validates: false },
  { name: 'validator as it comes', module: 'stock-validator', validates: true },
  { name: 'Fastify, equal checks', module: 'fastify', validates: true },
  { name: 'ours', module: 'ours', validates: true },
];

export interface RunningContender extends Contender {
  port: number;
  /** Microseconds of processor time it has used so far. */
  processorTime(): Promise<number>;
  stop(): void;
}

/** Starts a contender in a process of its own, on the core that is kept for it. */
export async function startContender(contender: Contender, token: string): Promise<RunningContender> {
  const serve = fileURLToPath(new URL('serve.ts', import.meta.url));
  const [command, ...args] = [...pinned(0), process.execPath, serve, contender.module];
  const child = spawn(command as string, args, {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, NODE_ENV: 'production', BENCH_TOKEN: token },
  });
  const { port } = (await answerOf(child)) as { port: number };
  return {
    ...contender,
    port,
    async processorTime() {
      child.send('processor time');
      return ((await answerOf(child)) as { microseconds: number }).microseconds;
    },
    stop: () => void child.kill(),
  };
}

/** Moves this process, which makes the load, to the other core. @returns whether that was possible */
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

async function answerOf(child: ChildProcess): Promise<unknown> {
  const ended = new AbortController();
  try {
    const [answer] = await Promise.race([
      once(child, 'message', { signal: ended.signal }),
      once(child, 'exit', { signal: ended.signal }).then(([code]) => {
        throw new Error(`A contender ended with ${code} instead of serving.`);
      }),
    ]);
    return answer;
  } finally {
    ended.abort();
  }
}
