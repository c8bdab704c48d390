import { expect, test } from 'vitest';
import { awaitDatabase, checkDatabase } from '../../server/postgres-client/index.ts';
import { cloneDatabase } from '../support/postgres.ts';
import { runWrp } from '../support/wrp.ts';
import { overTcp, withoutOptions } from './startup-proxy.ts';

test('a pooler that drops the search path is refused in one line, before anything is written', async () => {
  const { connectionString } = await cloneDatabase();
  const pooled = await overTcp(connectionString, withoutOptions);
  const line = /^DATABASE_URL leads to a pooler that drops startup parameters such as search_path\. .+$/;
  await expect(awaitDatabase(pooled, () => {})).rejects.toThrow(line);
  const { status, stdout, stderr } = await runWrp(['usage'], { env: { DATABASE_URL: pooled } });
  expect([status, stdout, stderr.trimEnd()]).toEqual([1, '', expect.stringMatching(line)]);
  await checkDatabase(connectionString);
});
