import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { format } from 'node:util';
import { vi } from 'vitest';
import { runProgram } from '../../server/src/cli/program.ts';

export interface Ended {
  status: number;
  stdout: string;
  stderr: string;
}

const launcher = join(import.meta.dirname, '../../server/bin/wrp.js');

interface Surroundings {
  env?: NodeJS.ProcessEnv | undefined;
  directory?: string | undefined;
}

/** Runs the real program, with only PATH and HOME of this process's environment. */
export function spawnWrp(
  args: string[],
  { env, directory, node = process.execPath }: Surroundings & { node?: string } = {},
): Promise<Ended> {
  const options = { cwd: directory, env: environment(env) };
  return new Promise((resolve) => {
    const child = execFile(node, [launcher, ...args], options, (_error, stdout, stderr) =>
      resolve({ status: child.exitCode ?? -1, stdout, stderr }),
    );
  });
}

let last: Promise<unknown> = Promise.resolve();

/** Runs the program in this process, one command at a time: a process for each would take half a second of CPU time. */
export function runWrp(args: string[], surroundings: Surroundings = {}): Promise<Ended> {
  const ended = last.then(() => runHere(args, surroundings));
  last = ended.catch(() => {});
  return ended;
}

async function runHere(args: string[], { env, directory }: Surroundings): Promise<Ended> {
  const output = { stdout: '', stderr: '' };
  const write = (to: keyof typeof output) => (text: string | Uint8Array) => {
    output[to] += text;
    return true;
  };
  const print =
    (to: keyof typeof output) =>
    (...values: unknown[]) =>
      void write(to)(`${format(...values)}\n`);
  const before = { env: process.env, directory: process.cwd() };
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation(write('stdout')),
    vi.spyOn(process.stderr, 'write').mockImplementation(write('stderr')),
    vi.spyOn(console, 'log').mockImplementation(print('stdout')),
    vi.spyOn(console, 'error').mockImplementation(print('stderr')),
  ];
  process.env = environment(env);
  process.chdir(directory ?? before.directory);
  try {
    return { status: await runProgram(args), ...output };
  } finally {
    process.env = before.env;
    process.chdir(before.directory);
    for (const spy of spies) spy.mockRestore();
  }
}

function environment(env: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const { PATH, HOME } = process.env;
  return { PATH, HOME, ...env };
}

/** `wrp` on a database, with these words before the arguments. */
export const wrpOn =
  (databaseUrl: string, ...words: string[]) =>
  (...args: string[]): Promise<Ended> =>
    runWrp([...words, ...args], { env: { DATABASE_URL: databaseUrl } });
