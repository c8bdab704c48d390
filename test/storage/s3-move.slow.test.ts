import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, inject, test } from 'vitest';
import { openBlobs } from '../../server/blobs/index.ts';
import { blobDirectory, environmentNames } from '../../server/src/config.ts';
import { bindBlobs } from '../../server/src/files/binding.ts';
import { openDatabase } from '../../server/src/store/database.ts';
import { givenDatabase } from '../files/stored-files.ts';
import { givenDirectory } from '../files/support.ts';
import { givenBucket } from '../support/s3.ts';
import { runWrp } from '../support/wrp.ts';

/** A platform that is stopped, with a file in each environment, and an empty bucket. */
async function givenPlatform() {
  const { s3 } = givenBucket() as NonNullable<ReturnType<typeof givenBucket>>;
  const { database, connectionString } = await givenDatabase();
  await database.destroy();
  const dataDirectory = await givenDirectory();
  const files: string[] = [];
  for (const environment of environmentNames) {
    const tables = openDatabase({ connection: connectionString, schema: environment, poolSize: 1 });
    const directory = blobDirectory(dataDirectory, environment);
    const blobs = await openBlobs({ directory, s3: undefined }, environment);
    await bindBlobs({ blobs, database: tables });
    files.push((await blobs.write(Readable.from([environment]))).blobKey);
    await tables.destroy();
  }
  const env = {
    DATABASE_URL: connectionString,
    DATA_DIR: dataDirectory,
    S3_BUCKET: s3.bucket,
    S3_ENDPOINT: s3.endpoint,
    S3_ACCESS_KEY_ID: s3.credentials?.accessKeyId,
    S3_SECRET_ACCESS_KEY: s3.credentials?.secretAccessKey,
  };
  const wrp = (args: string[], changes: NodeJS.ProcessEnv = {}) =>
    runWrp(['blobs', ...args], { env: { ...env, ...changes } });
  /** The contents of the files in one of the stores. */
  const contents = async (inS3: boolean) => {
    const read = async (blobKey: string, index: number) => {
      const environment = environmentNames[index] as (typeof environmentNames)[number];
      const blobs = await openBlobs(
        { directory: blobDirectory(dataDirectory, environment), s3: inS3 ? s3 : undefined },
        environment,
      );
      return String(await buffer(await blobs.read(blobKey)));
    };
    return Promise.all(files.map(read));
  };
  return { dataDirectory, connectionString, wrp, contents };
}

describe.skipIf(!inject('s3'))('wrp blobs move (versitygw must be installed: see .ci/run)', () => {
  test('copies the files to S3 and binds them; the former store is refused from then on', async () => {
    const { wrp, contents, dataDirectory } = await givenPlatform();
    const moved = await wrp(['move', '--to', 's3']);
    expect(moved.status, moved.stderr).toBe(0);
    expect(moved.stdout).toMatch(/^PRODUCTION +FILES$/m);
    expect(moved.stdout).toMatch(/^copied \(10 B\) +1$/m);
    expect(await contents(true)).toEqual(['production', 'sandbox']);
    expect((await wrp(['sweep', '--dry-run', '--json'])).status).toBe(0);
    const local = await wrp(['sweep'], {
      S3_BUCKET: '',
      S3_ENDPOINT: '',
      S3_ACCESS_KEY_ID: '',
      S3_SECRET_ACCESS_KEY: '',
    });
    expect(local.stderr).toContain('belongs to another database');
    expect(await wrp(['move', '--to', 's3'])).toMatchObject({
      status: 0,
      stderr: 'The files are in the bucket already.\n',
    });
    // The former files are still there.
    expect(await contents(false)).toEqual(['production', 'sandbox']);
    const refused = await wrp(['move', '--to', 'local']);
    expect(refused).toMatchObject({ status: 1, stderr: expect.stringContaining('has files already') });
    const back = await wrp(['move', '--to', 'local', '--json'], { DATA_DIR: join(dataDirectory, 'new') });
    expect(JSON.parse(back.stdout)).toMatchObject({
      bound: true,
      environments: { production: { copied: { count: 1, bytes: 10 } }, sandbox: { damaged: [] } },
    });
  });

  test('copies but does not bind while the platform runs, and then copies only what is missing', async () => {
    const { wrp, contents, connectionString } = await givenPlatform();
    const running = openDatabase({ connection: connectionString, schema: 'production', poolSize: 1 });
    await running.selectFrom('resources').select('id').execute();
    const first = await wrp(['move', '--to', 's3']);
    expect(first).toMatchObject({ status: 1, stderr: expect.stringContaining('not bound') });
    expect(await contents(true)).toEqual(['production', 'sandbox']);
    await running.destroy();
    const second = await wrp(['move', '--to', 's3', '--json']);
    expect(second.status, second.stderr).toBe(0);
    expect(JSON.parse(second.stdout)).toMatchObject({
      bound: true,
      environments: { production: { copied: { count: 0 }, present: 1 } },
    });
  });
});

test('wrp blobs move needs a bucket and a direction', async () => {
  const { connectionString } = await givenDatabase();
  const env = { DATABASE_URL: connectionString, DATA_DIR: await givenDirectory() };
  expect(await runWrp(['blobs', 'move', '--to', 's3'], { env })).toMatchObject({
    status: 1,
    stderr: 'S3_BUCKET must be set: it is one of the two stores.\n',
  });
  expect(await runWrp(['blobs', 'move'], { env })).toMatchObject({ status: 2 });
});
