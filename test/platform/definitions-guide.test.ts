import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { applyPlatform } from '../../server/src/manifest/apply.ts';
import { demoPlatformFile } from '../../server/src/manifest/demo.ts';
import { readPlatformFile } from '../../server/src/manifest/read.ts';
import { listDefinitions } from '../../server/src/store/definitions.ts';
import { emptyDatabase } from '../support/postgres.ts';
import { snippetsOfPage } from '../support/snippets/snippet.ts';
import { runWrp } from '../support/wrp.ts';

const guide = await snippetsOfPage('spec/guides/definitions.md');

test('the files of the guide pass check and test, and are applied to the demo', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'wrp-guide-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  // The first three blocks of the page.
  const names = ['orders.asl.json', 'orders.test.yaml', 'orders.yaml'];
  for (const [index, name] of names.entries())
    await writeFile(join(directory, name), guide[index]?.code ?? '');
  const wrp = (...args: string[]) => runWrp(args, { directory });

  expect(await wrp('definition', 'check', 'orders.asl.json')).toMatchObject({ status: 0, stderr: '' });
  const tested = await wrp('definition', 'test', 'orders.asl.json', '--coverage');
  expect(tested).toMatchObject({ status: 0 });
  expect(tested.stdout + tested.stderr).toMatch(/Large\?/);

  const database = await emptyDatabase();
  const environment = 'sandbox' as const;
  const apply = async (file: string) =>
    applyPlatform({ database, environment, file: await readPlatformFile(file) });
  await apply(demoPlatformFile);
  const changes = await apply(join(directory, 'orders.yaml'));
  const changed = Object.entries(changes).filter(([, { created, updated }]) => created + updated > 0);
  expect(Object.fromEntries(changed)).toEqual({
    'workflow definitions': { created: 1, updated: 0, removed: 0, unchanged: 0 },
    'definition revisions': { created: 1, updated: 0, removed: 0, unchanged: 0 },
  });
  expect((await listDefinitions(database)).map(({ name }) => name)).toContain('orders');
});
