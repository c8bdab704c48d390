import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { promisify } from 'node:util';

export const execute = promisify(execFile);

/** Installs npm packages into a directory outside of the project. */
export async function install(names: readonly string[], directory: string): Promise<void> {
  await mkdir(directory, { recursive: true });
  const options = ['--no-audit', '--no-fund', '--no-save', '--prefix', directory];
  await execute('npm', ['install', ...options, ...names], { timeout: 180_000 });
}
