import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { withLock } from '../../scripts/prepare/lock.mjs';

const pinned = fileURLToPath(new URL('../programs/', import.meta.url));
const cache = fileURLToPath(new URL('../../node_modules/.cache/', import.meta.url));
const directory = join(cache, 'programs');

/**
 * Resolves modules of the packages of `test/programs`: large ones, which only slow tests need. Installs them first where
 * that did not happen since their versions changed.
 *
 * @throws if npm cannot install them
 */
export async function programs(): Promise<NodeJS.Require> {
  const lock = await readFile(join(pinned, 'package-lock.json'), 'utf8');
  await withLock(join(cache, 'programs.lock'), async () => {
    if ((await readFile(join(directory, 'package-lock.json'), 'utf8').catch(() => '')) !== lock)
      await install();
  });
  return createRequire(join(directory, 'package.json'));
}

/** Under another name until it is complete, so that a process that is killed leaves no half of it. */
async function install(): Promise<void> {
  const unfinished = `${directory}.unfinished`;
  for (const old of [unfinished, directory]) await rm(old, { recursive: true, force: true });
  await mkdir(cache, { recursive: true });
  await cp(pinned, unfinished, { recursive: true });
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--silent'];
  await promisify(execFile)('npm', ['ci', ...options], { cwd: unfinished, timeout: 300_000 });
  await rename(unfinished, directory);
}
