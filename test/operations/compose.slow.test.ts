import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryRoot } from '../support/temporary.ts';
import { scaledTimeout } from '../support/timeout.ts';

// What the file says is compared with the settings in examples.test.ts; here, whether Docker Compose would load it.
const hasGo = spawnSync('go', ['version']).status === 0;
const file = resolve('server/operations/compose.yaml');
const load = (path: string) =>
  promisify(execFile)('go', ['run', '.', path], {
    cwd: join(import.meta.dirname, 'compose'),
    env: { ...process.env, SERVER_KEY: 'x'.repeat(43) },
  });

test.skipIf(!hasGo)(
  'Docker Compose loads the compose file, and would refuse a mistake in it',
  async () => {
    expect((await load(file)).stdout).toBe('[postgres proxy s3 server worker]\n');

    const wrong = join(await mkdtemp(join(temporaryRoot(), 'compose-')), 'compose.yaml');
    const text = await readFile(file, 'utf8');
    for (const [right, mistake, message] of [
      ['read_only:', 'readonly:', 'readonly'],
      ['s3: { condition', 's4: { condition', 'undefined service "s4"'],
      ['\n  files:', '\n  file:', 'undefined volume files'],
    ] as const) {
      await writeFile(wrong, text.replace(right, mistake));
      await expect(load(wrong)).rejects.toThrow(new RegExp(message));
    }
  },
  // The libraries are downloaded and compiled once.
  scaledTimeout(300_000),
);
