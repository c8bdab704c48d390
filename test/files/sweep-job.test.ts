import { expect, test } from 'vitest';
import { api } from '../support/api.ts';
import { formOf, storedFiles } from '../support/files.ts';
import { runJob } from '../support/jobs.ts';
import {
  day,
  expiredMessage,
  hour,
  quarantinedMessage,
  removedMessage,
  restoredMessage,
} from './stored-files.ts';

const platform = await api({ clock: 'running', metricsPort: 0, blobQuarantineDays: 2 });
const { baseUrl, database, dataDirectory, world, log, clock } = platform;

const headers = { Authorization: world.owner.token };
async function upload(content: string): Promise<string> {
  const body = formOf(new File([content], 'a.txt', { type: 'text/plain' }));
  const response = await fetch(`${baseUrl}/resources`, { method: 'POST', headers, body });
  return ((await response.json()) as { resourceId: string }).resourceId;
}
async function read(id: string): Promise<string> {
  return (await fetch(`${baseUrl}/resources/${id}`, { headers })).text();
}
const blobs = async () =>
  (await storedFiles(dataDirectory)).filter((path) => path.includes('/production/blobs/'));

async function sweeps(outcome: string): Promise<number> {
  const metrics = await (await fetch(`http://127.0.0.1:${platform.metricsPort}/metrics`)).text();
  const line = `wrp_blob_sweeps_total{environment="production",outcome="${outcome}"} `;
  const found = metrics.split('\n').find((text) => text.startsWith(line));
  return Number(found?.slice(line.length) ?? 0);
}

/** Runs the hourly job. */
async function sweep(outcome = 'done'): Promise<void> {
  const before = await sweeps(outcome);
  await runJob(platform, 'blob-sweep');
  expect(await sweeps(outcome)).toBe(before + 1);
}

const logged = (message: string) => log.filter(({ msg, environment }) => msg === message && environment);

test('a running platform quarantines, restores, removes, logs and counts', async () => {
  const [kept, lost] = [await upload('kept'), await upload('lost')];
  const row = await database
    .selectFrom('resources')
    .selectAll()
    .where('id', '=', lost)
    .executeTakeFirstOrThrow();
  const { blob_key } = row;
  // An older database never had this row.
  await database.deleteFrom('resources').where('id', '=', lost).execute();
  await database.deleteFrom('deleted_blobs').execute();
  clock.forward(2 * hour);
  await sweep();
  expect(await blobs()).toHaveLength(1);
  expect(logged(quarantinedMessage)).toMatchObject([{ blobKeys: [blob_key], bytes: 4 }]);

  await database.insertInto('resources').values(row).execute();
  expect(await read(lost)).toBe('lost');
  await sweep();
  expect(logged(restoredMessage)).toMatchObject([{ blobKeys: [blob_key] }]);
  expect([await read(lost), await read(kept)]).toEqual(['lost', 'kept']);
  expect(await blobs()).toHaveLength(2);

  await database.deleteFrom('resources').where('id', '=', lost).execute();
  await database.deleteFrom('deleted_blobs').execute();
  await sweep();
  clock.forward(3 * day);
  await sweep();
  expect(logged(expiredMessage)).toMatchObject([{ blobKeys: [blob_key] }]);

  await database.deleteFrom('resources').where('id', '=', kept).execute();
  await runJob(platform, 'maintenance');
  expect(logged(removedMessage)).toHaveLength(1);
  expect(await blobs()).toEqual([]);
});

test('a sweep that stops at too many unknown files logs an error', async () => {
  for (let made = 0; made < 21; made++) await upload(`${made}`);
  await database.deleteFrom('resources').execute();
  await database.deleteFrom('deleted_blobs').execute();
  clock.forward(2 * hour);
  await sweep('stopped');
  expect(log.filter(({ level }) => level === 50)).toMatchObject([
    {
      environment: 'production',
      msg: expect.stringMatching(
        /^Blob sweep stopped: this database does not know 21 of 21 files\. .*--dry-run/,
      ),
    },
  ]);
  expect(await blobs()).toHaveLength(21);
});
