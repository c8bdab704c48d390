import { randomUUID } from 'node:crypto';
import { link, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import type { BlobStore, WrittenBlob } from '../../server/src/blobs/blob-store.ts';
import { sweepBlobs } from '../../server/src/blobs/sweep.ts';
import { openDatabase } from '../../server/src/store/database.ts';
import { given, type World } from '../support/given.ts';
import { cloneDatabase } from '../support/postgres.ts';
import { givenBlobs } from './support.ts';

async function givenDatabase() {
  const cloned = await cloneDatabase();
  const database = openDatabase({ connection: cloned.connectionString, schema: 'production' });
  onTestFinished(async () => {
    await database.destroy();
    await cloned.drop();
  });
  const clock = { now: () => new Date(), forward: () => {} };
  const { world } = await given(database, clock);
  return { database, world };
}

const write = (blobs: BlobStore) => blobs.write(Readable.from([Buffer.from('x')]));

const columns = ({ blobKey, size, sha256 }: WrittenBlob, { owner }: World) => ({
  id: randomUUID(),
  name: 'a.txt',
  content_type: 'text/plain',
  size,
  sha256,
  blob_key: blobKey,
  created_by: owner.id,
});

test('the sweeper deletes the blobs that no row names, in batches', async () => {
  const { blobs, directory, files } = await givenBlobs();
  const { database, world } = await givenDatabase();
  const kept = [await write(blobs), await write(blobs)] as const;
  const [resource, attachment] = kept;
  await database
    .insertInto('resources')
    .values({ ...columns(resource, world), workspace_id: world.workspace.id })
    .execute();
  await database
    .insertInto('attachments')
    .values({ ...columns(attachment, world), record_id: world.record.id, tags: [] })
    .execute();
  // Of the same bytes: to write each of them safely would take seconds.
  const pathOf = (key: string) => join(directory, 'blobs', key.slice(0, 2), key.slice(2, 4), key);
  for (let made = 0; made < 600; made++) {
    const path = pathOf(randomUUID());
    await mkdir(dirname(path), { recursive: true });
    await link(pathOf(resource.blobKey), path);
  }

  const olderThan = new Date(Date.now() + 60_000);
  expect(await sweepBlobs({ blobs, database, olderThan })).toBe(600);
  const left = (await files()).map((path) => path.split('/').at(-1));
  expect(left.sort()).toEqual(kept.map(({ blobKey }) => blobKey).sort());
  expect(await sweepBlobs({ blobs, database, olderThan })).toBe(0);
});

test('the sweeper spares young blobs: their row is still to come', async () => {
  const { blobs, files } = await givenBlobs();
  const { database } = await givenDatabase();
  await write(blobs);
  expect(await sweepBlobs({ blobs, database, olderThan: new Date(Date.now() - 3_600_000) })).toBe(0);
  expect(await files()).toHaveLength(1);
});
