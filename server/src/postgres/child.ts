import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import type { Account } from './account.ts';

/**
 * How a child names the data directory. On Linux it gets the directory as an open file and names it by that: this
 * passes parents that are closed to the child's user, such as /root, and paths of any length.
 */
export function clusterArgument(cluster: string): string {
  return process.platform === 'linux' ? '/proc/self/fd/3' : cluster;
}

/**
 * Starts a program as `account` with `cluster` open as file 3. Of the environment it sees next to nothing: the
 * platform's secrets stay out of reach of the other user.
 */
export function spawnIn(
  cluster: string | undefined,
  account: Account,
  [command, ...args]: [string, ...string[]],
  options: Pick<SpawnOptions, 'detached' | 'env'> = {},
): ChildProcess {
  const directory = cluster === undefined ? undefined : openSync(cluster, 'r');
  try {
    return spawn(command, args, {
      ...options,
      ...account,
      cwd: '/',
      stdio: ['pipe', 'pipe', 'pipe', directory ?? 'ignore'],
      env: { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC', ...options.env },
    });
  } finally {
    if (directory !== undefined) closeSync(directory);
  }
}

/** Runs a program to its end. Never throws: a program that cannot be started has the status undefined. */
export function run(
  cluster: string | undefined,
  account: Account,
  command: [string, ...string[]],
  input = '',
): Promise<{ status: number | undefined; output: string }> {
  return new Promise((resolve) => {
    const child = spawnIn(cluster, account, command);
    let output = '';
    const collect = (text: Buffer) => {
      output += text;
    };
    child.stdout?.on('data', collect);
    child.stderr?.on('data', collect);
    child.on('error', (error) => resolve({ status: undefined, output: error.message }));
    child.on('close', (status) => resolve({ status: status ?? undefined, output }));
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
  });
}

/** The line of a program's output that says what went wrong. */
export function complaint(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  const line =
    lines.find((text) => /\b(error|fatal|panic):/i.test(text)) ?? lines.at(-1) ?? 'no reason given';
  return line.replace(/^.*?\b(error|fatal|panic):\s*/i, '');
}
