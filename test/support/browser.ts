import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium } from 'playwright-core';
import { programs } from './programs.ts';

// Web security stays on, unlike with the arguments that @sparticuz/chromium proposes.
const fixed = ['--no-sandbox', '--disable-dev-shm-usage'];
const installed = [
  process.env['CHROMIUM_PATH'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/**
 * A headless Chromium: the one of npm, unpacked into the temporary directory once (3 s); an installed one where
 * that does not run.
 *
 * @param more further arguments of the command line
 */
export async function launchBrowser(...more: string[]): Promise<Browser> {
  const args = [...fixed, ...more];
  try {
    // Makes the package unpack the libraries (libnss) that a bare machine lacks.
    process.env['AWS_EXECUTION_ENV'] ??= 'AWS_Lambda_nodejs24.x';
    const { resolve } = await programs();
    const { default: packed } = await import(pathToFileURL(resolve('@sparticuz/chromium')).href);
    return await chromium.launch({ args, executablePath: await packed.executablePath() });
  } catch (error) {
    const executablePath = installed.find((path) => path && existsSync(path));
    if (!executablePath) throw error;
    return await chromium.launch({ args, executablePath });
  }
}
