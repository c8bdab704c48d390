import { execFile } from 'node:child_process';
import { join } from 'node:path';

export interface Ended {
  status: number;
  stdout: string;
  stderr: string;
}

const launcher = join(import.meta.dirname, '../../server/bin/wrp.js');

/** Runs the real program, with only PATH and HOME of this process's environment. */
export function runWrp(
  args: string[],
  {
    env = {},
    node = process.execPath,
    directory,
  }: { env?: NodeJS.ProcessEnv; node?: string; directory?: string } = {},
): Promise<Ended> {
  const { PATH, HOME } = process.env;
  const options = {
    cwd: directory,
    env: { PATH, HOME, ...env },
  };
  return new Promise((resolve) => {
    const child = execFile(node, [launcher, ...args], options, (_error, stdout, stderr) =>
      resolve({ status: child.exitCode ?? -1, stdout, stderr }),
    );
  });
}

/** `wrp` on a database, with these words before the arguments. */
export const wrpOn =
  (databaseUrl: string, ...words: string[]) =>
  (...args: string[]): Promise<Ended> =>
    runWrp([...words, ...args], { env: { DATABASE_URL: databaseUrl } });
