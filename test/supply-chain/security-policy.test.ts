import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const policy = await readFile(join(root, 'SECURITY.md'), 'utf8');

test('SECURITY.md names only files and npm scripts that exist', async () => {
  const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const files = [...policy.matchAll(/`((?:[\w.-]+\/)+[\w.-]+\.\w+)`/g)].map(([, file = '']) => file);
  const names = [...policy.matchAll(/`npm (?:run )?([\w:]+)`/g)].map(([, name = '']) => name);
  expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  expect(names.filter((name) => name !== 'ci' && scripts[name] === undefined)).toEqual([]);
  expect(files.length).toBeGreaterThan(20);
});

test('each promise in SECURITY.md names what proves it', () => {
  const [, promises = ''] = /^## What is promised\n(.*?)^## /ms.exec(policy) ?? [];
  const rows = [...promises.matchAll(/^\| (?!Promise |--)(.+) \| (.+) \|$/gm)];
  const unproven = rows.filter(
    ([, , proof = '']) => !/^(`(test\/[\w./-]+\.test\.ts|npm run [\w:]+)`(, )?)+$/.test(proof),
  );
  expect(unproven.map(([, promise]) => promise)).toEqual([]);
  expect(rows.length).toBeGreaterThan(30);
});
