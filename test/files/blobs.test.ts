import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { BlobMissing, BlobsUnavailable, BlobTooLarge, openLocalBlobs } from '../../server/blobs/index.ts';
import { onS3 } from '../support/s3.ts';
import { givenBlobs, givenDirectory } from './support.ts';

const bytes = (...parts: (string | Buffer)[]) => Readable.from(parts.map((part) => Buffer.from(part)));
const missing = '00000000-0000-4000-8000-000000000000';

async function listed(list: AsyncIterable<{ blobKey: string }>): Promise<string[]> {
  const keys: string[] = [];
  for await (const { blobKey } of list) keys.push(blobKey);
  return keys.sort();
}

describe('a blob', () => {
  test.each([0, 1, 65_536, 3_000_001])('of %i bytes is read as it was written', async (size) => {
    const { blobs } = await givenBlobs();
    const content = randomBytes(size);
    const written = await blobs.write(bytes(content.subarray(0, 100), content.subarray(100)));
    expect(written).toEqual({
      blobKey: expect.stringMatching(/^[0-9a-f-]{36}$/),
      size,
      sha256: createHash('sha256').update(content).digest(),
    });
    expect(await buffer(await blobs.read(written.blobKey))).toEqual(content);
  });

  test('of many tiny chunks is read as it was written', async () => {
    const { blobs } = await givenBlobs();
    const content = randomBytes(20_000);
    const { blobKey } = await blobs.write(Readable.from(Array.from(content, (byte) => Buffer.from([byte]))));
    expect(await buffer(await blobs.read(blobKey))).toEqual(content);
  });

  test('is read in part, with inclusive bounds', async () => {
    const { blobs } = await givenBlobs();
    const { blobKey } = await blobs.write(bytes('0123456789'));
    expect(String(await buffer(await blobs.read(blobKey, { start: 2, end: 4 })))).toBe('234');
    expect(String(await buffer(await blobs.read(blobKey, { start: 9, end: 9 })))).toBe('9');
  });

  test('that ends before the range does is missing', async () => {
    const { blobs } = await givenBlobs();
    const { blobKey } = await blobs.write(bytes('0123456789'));
    await expect(blobs.read(blobKey, { start: 0, end: 10 })).rejects.toThrow(BlobMissing);
  });

  test('is gone when it is deleted, and can be deleted again', async () => {
    const { blobs, files } = await givenBlobs();
    const { blobKey } = await blobs.write(bytes('x'));
    await blobs.delete(blobKey);
    await blobs.delete(blobKey);
    await expect(blobs.read(blobKey)).rejects.toThrow(BlobMissing);
    expect(await files()).toEqual([]);
  });

  test.each([missing, '../../etc/passwd', '', 'a/b'])('called %j is missing', async (blobKey) => {
    const { blobs } = await givenBlobs();
    await expect(blobs.read(blobKey)).rejects.toThrow(BlobMissing);
  });

  test('is listed with all others once it is whole', async () => {
    const { blobs } = await givenBlobs();
    const source = new PassThrough();
    const writing = blobs.write(source);
    source.write('half');
    const { blobKey: first } = await blobs.write(bytes('a'));
    const { blobKey: second } = await blobs.write(bytes('b'));
    expect(await listed(blobs.list())).toEqual([first, second].sort());
    source.end();
    const { blobKey: third } = await writing;
    expect(await listed(blobs.list())).toEqual([first, second, third].sort());
  });

  test('is readable by the next process', async () => {
    const { blobs, open } = await givenBlobs();
    const { blobKey } = await blobs.write(bytes('x'));
    expect(String(await buffer(await (await open()).read(blobKey)))).toBe('x');
  });
});

test('a store can be checked, which leaves nothing', async () => {
  const { blobs, files } = await givenBlobs();
  await blobs.check();
  expect(await files()).toEqual([]);
});

describe('a write stores nothing', () => {
  test('when its source fails, and throws that error', async () => {
    const { blobs, files } = await givenBlobs();
    const source = new PassThrough();
    const writing = blobs.write(source);
    source.write(randomBytes(2_000_000));
    source.destroy(new Error('the client went away'));
    await expect(writing).rejects.toThrow('the client went away');
    expect(await files()).toEqual([]);
  });

  test('when its source has failed before', async () => {
    const { blobs, files } = await givenBlobs();
    const source = new PassThrough();
    source.on('error', () => {});
    source.destroy(new Error('already gone'));
    await expect(blobs.write(source)).rejects.toThrow();
    expect(await files()).toEqual([]);
  });

  test('when it is aborted', async () => {
    const { blobs, files } = await givenBlobs();
    const stop = new AbortController();
    const source = new PassThrough();
    const writing = blobs.write(source, { signal: stop.signal });
    source.write('x');
    stop.abort();
    await expect(writing).rejects.toThrow(/abort/i);
    expect(source.destroyed).toBe(true);
    expect(await files()).toEqual([]);
  });

  test('when it is aborted after its source has ended', async () => {
    const { blobs, files } = await givenBlobs();
    const stop = new AbortController();
    const source = bytes('x');
    source.once('end', () => stop.abort());
    await expect(blobs.write(source, { signal: stop.signal })).rejects.toThrow(/abort/i);
    expect(await files()).toEqual([]);
  });

  test('when it was aborted before it began', async () => {
    const { blobs, files } = await givenBlobs();
    await expect(blobs.write(bytes('x'), { signal: AbortSignal.abort() })).rejects.toThrow(/abort/i);
    expect(await files()).toEqual([]);
  });

  test('when its source exceeds the limit', async () => {
    const { blobs, files } = await givenBlobs();
    const source = bytes('12345', '67890');
    await expect(blobs.write(source, { limit: 9 })).rejects.toThrow(BlobTooLarge);
    expect(source.destroyed).toBe(true);
    expect(await files()).toEqual([]);
    expect(await blobs.write(bytes('12345', '6789'), { limit: 9 })).toMatchObject({ size: 9 });
  });
});

describe.skipIf(onS3())('the local directory', () => {
  test('has a level of directories for each two digits of a key', async () => {
    const { blobs, files } = await givenBlobs();
    const { blobKey } = await blobs.write(bytes('x'));
    const [path = ''] = await files();
    expect(path).toMatch(new RegExp(`/blobs/${blobKey.slice(0, 2)}/${blobKey.slice(2, 4)}/${blobKey}$`));
  });

  test('is cleaned of old files of a killed process', async () => {
    const { blobs, directory } = await givenBlobs();
    const [old, young] = [randomUUID(), randomUUID()];
    for (const name of [old, young, 'README']) await writeFile(`${directory}/incoming/${name}`, 'half');
    const yesterday = new Date(Date.now() - 86_400_000);
    for (const name of [old, 'README']) await utimes(`${directory}/incoming/${name}`, yesterday, yesterday);
    expect(await blobs.collectUnfinished(new Date(Date.now() - 3_600_000))).toBe(1);
    expect((await readdir(`${directory}/incoming`)).sort()).toEqual(['README', young].sort());
  });

  test('that cannot be written is unavailable', async () => {
    const { blobs, directory } = await givenBlobs();
    await rm(directory, { recursive: true });
    await expect(blobs.check()).rejects.toThrow(BlobsUnavailable);
    await expect(blobs.write(bytes('x'))).rejects.toThrow(BlobsUnavailable);
  });

  test('that cannot be made is unavailable', async () => {
    const directory = await givenDirectory();
    await writeFile(`${directory}/file`, '');
    await expect(openLocalBlobs(`${directory}/file/below`)).rejects.toThrow(BlobsUnavailable);
  });
});
