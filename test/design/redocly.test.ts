import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openRedocly } from '../../scripts/contract/redocly/redocly.ts';

/** A project whose Redocly is the given script. */
async function projectWith(script: string): Promise<URL> {
  const directory = await mkdtemp(join(tmpdir(), 'wrp-redocly-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  const library = join(directory, 'node_modules/@redocly/cli/lib');
  await mkdir(library, { recursive: true });
  await writeFile(join(library, 'index.js'), script);
  return pathToFileURL(`${directory}/`);
}

describe('a command of Redocly without a result fails, and says why and that one may try again', () => {
  test.each([
    ['process.reallyExit(3)', 'redocly lint exited with code 3 and no result. Try again'],
    ["process.kill(process.pid, 'SIGKILL')", 'redocly lint was ended by SIGKILL. Try again'],
    ['setInterval(() => {}, 1000)', 'redocly lint took longer than 1 seconds. Try again'],
  ])('%s', async (script, message) => {
    using redocly = openRedocly(await projectWith(script), script.startsWith('setInterval') ? 1 : 30);
    await expect(redocly.run(['lint'])).rejects.toThrow(message);
  });
});
