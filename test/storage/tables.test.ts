import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { tablesModule } from '../../scripts/generate/tables/module.ts';
import { emptyDatabase } from '../support/postgres.ts';

test('generated/tables.ts has the tables that the migrations create', async () => {
  const text = await readFile('generated/tables.ts', 'utf8');
  const [, digest = ''] = /^\/\/ ([0-9a-f]{64})$/m.exec(text) ?? [];
  const database = await emptyDatabase();
  expect(await tablesModule(database as never, { schema: 'production', digest })).toBe(text);
});
