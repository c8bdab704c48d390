import { randomUUID } from 'node:crypto';
import { mkdir, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { type BlobStore, BlobsUnavailable } from '../../server/blobs/index.ts';
import { sweepBlobs } from '../../server/src/files/sweep.ts';
import { onS3 } from '../support/s3.ts';
import { day, givenFiles, hour, quarantinedMessage } from './stored-files.ts';

/** A store whose `last`th change fails, before or after it is done. */
function crashing(blobs: BlobStore, last: number, when: 'before' | 'after') {
  let changes = 0;
  const counted =
    <Args extends unknown[], Result>(work: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      changes += 1;
      if (changes === last && when === 'before') throw new Error('crash');
      const result = await work(...args);
      if (changes === last) throw new Error('crash');
      return result;
    };
  const { quarantine } = blobs;
  const store: BlobStore = {
    ...blobs,
    delete: counted(blobs.delete),
    quarantine: {
      ...quarantine,
      add: counted(quarantine.add),
      restore: counted(quarantine.restore),
      remove: counted(quarantine.remove),
    },
  };
  return store;
}

describe('a sweep that is interrupted', () => {
  test.each(['before', 'after'] as const)(
    'at any point loses no file, and the next sweep completes its work: %s',
    async (when) => {
      const all = await givenFiles();
      const { blob, name, deleteRow, severalFiles, severalBlobs, sweep, isStored, quarantined, unreadable } =
        all;
      let crashes = 0;
      for (let last = 1; ; last++) {
        const [expired, back] = [await blob(), await blob()];
        await all.blobs.quarantine.add([expired, back], new Date(Date.now() - 20 * day));
        await name(back);
        const named = await severalFiles(2);
        const deleted = await severalFiles(2);
        for (const blobKey of deleted) await deleteRow(blobKey);
        const unknown = await severalBlobs(2);

        const crashed = await sweep({ store: crashing(all.blobs, last, when) }).then(
          () => false,
          (error) => error.message === 'crash',
        );
        expect(await unreadable([...named, ...unknown, back]), `crash at ${last}`).toEqual([]);
        await sweep();
        expect(await unreadable([...named, ...unknown, back])).toEqual([]);
        expect([...named, back].every(isStored)).toBe(true);
        expect([...deleted, ...unknown, expired].some(isStored)).toBe(false);
        const inQuarantine = await quarantined();
        expect(inQuarantine).toEqual(expect.arrayContaining(unknown));
        for (const gone of [...deleted, expired]) expect(inQuarantine).not.toContain(gone);
        if (!crashed) break;
        crashes += 1;
      }
      expect(crashes).toBeGreaterThanOrEqual(6);
    },
  );

  test('by a full disk keeps what it did, logs it, and fails', async () => {
    const { blobs, severalBlobs, sweep, isStored, quarantined, logged, unreadable } = await givenFiles();
    const unknown = await severalBlobs(10);
    const full: BlobStore['quarantine'] = {
      ...blobs.quarantine,
      async add(blobKeys, at) {
        const { done } = await blobs.quarantine.add(blobKeys.slice(0, 4), at);
        return { done, failure: new BlobsUnavailable(new Error('ENOSPC: no space left on device')) };
      },
    };
    await expect(sweep({ store: { ...blobs, quarantine: full } })).rejects.toThrow('ENOSPC');
    expect(logged(quarantinedMessage).sort()).toEqual((await quarantined()).sort());
    expect(await quarantined()).toHaveLength(4);
    expect(unknown.filter(isStored)).toHaveLength(6);
    expect(await unreadable(unknown)).toEqual([]);
    expect(await sweep()).toMatchObject({ quarantined: { count: 6 } });
  });

  test.skipIf(onS3())('by an unwritable quarantine fails and moves nothing', async () => {
    const { directory, blob, sweep, isStored } = await givenFiles();
    const unknown = await blob();
    await writeFile(join(directory, 'quarantine'), '');
    await expect(sweep()).rejects.toThrow();
    expect(isStored(unknown)).toBe(true);
  });

  test('by an unreadable directory moves nothing, because its files were not counted', async () => {
    const { blobs, severalBlobs, sweep, isStored, quarantined } = await givenFiles();
    const unknown = await severalBlobs(3);
    const unreadable: BlobStore = {
      ...blobs,
      async *list() {
        yield { blobKey: unknown[0] as string, size: 36, modifiedAt: new Date(0) };
        throw Object.assign(new Error('EACCES: permission denied, opendir'), { code: 'EACCES' });
      },
    };
    await expect(sweep({ store: unreadable })).rejects.toThrow('EACCES');
    expect(unknown.every(isStored)).toBe(true);
    expect(await quarantined()).toEqual([]);
  });

  test.skipIf(onS3())('by a blob that cannot be removed still removes the others', async () => {
    const { severalFiles, deleteRow, sweep, isStored, pathOf, database } = await givenFiles();
    const deleted = (await severalFiles(3)).sort();
    for (const blobKey of deleted) await deleteRow(blobKey);
    const [stuck = '', ...rest] = deleted;
    await rm(pathOf(stuck));
    await mkdir(join(pathOf(stuck), 'not a file'), { recursive: true });
    await expect(sweep()).rejects.toThrow(BlobsUnavailable);
    expect(rest.some(isStored)).toBe(false);
    const left = await database.selectFrom('deleted_blobs').select('blob_key').execute();
    expect(left).toEqual([{ blob_key: stuck }]);
  });

  test('by an abort signal fails and moves nothing', async () => {
    const { blobs, blob, database, logger, isStored } = await givenFiles();
    const unknown = await blob();
    const now = new Date(Date.now() + 2 * hour);
    const signal = AbortSignal.abort(new Error('stopping'));
    await expect(sweepBlobs({ blobs, database, logger, now, quarantineDays: 14, signal })).rejects.toThrow(
      'stopping',
    );
    expect(isStored(unknown)).toBe(true);
  });
});

test('two concurrent sweeps do the work of one', async () => {
  const { deleteRow, sweep, quarantined, severalFiles, severalBlobs, unreadable, logged } =
    await givenFiles();
  const unknown = await severalBlobs(20);
  for (const blobKey of await severalFiles(20)) await deleteRow(blobKey);
  const reports = await Promise.all([sweep(), sweep()]);
  expect(reports.reduce((sum, { quarantined: { count } }) => sum + count, 0)).toBe(20);
  expect(logged(quarantinedMessage).sort()).toEqual(unknown.sort());
  expect((await quarantined()).sort()).toEqual(unknown.sort());
  expect(await unreadable(unknown)).toEqual([]);
});

describe('a file that gets its row during a sweep', () => {
  test('after it was listed, is checked again before it is moved', async () => {
    const { blobs, blob, name, sweep, isStored } = await givenFiles();
    const late = await blob();
    const slow: BlobStore = {
      ...blobs,
      async *list() {
        yield* blobs.list();
        // A batch of lookups has this size; young blobs are only counted.
        for (let filler = 0; filler < 499; filler++) {
          yield { blobKey: randomUUID(), size: 0, modifiedAt: new Date(Date.now() + day) };
        }
        await name(late);
      },
    };
    expect(await sweep({ store: slow })).toMatchObject({ unknown: { count: 1 }, quarantined: { count: 0 } });
    expect(isStored(late)).toBe(true);
  });

  test('between the last check and the move, is still read, and comes back', async () => {
    const { blobs, blob, name, sweep, isStored, unreadable } = await givenFiles();
    const late = await blob();
    const racing: BlobStore = {
      ...blobs,
      quarantine: {
        ...blobs.quarantine,
        async add(blobKeys, at) {
          await name(late);
          return blobs.quarantine.add(blobKeys, at);
        },
      },
    };
    expect(await sweep({ store: racing })).toMatchObject({ quarantined: { count: 1 } });
    expect(await unreadable([late])).toEqual([]);
    expect(await sweep()).toMatchObject({ restored: { count: 1 } });
    expect(isStored(late)).toBe(true);
  });

  test('is not moved if it is written during the sweep', async () => {
    const { blobs, sweep, isStored, quarantined, severalBlobs, pathOf } = await givenFiles();
    const unknown = await severalBlobs(5);
    const old = new Date(Date.now() - 2 * hour);
    for (const blobKey of unknown) await utimes(pathOf(blobKey), old, old);
    const written: string[] = [];
    const busy: BlobStore = {
      ...blobs,
      async *list() {
        for await (const listed of blobs.list()) {
          written.push((await blobs.write(Readable.from(['x']))).blobKey);
          yield listed;
          // Whether the list has it or not.
          const [blobKey = ''] = written.slice(-1);
          yield { blobKey, size: 1, modifiedAt: new Date() };
        }
      },
    };
    expect(await sweep({ store: busy, later: 0 })).toMatchObject({ quarantined: { count: 5 } });
    expect((await quarantined()).sort()).toEqual(unknown.sort());
    expect(written.length).toBeGreaterThanOrEqual(5);
    expect(written.every(isStored)).toBe(true);
  });

  test('is readable while the sweeper moves it back and forth', async () => {
    const { blobs, file, unreadable } = await givenFiles();
    const blobKey = await file();
    for (let round = 0; round < 50; round++) {
      const away = blobs.quarantine.add([blobKey], new Date());
      expect(await unreadable([blobKey, blobKey])).toEqual([]);
      await away;
      const back = blobs.quarantine.restore([blobKey]);
      expect(await unreadable([blobKey, blobKey])).toEqual([]);
      await back;
    }
  });
});
