import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openLocalBlobs } from '../../server/blobs/index.ts';
import { readConfig } from '../../server/src/config.ts';
import { openDependencies } from '../../server/src/dependencies.ts';
import { bindBlobs } from '../../server/src/files/binding.ts';
import { openLogger } from '../../server/src/observability/logger.ts';
import { openDatabase } from '../../server/src/store/database.ts';
import { cloneDatabase } from '../support/postgres.ts';
import { day, givenDatabase, givenFiles, hour } from './stored-files.ts';
import { givenDirectory } from './support.ts';

test('no file is lost when an older database is restored, sweeps, and the newer one is restored', async () => {
  const all = await givenFiles();
  const { blobs, database, connectionString, severalFiles, deleteRow, sweep, unreadable, quarantined } = all;
  const old = await severalFiles(4);
  await database.destroy();
  const older = await givenDatabase(connectionString);
  const newer = openDatabase({ connection: connectionString, schema: 'production' });
  onTestFinished(() => newer.destroy());
  const young = await severalFiles(72, newer);
  await deleteRow(old[0] as string, newer);

  // The restored database belongs to the store as before.
  await bindBlobs({ blobs, database: older.database });
  expect(await sweep({ inDatabase: older.database })).toMatchObject({
    stopped: true,
    deleted: { count: 0 },
    quarantined: { count: 0 },
  });
  expect(await quarantined()).toEqual([]);
  // An operator who continues with it confirms that. It deletes what its users delete.
  await deleteRow(old[1] as string, older.database);
  expect(await sweep({ inDatabase: older.database, mode: 'confirmed' })).toMatchObject({
    deleted: { count: 1 },
    quarantined: { count: 72 },
  });
  expect(await sweep({ inDatabase: older.database, later: 13 * day })).toMatchObject({
    expired: { count: 0 },
  });

  await bindBlobs({ blobs, database: newer });
  const named = [...old.slice(2), ...young];
  expect(await unreadable(named), 'at once').toEqual([]);
  expect(await sweep({ inDatabase: newer, later: 13 * day + hour })).toMatchObject({
    stopped: false,
    restored: { count: 72 },
    quarantined: { count: 0 },
    // The newer database, which the older one did not know, has deleted it.
    deleted: { count: 1 },
  });
  expect(await unreadable(named)).toEqual([]);
  expect(await quarantined()).toEqual([]);
  expect(named.every(all.isStored)).toBe(true);
});

/** Opens and closes the dependencies of a platform. */
async function open(databaseUrl: string, dataDirectory: string): Promise<void> {
  const dependencies = await openDependencies({
    config: { ...readConfig({ DATA_DIR: dataDirectory, SERVER_KEY: 'test'.repeat(11) }), databaseUrl },
    logger: openLogger('silent'),
    progress: () => {},
    now: () => new Date(),
    baseUrls: { production: 'http://127.0.0.1:1', sandbox: 'http://127.0.0.1:2' },
  });
  await dependencies.close();
}

test('a platform starts on the files of its own database only, restored or not', async () => {
  const dataDirectory = await givenDirectory();
  const elsewhere = await givenDirectory();
  const first = await cloneDatabase();
  await Promise.all([1, 2, 3].map(() => open(first.connectionString, dataDirectory)));
  const ids = [];
  for (const environment of ['production', 'sandbox']) {
    const { marker } = await openLocalBlobs(join(dataDirectory, 'blobs', environment));
    ids.push(await marker.read());
  }
  expect(new Set(ids).size, 'each environment has a store of its own').toBe(2);

  const restored = await givenDatabase(first.connectionString);
  await open(restored.connectionString, dataDirectory);
  const second = await givenDatabase();
  await expect(open(second.connectionString, dataDirectory)).rejects.toThrow(
    /^The blob store \S+\/blobs\/(production|sandbox) belongs to another database: .+ "wrp blobs adopt" .+\.$/,
  );
  await expect(open(first.connectionString, elsewhere)).rejects.toThrow(
    /^The blob store \S+\/blobs\/(production|sandbox) has no marker \(store-id\), .+ "wrp blobs adopt"\.$/,
  );
});
