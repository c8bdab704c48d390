import { randomUUID } from 'node:crypto';
import { mkdir, rm, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { type BlobStore, BlobsUnavailable } from '../../server/src/blobs/blob-store.ts';
import { removeDeletedBlobs, sweepBlobs } from '../../server/src/blobs/sweep.ts';
import {
  day,
  expiredMessage,
  givenFiles,
  hour,
  quarantinedMessage,
  removedMessage,
  restoredMessage,
} from './stored-files.ts';

describe('the sweeper', () => {
  test('removes what the database deleted, keeps what it names, and forgets what is done', async () => {
    const { file, sweep, isStored, several, database, logged } = await givenFiles();
    const kept = await several(2, file);
    const deleted = await several(600, file);
    await database.deleteFrom('resources').where('blob_key', 'in', deleted).execute();
    // At once: only what has no row yet is given time.
    expect(await sweep({ later: 0 })).toMatchObject({ deleted: { count: 600 }, unknown: { count: 0 } });
    expect(kept.every(isStored)).toBe(true);
    expect(deleted.some(isStored)).toBe(false);
    expect(logged(removedMessage).sort()).toEqual(deleted.sort());
    expect(await database.selectFrom('deleted_blobs').selectAll().execute()).toEqual([]);
  });

  test('removes what was deleted without looking through the store, too', async () => {
    const { blobs, database, logger, file, blob, deleteRow, isStored } = await givenFiles();
    const [kept, deleted, unknown] = [await file(), await file(), await blob()];
    await deleteRow(deleted);
    expect(await removeDeletedBlobs({ blobs, database, logger })).toBe(1);
    expect([kept, deleted, unknown].map(isStored)).toEqual([true, false, true]);
  });

  test('leaves young blobs alone: their row is still to come', async () => {
    const { blob, sweep, isStored } = await givenFiles();
    const young = await blob();
    expect(await sweep({ later: 0 })).toMatchObject({ stored: { count: 1 }, unknown: { count: 0 } });
    expect(isStored(young)).toBe(true);
  });

  test('quarantines what the database never knew, for 14 days, and then removes it', async () => {
    const { blob, file, sweep, isStored, quarantined, unreadable, logged } = await givenFiles();
    const [kept, unknown] = [await file(), await blob()];
    expect(await sweep()).toMatchObject({ unknown: { count: 1, bytes: 36 }, quarantined: { count: 1 } });
    expect(isStored(unknown)).toBe(false);
    expect(await quarantined()).toEqual([unknown]);
    expect(logged(quarantinedMessage)).toEqual([unknown]);
    expect(await unreadable([unknown])).toEqual([]);

    expect(await sweep({ later: 14 * day })).toMatchObject({ expired: { count: 0 } });
    expect(await sweep({ later: 15 * day + 2 * hour })).toMatchObject({ expired: { count: 1, bytes: 36 } });
    expect(await quarantined()).toEqual([]);
    expect(logged(expiredMessage)).toEqual([unknown]);
    expect(isStored(kept)).toBe(true);
  });

  test('keeps to BLOB_QUARANTINE_DAYS', async () => {
    const { blob, sweep } = await givenFiles();
    await blob();
    await sweep();
    expect(await sweep({ later: 2 * day + 2 * hour, quarantineDays: 1 })).toMatchObject({
      expired: { count: 1 },
    });
  });

  test('brings back what a row names again; until then reads find it in quarantine', async () => {
    const { blob, name, sweep, isStored, unreadable, logged } = await givenFiles();
    const lost = await blob();
    await sweep();
    await name(lost);
    expect(await unreadable([lost])).toEqual([]);
    // However long it has been there.
    expect(await sweep({ later: 40 * day })).toMatchObject({
      restored: { count: 1, bytes: 36 },
      expired: { count: 0 },
    });
    expect(isStored(lost)).toBe(true);
    expect(logged(restoredMessage)).toEqual([lost]);
  });

  test('removes a deleted blob from quarantine, too', async () => {
    const { blob, name, deleteRow, sweep, quarantined } = await givenFiles();
    const lost = await blob();
    await sweep();
    await name(lost);
    await deleteRow(lost);
    expect(await sweep()).toMatchObject({ deleted: { count: 1 } });
    expect(await quarantined()).toEqual([]);
  });

  test('does not remove a deleted blob that a row names again', async () => {
    const { file, name, deleteRow, sweep, isStored, database } = await givenFiles();
    const blobKey = await file();
    await deleteRow(blobKey);
    await name(blobKey);
    expect(await sweep()).toMatchObject({ deleted: { count: 0 }, unknown: { count: 0 } });
    expect(isStored(blobKey)).toBe(true);
    expect(await database.selectFrom('deleted_blobs').selectAll().execute()).toEqual([]);
  });
});

describe('a sweep of too many unknown blobs', () => {
  test.each([
    { known: 2, unknown: 1, stopped: false },
    { known: 0, unknown: 20, stopped: false },
    { known: 0, unknown: 21, stopped: true },
    { known: 419, unknown: 21, stopped: false },
    { known: 398, unknown: 21, stopped: true },
  ])('more than 20 and 5 %: $unknown beside $known', async ({ known, unknown, stopped }) => {
    const { blob, file, several, sweep, quarantined, log } = await givenFiles();
    await several(known, file);
    await several(unknown, blob);
    expect(await sweep()).toMatchObject({ stopped, unknown: { count: unknown } });
    expect(await quarantined()).toHaveLength(stopped ? 0 : unknown);
    const errors = log.filter(({ level }) => level === 50);
    expect(errors).toHaveLength(stopped ? 1 : 0);
    if (stopped) expect(errors[0]?.['msg']).toContain(`does not know ${unknown} of ${known + unknown} files`);
  });

  test('more than 1,000, whatever their share; nothing leaves quarantine either, but deleted ones go', async () => {
    const { blob, file, several, deleteRow, sweep, quarantined, isStored } = await givenFiles();
    await blob();
    await sweep();
    const named = await several(3, file);
    await deleteRow(named[0] as string);
    await several(1_001, blob);
    expect(await sweep({ later: 40 * day })).toMatchObject({
      ...{ stopped: true, unknown: { count: 1_001 }, quarantined: { count: 0 }, expired: { count: 0 } },
      deleted: { count: 1 },
    });
    expect(await quarantined()).toHaveLength(1);
    expect(named.map(isStored)).toEqual([false, true, true]);
  });

  test('a dry run reports and changes nothing; a confirmed sweep quarantines all', async () => {
    const { blob, file, several, deleteRow, sweep, files, log, quarantined, unreadable } = await givenFiles();
    const unknown = await several(30, blob);
    const named = await several(2, file);
    await deleteRow(named[0] as string);
    const before = await files();
    expect(await sweep({ mode: 'dry-run' })).toEqual({
      stored: { count: 32, bytes: 32 * 36 },
      deleted: { count: 1 },
      restored: { count: 0, bytes: 0 },
      unknown: { count: 30, bytes: 30 * 36 },
      quarantined: { count: 0, bytes: 0 },
      expired: { count: 0, bytes: 0 },
      stopped: true,
    });
    expect(await files()).toEqual(before);
    expect(log).toEqual([]);
    expect(await sweep({ mode: 'confirmed' })).toMatchObject({
      ...{ stopped: false, deleted: { count: 1 }, quarantined: { count: 30, bytes: 30 * 36 } },
    });
    expect((await quarantined()).sort()).toEqual(unknown.sort());
    expect(await unreadable(unknown)).toEqual([]);
  });
});

/** What the store of `all` does, until its `last`th change: that fails, before it is done or after. */
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
    'at any point loses nothing, and the next one ends its work: %s',
    async (when) => {
      const all = await givenFiles();
      const { blob, file, name, deleteRow, several, sweep, isStored, quarantined, unreadable } = all;
      let crashes = 0;
      for (let last = 1; ; last++) {
        const [expired, back] = [await blob(), await blob()];
        await all.blobs.quarantine.add([expired, back], new Date(Date.now() - 20 * day));
        await name(back);
        const named = await several(2, file);
        const deleted = await several(2, file);
        for (const blobKey of deleted) await deleteRow(blobKey);
        const unknown = await several(2, blob);

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
      expect(crashes).toBeGreaterThanOrEqual(7);
    },
  );

  test('by a full disk keeps what it did, logs it, and fails', async () => {
    const { blobs, blob, several, sweep, isStored, quarantined, logged, unreadable } = await givenFiles();
    const unknown = await several(10, blob);
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

  test('because the quarantine cannot be written fails and moves nothing', async () => {
    const { directory, blob, sweep, isStored } = await givenFiles();
    const unknown = await blob();
    await writeFile(join(directory, 'quarantine'), '');
    await expect(sweep()).rejects.toThrow();
    expect(isStored(unknown)).toBe(true);
  });

  test('because a directory cannot be read moves nothing: what it holds was not counted', async () => {
    const { blobs, blob, several, sweep, isStored, quarantined } = await givenFiles();
    const unknown = await several(3, blob);
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

  test('one blob that cannot be removed keeps no other from its turn', async () => {
    const { file, several, deleteRow, sweep, isStored, pathOf, database } = await givenFiles();
    const deleted = (await several(3, file)).sort();
    for (const blobKey of deleted) await deleteRow(blobKey);
    const [stuck = '', ...rest] = deleted;
    await rm(pathOf(stuck));
    await mkdir(join(pathOf(stuck), 'not a file'), { recursive: true });
    await expect(sweep()).rejects.toThrow(BlobsUnavailable);
    expect(rest.some(isStored)).toBe(false);
    const left = await database.selectFrom('deleted_blobs').select('blob_key').execute();
    expect(left).toEqual([{ blob_key: stuck }]);
  });

  test('when it is told to stop', async () => {
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

test('two sweeps at once do the work of one', async () => {
  const { blob, file, deleteRow, sweep, quarantined, several, unreadable, logged } = await givenFiles();
  const unknown = await several(20, blob);
  for (const blobKey of await several(20, file)) await deleteRow(blobKey);
  const reports = await Promise.all([sweep(), sweep()]);
  expect(reports.reduce((sum, { quarantined: { count } }) => sum + count, 0)).toBe(20);
  expect(logged(quarantinedMessage).sort()).toEqual(unknown.sort());
  expect((await quarantined()).sort()).toEqual(unknown.sort());
  expect(await unreadable(unknown)).toEqual([]);
});

describe('a file that gets its row during a sweep', () => {
  test('after it was listed, is looked up again before it is moved', async () => {
    const { blobs, blob, name, sweep, isStored } = await givenFiles();
    const late = await blob();
    const slow: BlobStore = {
      ...blobs,
      async *list() {
        yield* blobs.list();
        // So many are looked up together; those that are young are counted only.
        for (let filler = 0; filler < 499; filler++) {
          yield { blobKey: randomUUID(), size: 0, modifiedAt: new Date(Date.now() + day) };
        }
        await name(late);
      },
    };
    expect(await sweep({ store: slow })).toMatchObject({ unknown: { count: 1 }, quarantined: { count: 0 } });
    expect(isStored(late)).toBe(true);
  });

  test('between the last look-up and the move, is still read, and comes back', async () => {
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

  test('because it is written meanwhile, is left alone', async () => {
    const { blobs, blob, sweep, isStored, quarantined, several, pathOf } = await givenFiles();
    const unknown = await several(5, blob);
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

  test('is read while the sweeper moves it to and fro', async () => {
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

test('what is not a blob is left alone, in quarantine as well', async () => {
  const { directory, blob, sweep, files, pathOf } = await givenFiles();
  await sweep();
  const unknown = await blob();
  await sweep();
  const notes = [
    join(dirname(pathOf(unknown)), 'README'),
    join(directory, 'quarantine', 'README'),
    join(directory, 'quarantine', 'lost+found', 'README'),
  ];
  for (const note of notes) {
    await mkdir(dirname(note), { recursive: true });
    await writeFile(note, '');
  }
  await sweep({ later: 400 * day });
  expect(await files()).toEqual(expect.arrayContaining(notes));
});
