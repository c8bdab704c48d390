import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import type { Account } from './account.ts';

/**
 * The path by which a child opens the data directory. On Linux the child inherits the directory as file descriptor 3:
 * this works for paths of any length and below directories that the child's user cannot enter, such as /root.
 */
export function clusterArgument(cluster: string): string {
  return process.platform === 'linux' ? '/proc/self/fd/3' : cluster;
}

/**
 * Starts a program as `account` with `cluster` open as file descriptor 3. It does not inherit the environment, so the
 * platform's secrets are not exposed to the other user.
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

/** Runs a program and waits for its exit. Never throws: the status is undefined if the program cannot be started. */
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

/** The first line of a program's output that reports an error, else the last line. */
export function errorLine(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  const line = lines.find((text) => /\b(error|fatal|panic):/i.test(text)) ?? lines.at(-1) ?? 'no output';
  return line.replace(/^.*?\b(error|fatal|panic):\s*/i, '');
}
