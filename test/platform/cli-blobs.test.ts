import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { openLocalBlobs } from '../../server/blobs/index.ts';
import { bindBlobs } from '../../server/src/files/binding.ts';
import { type Database, openDatabase } from '../../server/src/store/database.ts';
import { givenDatabase } from '../files/stored-files.ts';
import { givenDirectory } from '../files/support.ts';
import { given } from '../support/given.ts';
import { runWrp } from '../support/wrp.ts';

/** A data directory and a database that belong together, as a platform leaves them. */
async function givenPlatform() {
  const { database, connectionString } = await givenDatabase();
  const dataDirectory = await givenDirectory();
  const sandbox = openDatabase({ connection: connectionString, schema: 'sandbox', poolSize: 1 });
  const { world } = await given(database, { now: () => new Date(), forward: () => {} });
  const bind = async (environment: string, tables: Database) => {
    const blobs = await openLocalBlobs(join(dataDirectory, 'blobs', environment));
    await bindBlobs({ blobs, database: tables });
    return blobs;
  };
  const blobs = await bind('production', database);
  await bind('sandbox', sandbox);
  await sandbox.destroy();
  const wrp = (...args: string[]) =>
    runWrp(['blobs', ...args], { env: { DATABASE_URL: connectionString, DATA_DIR: dataDirectory } });
  /** Files without a row. Default: old enough. */
  const unknown = async (count: number, modifiedAt: Date | number = 0) => {
    for (let made = 0; made < count; made++) {
      const blobKey = crypto.randomUUID();
      const [first, second] = [blobKey.slice(0, 2), blobKey.slice(2, 4)];
      const directory = join(dataDirectory, 'blobs', 'production', 'blobs', first, second);
      await mkdir(directory, { recursive: true });
      await writeFile(join(directory, blobKey), 'x');
      await utimes(join(directory, blobKey), modifiedAt, modifiedAt);
    }
  };
  /** A resource with this content. */
  const name = async (content: string) => {
    const file = await blobs.write(Readable.from([Buffer.from(content)]));
    const { blobKey, size, sha256 } = file;
    const id = crypto.randomUUID();
    const row = { id, name: 'x', content_type: 'text/plain', size, sha256, blob_key: blobKey };
    const values = { ...row, created_by: world.owner.id, workspace_id: world.workspace.id };
    await database.insertInto('resources').values(values).execute();
    const shard = [blobKey.slice(0, 2), blobKey.slice(2, 4), blobKey];
    return { id, blobKey, size, path: join(dataDirectory, 'blobs', 'production', 'blobs', ...shard) };
  };
  return { dataDirectory, connectionString, database, blobs, wrp, unknown, name };
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

test('wrp blobs sweep --dry-run says how many files it skips because they are young', async () => {
  const { wrp, unknown } = await givenPlatform();
  await unknown(2, new Date());
  const { stdout } = await wrp('sweep', '--dry-run');
  expect(stdout).toMatch(/^unknown +0 +0$/m);
  expect(stdout).toMatch(/^unknown: skipped, under an hour old +2 +2$/m);
});

test('wrp blobs verify lists missing, damaged and unknown files, and fails if files are lost', async () => {
  const { wrp, unknown, database, blobs, name } = await givenPlatform();
  const kept = await name('kept');
  const missing = await name('missing');
  const short = await name('short');
  const changed = await name('changed');
  const quarantined = await name('quarantined');
  const good = await wrp('verify', '--checksums');
  expect(good, good.stderr).toMatchObject({ status: 0 });
  expect(good.stdout).toMatch(/^production: 5 files \(\d+ B\): 0 missing, 0 damaged, 0 unknown$/m);

  await blobs.delete(missing.blobKey);
  await writeFile(short.path, 'x');
  await writeFile(changed.path, 'CHANGED');
  await blobs.quarantine.add([quarantined.blobKey], new Date());
  await unknown(1);
  await unknown(1, new Date());
  const plain = await wrp('verify', '--json');
  expect(plain).toMatchObject({ status: 1, stderr: '2 files are missing or damaged.\n' });
  const { environments } = JSON.parse(plain.stdout);
  const row = (of: typeof kept) => ({ kind: 'resource', id: of.id, blobKey: of.blobKey, size: of.size });
  expect(environments.production).toMatchObject({
    stored: { count: 6 },
    missing: { count: 2, list: expect.arrayContaining([row(missing), row(short)]) },
    unknown: { count: 1, list: [{ size: 1 }] },
  });
  expect(environments.production.damaged).toBeUndefined();
  expect(environments.sandbox.missing.count).toBe(0);

  const read = await wrp('verify', '--checksums');
  expect(read.status).toBe(1);
  expect(read.stdout).toMatch(new RegExp(`^damaged +resource +${changed.id} +${changed.blobKey} +7$`, 'm'));
  expect(read.stdout).toMatch(/^production: 6 files \(\d+ B\): 2 missing, 2 damaged, 1 unknown$/m);
  expect(read.stdout).not.toContain(kept.blobKey);
  // What the database deleted is not missing, and its file is not unknown.
  await database.deleteFrom('resources').where('id', 'in', [missing.id, short.id, changed.id]).execute();
  expect(await wrp('verify')).toMatchObject({ status: 0 });
});
