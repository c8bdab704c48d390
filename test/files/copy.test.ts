import { writeFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import type { BlobStore } from '../../server/blobs/index.ts';
import { CopyError, copyBlobs } from '../../server/src/files/copy.ts';
import { day, givenFiles } from './stored-files.ts';
import { givenBlobs } from './support.ts';

/** Files with rows, one that is unknown, one in quarantine, and an empty store to copy them to. */
async function givenCopy() {
  const all = await givenFiles();
  const named = await all.severalFiles(3);
  const unknown = await all.blob();
  const quarantined = await all.blob();
  await all.blobs.quarantine.add([quarantined], new Date(Date.now() - 3 * day));
  const { blobs: to } = await givenBlobs();
  const copy = (target: BlobStore = to) =>
    copyBlobs({ from: all.blobs, to: target, database: all.database, progress: () => {} });
  /** Returns the blobs whose copy cannot be read, or has other bytes. */
  const wrong = async (blobKeys: string[]) => {
    const keys: string[] = [];
    for (const blobKey of blobKeys) {
      const bytes = await to.read(blobKey).then(buffer, () => undefined);
      if (bytes?.toString() !== all.contents.get(blobKey)) keys.push(blobKey);
    }
    return keys;
  };
  return { ...all, named, unknown, quarantined, to, copy, wrong };
}

async function itemsOf<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

describe('a copy of a blob store', () => {
  test('has all blobs, and those in quarantine with their day', async () => {
    const { blobs, named, unknown, quarantined, to, copy, wrong } = await givenCopy();
    expect(await copy()).toMatchObject({ copied: { count: 5, bytes: 5 * 36 }, present: 0, quarantined: 1 });
    expect(await wrong([...named, unknown, quarantined])).toEqual([]);
    const keys = (await itemsOf(to.list())).map(({ blobKey }) => blobKey);
    expect(keys.sort()).toEqual([...named, unknown].sort());
    expect(await itemsOf(to.quarantine.list())).toEqual(await itemsOf(blobs.quarantine.list()));
  });

  test('that was interrupted is completed, and follows what changed since', async () => {
    const { blobs, database, named, file, unknown, quarantined, to, copy, wrong } = await givenCopy();
    let left = 2;
    const interrupted: BlobStore = {
      ...to,
      write: async (...args) => {
        left -= 1;
        if (left >= 0) return to.write(...args);
        args[0].destroy();
        throw new Error('interrupted');
      },
    };
    await expect(copy(interrupted)).rejects.toThrow('interrupted');
    expect(await copy()).toMatchObject({ copied: { count: 3 }, present: 2 });
    await blobs.quarantine.restore([quarantined]);
    await blobs.delete(unknown);
    const [gone = ''] = named.splice(0, 1);
    await database.deleteFrom('resources').where('blob_key', '=', gone).execute();
    await blobs.delete(gone);
    await database.deleteFrom('deleted_blobs').execute();
    const young = await file();
    expect(await copy()).toMatchObject({ copied: { count: 1 }, present: 3, quarantined: 0, unknown: 2 });
    expect(await wrong([...named, quarantined, young])).toEqual([]);
    const keys = (await itemsOf(to.list())).map(({ blobKey }) => blobKey);
    expect(keys.sort()).toEqual([...named, quarantined, young].sort());
  });

  test('that cannot be read back as it was written fails, and is removed', async () => {
    const { to, copy } = await givenCopy();
    const unreliable: BlobStore = {
      ...to,
      read: async (blobKey, range) => (range ? to.read(blobKey, range) : Readable.from(['other bytes'])),
    };
    await expect(copy(unreliable)).rejects.toThrow(CopyError);
    expect(await copy()).toMatchObject({ quarantined: 1 });
  });

  test('reports a blob that differs from its row, and copies it as it is', async () => {
    const { blobs, database, file, pathOf, to, copy } = await givenCopy();
    const damaged = await file();
    const content = Buffer.from(await buffer(await blobs.read(damaged)));
    await database
      .updateTable('resources')
      .set({ sha256: Buffer.alloc(32, 1) })
      .execute();
    const report = await copy();
    expect(report.damaged).toContain(damaged);
    expect(await buffer(await to.read(damaged))).toEqual(content);
    await writeFile(pathOf(damaged), 'shorter');
    expect(await copy()).toMatchObject({ copied: { count: 0 } });
  });
});
