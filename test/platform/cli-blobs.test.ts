import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openLocalBlobs } from '../../server/blobs/index.ts';
import { bindBlobs } from '../../server/src/files/binding.ts';
import { type Database, openDatabase } from '../../server/src/store/database.ts';
import { givenDatabase } from '../files/stored-files.ts';
import { givenDirectory } from '../files/support.ts';
import { runWrp } from '../support/wrp.ts';

/** A data directory and a database that belong together, as a platform leaves them. */
async function givenPlatform() {
  const { database, connectionString } = await givenDatabase();
  const dataDirectory = await givenDirectory();
  const sandbox = openDatabase({ connection: connectionString, schema: 'sandbox', poolSize: 1 });
  const bind = async (environment: string, tables: Database) => {
    const blobs = await openLocalBlobs(join(dataDirectory, 'blobs', environment));
    await bindBlobs({ blobs, database: tables });
  };
  await bind('production', database);
  await bind('sandbox', sandbox);
  await sandbox.destroy();
  const wrp = (...args: string[]) =>
    runWrp(['blobs', ...args], { env: { DATABASE_URL: connectionString, DATA_DIR: dataDirectory } });
  /** Files without a row, old enough. */
  const unknown = async (count: number) => {
    for (let made = 0; made < count; made++) {
      const blobKey = crypto.randomUUID();
      const [first, second] = [blobKey.slice(0, 2), blobKey.slice(2, 4)];
      const directory = join(dataDirectory, 'blobs', 'production', 'blobs', first, second);
      await mkdir(directory, { recursive: true });
      await writeFile(join(directory, blobKey), 'x');
      await utimes(join(directory, blobKey), 0, 0);
    }
  };
  return { dataDirectory, connectionString, wrp, unknown };
}

test('wrp blobs sweep does what its dry run shows', async () => {
  const { wrp, unknown } = await givenPlatform();
  await unknown(2);
  const dry = await wrp('sweep', '--dry-run', '--json');
  expect(dry).toMatchObject({ status: 0, stderr: '' });
  expect(JSON.parse(dry.stdout)).toMatchObject({
    dryRun: true,
    environments: {
      production: { stored: { count: 2, bytes: 2 }, unknown: { count: 2 }, stopped: false },
      sandbox: { stored: { count: 0 } },
    },
  });
  const swept = await wrp('sweep');
  expect(swept.status, swept.stderr).toBe(0);
  expect(swept.stdout).toMatch(/^PRODUCTION +FILES +BYTES$/m);
  expect(swept.stdout).toMatch(/^unknown: quarantined +2 +2$/m);
  expect(JSON.parse(swept.stderr)).toMatchObject({ environment: 'production', blobKeys: { length: 2 } });
});

test('wrp blobs sweep stops at too many unknown files until it is confirmed', async () => {
  const { wrp, unknown } = await givenPlatform();
  await unknown(21);
  const [dry, stopped] = await Promise.all([wrp('sweep', '--dry-run'), wrp('sweep')]);
  expect(dry).toMatchObject({ status: 0, stderr: expect.stringContaining('without --confirm') });
  expect(stopped.status).toBe(1);
  expect(stopped.stderr).toContain('does not know 21 of 21 files');
  expect(stopped.stderr).toContain('without --confirm');
  const confirmed = await wrp('sweep', '--confirm', '--environment', 'production');
  expect(confirmed.status, confirmed.stderr).toBe(0);
  expect(confirmed.stdout).toMatch(/^unknown: quarantined +21 +21$/m);
  expect(confirmed.stdout).not.toContain('SANDBOX');
});

test('wrp blobs sweep accepts --dry-run or --confirm, not both', async () => {
  const wrong = await runWrp(['blobs', 'sweep', '--confirm', '--dry-run']);
  expect(wrong).toMatchObject({ status: 2, stdout: '' });
});

test('wrp blobs adopt binds files whose sweep was refused to the database', async () => {
  const { dataDirectory, wrp } = await givenPlatform();
  const other = await givenPlatform();
  const onOther = (...args: string[]) =>
    runWrp(['blobs', ...args, '--database-url', other.connectionString], {
      env: { DATA_DIR: dataDirectory },
    });
  const refused = await onOther('sweep', '--confirm');
  expect(refused).toMatchObject({ status: 1, stdout: '' });
  expect(refused.stderr).toMatch(
    /^The blob store \S+ belongs to another database: .+ "wrp blobs adopt" .+\.\n$/,
  );
  expect(await onOther('adopt')).toMatchObject({
    status: 0,
    stderr:
      'The files of production are now bound to its database.\nThe files of sandbox are now bound to its database.\n',
  });
  const [again, swept, former] = await Promise.all([
    onOther('adopt', '--json'),
    onOther('sweep'),
    wrp('sweep'),
  ]);
  expect(JSON.parse(again.stdout)).toEqual({
    environments: { production: 'was_bound', sandbox: 'was_bound' },
  });
  expect(swept).toMatchObject({ status: 0 });
  expect(former.stderr).toContain('belongs to another database');
});

test('wrp blobs creates no store, and binds none that no platform has opened', async () => {
  const { connectionString } = await givenDatabase();
  const dataDirectory = await givenDirectory();
  const run = () =>
    runWrp(['blobs', 'sweep'], { env: { DATABASE_URL: connectionString, DATA_DIR: dataDirectory } });
  expect((await run()).stderr).toMatch(
    /^There is no blob store .+: set --data-dir to the platform's data directory\.\n$/,
  );
  await mkdir(join(dataDirectory, 'blobs', 'production'), { recursive: true });
  expect((await run()).stderr).toMatch(/is not bound to the database yet: start the platform once\.\n$/);
});

test('wrp blobs uses BLOB_QUARANTINE_DAYS, and reports an invalid value in one line', async () => {
  const { connectionString } = await givenDatabase();
  const env = { DATABASE_URL: connectionString, BLOB_QUARANTINE_DAYS: 'long' };
  const { status, stderr } = await runWrp(['blobs', 'sweep'], { env });
  expect([status, stderr]).toEqual([
    1,
    'BLOB_QUARANTINE_DAYS must be a whole number from 1 to 3650, not "long".\n',
  ]);
});
