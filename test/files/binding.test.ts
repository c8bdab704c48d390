import { cp, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type BlobStore, openLocalBlobs } from '../../server/blobs/index.ts';
import { adoptBlobs, assertBound, BlobBindingError, bindBlobs } from '../../server/src/files/binding.ts';
import { findBlobStoreId, proposeBlobStoreId } from '../../server/src/store/blobs.ts';
import { onS3 } from '../support/s3.ts';
import { givenDatabase, givenFiles, hour } from './stored-files.ts';
import { givenBlobs, givenDirectory } from './support.ts';

const other = 'belongs to another database';
const missing = 'has no marker';

describe('a blob store and a database', () => {
  test('are bound at the first start, with or without files, and stay so', async () => {
    const { blobs, directory } = await givenBlobs();
    const { database } = await givenDatabase();
    await mkdir(join(directory, 'blobs', '3f', 'a2'), { recursive: true });
    await writeFile(join(directory, 'blobs', '3f', 'a2', 'x'), 'from before there were markers');
    await expect(assertBound({ blobs, database })).rejects.toThrow('is not bound to the database yet');
    await bindBlobs({ blobs, database });
    const id = await blobs.marker.read();
    expect(await findBlobStoreId(database)).toEqual({ id, bound: true });
    await bindBlobs({ blobs, database });
    await assertBound({ blobs, database });
    expect(await blobs.marker.read()).toBe(id);
    const incoming = onS3() ? [] : ['incoming'];
    expect((await readdir(directory)).sort()).toEqual(['blobs', ...incoming, 'store-id']);
  });

  test('are bound once by many processes that start together', async () => {
    const { blobs } = await givenBlobs();
    const { database } = await givenDatabase();
    await Promise.all(Array.from({ length: 20 }, () => bindBlobs({ blobs, database })));
    expect(await findBlobStoreId(database)).toEqual({ id: await blobs.marker.read(), bound: true });
  });

  test('are bound one to one: exactly one of two databases that claim a store concurrently gets it', async () => {
    const { blobs } = await givenBlobs();
    const databases = [(await givenDatabase()).database, (await givenDatabase()).database];
    const outcomes = await Promise.allSettled(databases.map((database) => bindBlobs({ blobs, database })));
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const refused = outcomes.find(({ status }) => status === 'rejected') as PromiseRejectedResult;
    expect(refused.reason).toBeInstanceOf(BlobBindingError);
    expect(refused.reason.message).toContain(other);
  });

  test('that are copied together stay bound; a copied store is refused by any other database', async () => {
    const { blobs, directory, database, connectionString } = await givenFiles();
    await database.destroy();
    const copied = await givenDirectory();
    await cp(directory, copied, { recursive: true });
    const copy = await openLocalBlobs(copied);
    await bindBlobs({ blobs: copy, database: (await givenDatabase(connectionString)).database });
    const stranger = (await givenDatabase()).database;
    await expect(bindBlobs({ blobs: copy, database: stranger })).rejects.toThrow(other);
    await expect(bindBlobs({ blobs, database: stranger })).rejects.toThrow(other);
  });

  test('that were bound to others are refused, for a start and for a sweep', async () => {
    const { database, blob, sweep, isStored } = await givenFiles();
    const unknown = await blob();
    const { database: empty } = await givenDatabase();
    await expect(sweep({ inDatabase: empty })).rejects.toThrow(other);
    const { blobs: unmarked } = await givenBlobs();
    await expect(bindBlobs({ blobs: unmarked, database })).rejects.toThrow(missing);
    expect(await unmarked.marker.read()).toBeUndefined();
    await expect(sweep({ store: unmarked })).rejects.toThrow(missing);
    expect(isStored(unknown)).toBe(true);
  });

  test('whose marker is damaged are refused', async () => {
    const { blobs, database, directory } = await givenFiles();
    await writeFile(join(directory, 'store-id'), '');
    await expect(bindBlobs({ blobs, database })).rejects.toThrow(other);
  });

  test.skipIf(onS3())('whose marker cannot be read are refused', async () => {
    const { blobs, database, directory } = await givenFiles();
    await rm(join(directory, 'store-id'));
    await mkdir(join(directory, 'store-id'));
    await expect(bindBlobs({ blobs, database })).rejects.toThrow('The blob store is unavailable');
  });
});

