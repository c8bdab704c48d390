import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { DemoFile } from '../../../server/src/manifest/demo-file.ts';
import { temporaryDirectory } from '../../command-line/temporary-directory.ts';

/** A process of the platform. */
export interface Process extends AsyncDisposable {
  pid: number;
  /** Resident memory without PostgreSQL, in MiB. */
  memory(): Promise<number>;
  /** The end of what it printed. */
  output(): string;
  /** Sends SIGKILL to simulate a crash. Also called when the `await using` block ends. */
  kill(): Promise<void>;
  /** SIGTERM: shuts it down gracefully. @returns the exit code, or the signal that ended it */
  stop(): Promise<number | NodeJS.Signals>;
}

/** The platform with its demo, as a child process. */
export interface PlatformProcess extends Process {
  demo: DemoFile['production'];
  sandbox: DemoFile['sandbox'];
}

export interface StartOptions {
  /** Environment variables besides those of every section. */
  settings?: Record<string, string>;
  /** A command prefix, for instance one that limits the process. */
  before?: readonly string[];
}

const root = join(import.meta.dirname, '../../..');
const longestStart = 120_000;
const keptOutput = 20_000;
const unlimited = '1000000';

/** The settings of every section: free ports, and no limit that refuses the load. */
const sharedSettings = {
  PORT: '0',
  SANDBOX_PORT: '0',
  LOG_LEVEL: 'error',
  WEBHOOK_ALLOW_PRIVATE: 'true',
  RATE_LIMIT_PER_MINUTE: unlimited,
  UPLOAD_RATE_LIMIT_PER_MINUTE: unlimited,
  NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/node'),
};

/** Starts the platform on a data directory, on free ports. @throws with its output if it does not become ready */
export async function startPlatform(
  dataDirectory: string,
  { settings, before }: StartOptions = {},
): Promise<PlatformProcess> {
  const command = [...(before ?? []), process.execPath, 'server/src/main.ts'];
  const child = await startProcess(command, { DATA_DIR: dataDirectory, ...settings });
  const demo = JSON.parse(await readFile(join(dataDirectory, 'demo.json'), 'utf8')) as DemoFile;
  return { ...child, demo: demo.production, sandbox: demo.sandbox };
}

/** Starts a process of the platform. @throws with its output if it does not become ready */
export async function startProcess(
  [command, ...args]: readonly string[],
  settings: Record<string, string>,
): Promise<Process> {
  const { INIT_CWD: _, DATABASE_URL: __, ...environment } = process.env;
  const child = spawn(command as string, args, {
    cwd: root,
    env: { ...environment, ...sharedSettings, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = outputOf(child);
  await ready(child, output);
  const end = async (signal: NodeJS.Signals) => {
    const exited = once(child, 'exit');
    if (child.exitCode === null && child.signalCode === null) {
      child.kill(signal);
      await exited;
    }
    return child.exitCode ?? (child.signalCode as NodeJS.Signals);
  };
  const kill = async () => void (await end('SIGKILL'));
  const pid = child.pid as number;
  return {
    pid,
    memory: () => residentMebibytes(pid),
    output,
    kill,
    [Symbol.asyncDispose]: kill,
    stop: () => end('SIGTERM'),
  };
}

/** Runs something with the platform and a data directory of its own, and removes both. */
export async function withPlatform<Result>(
  options: StartOptions,
  use: (platform: PlatformProcess, dataDirectory: string) => Promise<Result>,
): Promise<Result> {
  await using data = await temporaryDirectory('prove');
  await using platform = await startPlatform(data.path, options);
  return await use(platform, data.path);
}

/** `ps` exists on Linux and macOS. */
async function residentMebibytes(pid: number): Promise<number> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)]);
  return Number(stdout) / 1024;
}

/** Collects the output. @returns a function that returns the end of it */
function outputOf(child: ChildProcess): () => string {
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-keptOutput);
    });
  return () => output;
}

function ready(child: ChildProcess, output: () => string): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (why?: string) => {
      clearTimeout(timer);
      child.stdout?.off('data', onOutput);
      child.off('exit', onExit).off('error', onExit);
      if (why === undefined) return resolve();
      child.kill('SIGKILL');
      reject(new Error(`The platform ${why}:\n${output()}`));
    };
    const onOutput = () => {
      if (/Platform is (?:ready|working)/.test(output())) end();
    };
    const onExit = () => end('exited');
    const timer = setTimeout(() => end('did not become ready'), longestStart);
    child.stdout?.on('data', onOutput);
    child.once('exit', onExit).once('error', onExit);
  });
}
