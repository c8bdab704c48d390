import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DemoFile } from '../../server/src/manifest/demo-file.ts';

/** The platform with its demo, as a child process. */
export interface PlatformProcess {
  demo: DemoFile['production'];
  /** SIGKILL: simulates a crash. */
  kill(): Promise<void>;
  /** SIGTERM: shuts it down gracefully. */
  stop(): Promise<void>;
}

const root = join(import.meta.dirname, '../..');
const longestStart = 120_000;

/** Starts the platform on a data directory, on free ports. @throws with its output if it does not become ready */
export async function startPlatform(dataDirectory: string): Promise<PlatformProcess> {
  const { INIT_CWD: _, DATABASE_URL: __, ...environment } = process.env;
  const child = spawn(process.execPath, ['server/src/main.ts'], {
    cwd: root,
    env: {
      ...environment,
      ...{ DATA_DIR: dataDirectory, PORT: '0', SANDBOX_PORT: '0', LOG_LEVEL: 'error' },
      ...{ RATE_LIMIT_PER_MINUTE: '1000000', WEBHOOK_ALLOW_PRIVATE: 'true' },
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  await ready(child);
  const demo = JSON.parse(await readFile(join(dataDirectory, 'demo.json'), 'utf8')) as DemoFile;
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  };
  return { demo: demo.production, kill: () => end('SIGKILL'), stop: () => end('SIGTERM') };
}

function ready(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = '';
    const fail = (why: string) => {
      child.kill('SIGKILL');
      reject(new Error(`The platform ${why}:\n${output}`));
    };
    const timer = setTimeout(() => fail('did not become ready'), longestStart);
    const onOutput = (chunk: Buffer) => {
      output += chunk;
      if (!output.includes('is ready')) return;
      clearTimeout(timer);
      child.off('exit', ended);
      resolve();
    };
    const ended = () => {
      clearTimeout(timer);
      fail('exited');
    };
    child.stdout?.on('data', onOutput);
    child.stderr?.on('data', onOutput);
    child.once('exit', ended);
  });
}