describe('a start that is killed', () => {
  test('before the store is marked, is completed by the next one', async () => {
    const { blobs } = await givenBlobs();
    const { database } = await givenDatabase();
    const failing: BlobStore['marker'] = {
      ...blobs.marker,
      create: () => Promise.reject(new Error('killed')),
    };
    await expect(bindBlobs({ blobs: { marker: failing }, database })).rejects.toThrow('killed');
    expect(await findBlobStoreId(database)).toMatchObject({ bound: false });
    await bindBlobs({ blobs, database });
    await assertBound({ blobs, database });
  });

  test('after the store is marked, is completed by the next one', async () => {
    const { blobs } = await givenBlobs();
    const { database } = await givenDatabase();
    await blobs.marker.create(await proposeBlobStoreId(database, crypto.randomUUID()));
    await bindBlobs({ blobs, database });
    expect(await findBlobStoreId(database)).toMatchObject({ bound: true });
  });

  test('between its two reads sees what another process did meanwhile', async () => {
    const { blobs } = await givenBlobs();
    const { database } = await givenDatabase();
    let reads = 0;
    const late: BlobStore['marker'] = {
      ...blobs.marker,
      async read() {
        reads += 1;
        if (reads === 1) await bindBlobs({ blobs, database });
        return blobs.marker.read();
      },
    };
    await bindBlobs({ blobs: { marker: late }, database });
    expect(reads).toBeGreaterThan(1);
  });
});

describe('an operator', () => {
  test('can give a copy an id of its own, so that it is refused by the originals', async () => {
    const { blobs, database } = await givenFiles();
    const before = await blobs.marker.read();
    expect(await adoptBlobs({ blobs, database }, true)).toBe('adopted');
    expect(await blobs.marker.read()).not.toBe(before);
    await bindBlobs({ blobs, database });
    const original = { ...blobs.marker, read: async () => before };
    await expect(bindBlobs({ blobs: { marker: original }, database })).rejects.toThrow(other);
  });

  test('can bind files to another database: the previous one is refused, and nothing is removed', async () => {
    const { blobs, database, severalFiles, unreadable, sweep } = await givenFiles();
    const named = await severalFiles(3);
    const { database: empty } = await givenDatabase();
    expect(await adoptBlobs({ blobs, database: empty })).toBe('adopted');
    expect(await adoptBlobs({ blobs, database: empty })).toBe('was_bound');
    await bindBlobs({ blobs, database: empty });
    await expect(bindBlobs({ blobs, database })).rejects.toThrow(other);
    await sweep({ inDatabase: empty });
    expect(await unreadable(named)).toEqual([]);
    expect(await adoptBlobs({ blobs, database })).toBe('adopted');
    expect(await sweep({ later: 3 * hour })).toMatchObject({ restored: { count: 3 } });
  });

  test('can start with an empty store if the files are lost', async () => {
    const { database } = await givenFiles();
    const { blobs } = await givenBlobs();
    expect(await adoptBlobs({ blobs, database })).toBe('adopted');
    await bindBlobs({ blobs, database });
  });

  test('can repeat a command that was killed halfway', async () => {
    const { blobs } = await givenFiles();
    const { database: empty } = await givenDatabase();
    const failing: BlobStore['marker'] = {
      ...blobs.marker,
      replace: () => Promise.reject(new Error('killed')),
    };
    await expect(adoptBlobs({ blobs: { marker: failing }, database: empty })).rejects.toThrow('killed');
    await expect(bindBlobs({ blobs, database: empty })).rejects.toThrow(other);
    expect(await adoptBlobs({ blobs, database: empty })).toBe('adopted');
    await bindBlobs({ blobs, database: empty });
  });
});
