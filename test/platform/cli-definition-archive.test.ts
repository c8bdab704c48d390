import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { cloneDatabase } from '../support/postgres.ts';
import { temporaryRoot } from '../support/temporary.ts';
import { wrpOn } from '../support/wrp.ts';
import { smallPlatform } from './small-platform.ts';

const { connectionString } = await cloneDatabase();
const wrp = wrpOn(connectionString);
const file = smallPlatform.replace('name: echo', 'name: old-claims');

async function apply(text: string, ...options: string[]) {
  const path = join(temporaryRoot(), 'archived.yaml');
  await writeFile(path, text);
  return wrp('apply', path, ...options);
}

describe('wrp definition archive and restore', () => {
  const said = async (...args: string[]) => (await wrp('definition', ...args)).stderr.trim();
  const listed = async (...args: string[]) =>
    (await wrp('definition', 'list', ...args)).stdout.split('\n').find((line) => / old-claims /.test(line));
  const count = async (...options: string[]) => {
    const { stdout } = await apply(file, '--json', ...options);
    return JSON.parse(stdout).environments.production['workflow definitions'];
  };

  test('say what they did; list shows archived definitions only with --archived', async () => {
    await count();
    expect(await listed()).toMatch(/active$/);
    expect(await said('archive', 'old-claims')).toBe('The definition is archived.');
    expect(await said('archive', 'old-claims')).toBe('The definition was already archived.');
    expect(await listed()).toBeUndefined();
    expect(await listed('--archived')).toMatch(/archived \d{4}-\d{2}-\d{2} \d{2}:\d{2}$/);
    const { stdout } = await wrp('definition', 'restore', 'old-claims', '--json');
    expect(JSON.parse(stdout)).toEqual({ id: expect.any(String), outcome: 'restored' });
    expect(await said('restore', 'old-claims')).toBe('The definition was not archived.');
    expect(await listed()).toMatch(/active$/);
    const { stdout: audit } = await wrp('audit', 'list', '--json', '--action', 'definition archive');
    expect(audit.trim().split('\n')).toHaveLength(1);
  });

  test('are undone by a file that declares the definition, and not by another', async () => {
    await wrp('definition', 'archive', 'old-claims');
    await apply(smallPlatform);
    expect(await listed()).toBeUndefined();
    expect(await count('--dry-run')).toMatchObject({ updated: 1, unchanged: 0 });
    expect(await listed()).toBeUndefined();
    expect(await count()).toMatchObject({ updated: 1, unchanged: 0 });
    expect(await listed()).toMatch(/active$/);
    expect(await count()).toMatchObject({ updated: 0, unchanged: 1 });
  });

  test('archive names the schedules that use the definition', async () => {
    const user = /email: (\S+?)[,\s}]/.exec(smallPlatform)?.[1];
    const schedule = (name: string) =>
      `{ name: '${name}', definition: old-claims, user: ${user}, cron: '0 6 * * *' }`;
    const scheduled = file.replace(
      /^( *)workflowDefinitions:/m,
      `$1schedules: [${schedule('nightly')}, ${schedule('stopped')}]\n$&`,
    );
    expect(await apply(scheduled)).toMatchObject({ status: 0 });
    await wrp('schedule', 'pause', 'stopped');
    expect(await said('archive', 'old-claims')).toBe(
      'The definition is archived.\nThe schedule nightly uses it, and is refused when it is due: pause it.',
    );
    const { stdout } = await wrp('definition', 'archive', 'old-claims', '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      outcome: 'already_archived',
      schedules: ['nightly'],
      openLinks: 0,
    });
  });

  test.each(['archive', 'restore'])('%s refuses an unknown definition', async (command) => {
    expect(await wrp('definition', command, 'unknown')).toMatchObject({
      status: 1,
      stderr: 'There is no definition unknown in production.\n',
    });
  });
});
