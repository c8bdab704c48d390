import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { removeDeletedBlobs } from '../../server/src/files/sweep.ts';
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
  test('removes deleted blobs, keeps blobs with rows, and forgets finished deletions', async () => {
    const { sweep, isStored, severalFiles, database, logged } = await givenFiles();
    const kept = await severalFiles(2);
    const deleted = await severalFiles(600);
    await database.deleteFrom('resources').where('blob_key', 'in', deleted).execute();
    // At once: only a blob without a row is given time.
    expect(await sweep({ later: 0 })).toMatchObject({ deleted: { count: 600 }, unknown: { count: 0 } });
    expect(kept.every(isStored)).toBe(true);
    expect(deleted.some(isStored)).toBe(false);
    expect(logged(removedMessage).sort()).toEqual(deleted.sort());
    expect(await database.selectFrom('deleted_blobs').selectAll().execute()).toEqual([]);
  });

  test('removes deleted blobs without listing the store, too', async () => {
    const { blobs, database, logger, file, blob, deleteRow, isStored } = await givenFiles();
    const [kept, deleted, unknown] = [await file(), await file(), await blob()];
    await deleteRow(deleted);
    expect(await removeDeletedBlobs({ blobs, database, logger })).toBe(1);
    expect([kept, deleted, unknown].map(isStored)).toEqual([true, false, true]);
  });

  test('keeps young blobs, whose row may still come', async () => {
    const { blob, sweep, isStored } = await givenFiles();
    const young = await blob();
    expect(await sweep({ later: 0 })).toMatchObject({
      stored: { count: 1 },
      young: { count: 1, bytes: 36 },
      unknown: { count: 0 },
    });
    expect(isStored(young)).toBe(true);
  });

  test('quarantines unknown blobs for 14 days, and then removes them', async () => {
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

  test('uses BLOB_QUARANTINE_DAYS', async () => {
    const { blob, sweep } = await givenFiles();
    await blob();
    await sweep();
    expect(await sweep({ later: 2 * day + 2 * hour, quarantineDays: 1 })).toMatchObject({
      expired: { count: 1 },
    });
  });

  test('restores a blob that a row names again; reads find it in quarantine until then', async () => {
    const { blob, name, sweep, isStored, unreadable, logged } = await givenFiles();
    const lost = await blob();
    await sweep();
    await name(lost);
    expect(await unreadable([lost])).toEqual([]);
    // Regardless of its age.
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
    const { severalFiles, severalBlobs, sweep, quarantined, log } = await givenFiles();
    await severalFiles(known);
    await severalBlobs(unknown);
    expect(await sweep()).toMatchObject({ stopped, unknown: { count: unknown } });
    expect(await quarantined()).toHaveLength(stopped ? 0 : unknown);
    const errors = log.filter(({ level }) => level === 50);
    expect(errors).toHaveLength(stopped ? 1 : 0);
    if (stopped) expect(errors[0]?.['msg']).toContain(`does not know ${unknown} of ${known + unknown} files`);
  });

  test('stops above 1,000, whatever their share: nothing leaves quarantine, but deleted ones are removed', async () => {
    const { blob, severalFiles, severalBlobs, deleteRow, sweep, quarantined, isStored } = await givenFiles();
    await blob();
    await sweep();
    const named = await severalFiles(3);
    await deleteRow(named[0] as string);
    await severalBlobs(1_001);
    expect(await sweep({ later: 40 * day })).toMatchObject({
      stopped: true,
      unknown: { count: 1_001 },
      quarantined: { count: 0 },
      expired: { count: 0 },
      deleted: { count: 1 },
    });
    expect(await quarantined()).toHaveLength(1);
    expect(named.map(isStored)).toEqual([false, true, true]);
  });

  test('a dry run reports and changes nothing; a confirmed sweep quarantines all', async () => {
    const { severalFiles, severalBlobs, deleteRow, sweep, files, log, quarantined, unreadable } =
      await givenFiles();
    const unknown = await severalBlobs(30);
    const named = await severalFiles(2);
    await deleteRow(named[0] as string);
    const before = await files();
    expect(await sweep({ mode: 'dry-run' })).toEqual({
      stored: { count: 32, bytes: 32 * 36 },
      deleted: { count: 1 },
      restored: { count: 0, bytes: 0 },
      young: { count: 0, bytes: 0 },
      unknown: { count: 30, bytes: 30 * 36 },
      quarantined: { count: 0, bytes: 0 },
      expired: { count: 0, bytes: 0 },
      stopped: true,
    });
    expect(await files()).toEqual(before);
    expect(log).toEqual([]);
    expect(await sweep({ mode: 'confirmed' })).toMatchObject({
      stopped: false,
      deleted: { count: 1 },
      quarantined: { count: 30, bytes: 30 * 36 },
    });
    expect((await quarantined()).sort()).toEqual(unknown.sort());
    expect(await unreadable(unknown)).toEqual([]);
  });
});

test('other files stay, in quarantine as well', async () => {
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
