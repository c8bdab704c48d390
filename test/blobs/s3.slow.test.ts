import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir, rename } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { CreateMultipartUploadCommand, DeleteObjectCommand, UploadPartCommand } from '@aws-sdk/client-s3';
import { createClient, downloadAttachment } from '@wrp/client';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { startGateway } from '../../scripts/laboratory/s3-gateway.ts';
import { BlobsUnavailable, BlobTooLarge, type S3Settings } from '../../server/blobs/blob-store.ts';
import { openS3Blobs } from '../../server/blobs/s3.ts';
import { openS3Client } from '../../server/blobs/s3-client.ts';
import { givenDirectory } from '../files/support.ts';
import { api } from '../support/api.ts';
import { filesBelow } from '../support/files.ts';
import { bodyOf } from '../support/responses.ts';
import { givenBucket } from '../support/s3.ts';

const mebibyte = 1 << 20;
const hour = 3_600_000;

/** A blob store in a new bucket, and the files of the service for it: objects and parts. */
async function givenStore(changes: Partial<S3Settings> = {}) {
  const { s3, directory } = givenBucket() as NonNullable<ReturnType<typeof givenBucket>>;
  const settings = { ...s3, ...changes };
  const blobs = await openS3Blobs(settings, 'production');
  return { blobs, settings, directory, client: openS3Client(settings), files: () => filesBelow(directory) };
}

/** A stream of so many random bytes, in the chunks of a socket. */
function bytes(count: number): Readable {
  const chunk = randomBytes(65_536);
  return Readable.from(
    (function* () {
      for (let left = count; left > 0; left -= chunk.length) yield chunk.subarray(0, left);
    })(),
  );
}

describe.skipIf(!inject('s3'))('S3 (versitygw must be installed: see .ci/run)', () => {
  describe('a file of several parts', () => {
    test('is read as it was written, in whole and in part', async () => {
      const { blobs } = await givenStore();
      const content = randomBytes(12 * mebibyte + 1);
      const { blobKey, size } = await blobs.write(Readable.from([content]));
      expect(size).toBe(content.length);
      expect((await buffer(await blobs.read(blobKey))).equals(content)).toBe(true);
      const range = { start: 5 * mebibyte - 3, end: 5 * mebibyte + 3 };
      expect(await buffer(await blobs.read(blobKey, range))).toEqual(
        content.subarray(range.start, range.end + 1),
      );
    });

    test('leaves no object and no part if its source fails, it is too large, or it is aborted', async () => {
      const { blobs, files } = await givenStore();
      const failing = new PassThrough();
      const writing = blobs.write(failing);
      await new Promise((resolve) => failing.write(randomBytes(12 * mebibyte), resolve));
      await expect.poll(files).not.toEqual([]);
      failing.destroy(new Error('the client went away'));
      await expect(writing).rejects.toThrow('the client went away');
      expect(await files()).toEqual([]);

      const source = bytes(12 * mebibyte);
      await expect(blobs.write(source, { limit: 11 * mebibyte })).rejects.toThrow(BlobTooLarge);
      expect(source.destroyed).toBe(true);
      expect(await files()).toEqual([]);

      const stop = new AbortController();
      const aborted = blobs.write(bytes(64 * mebibyte), { signal: stop.signal });
      await expect.poll(files).not.toEqual([]);
      stop.abort();
      await expect(aborted).rejects.toThrow(/abort/i);
      expect(await files()).toEqual([]);
    });

    test('is uploaded with bounded memory', async () => {
      const { blobs } = await givenStore();
      const before = process.memoryUsage().arrayBuffers;
      let most = 0;
      const source = bytes(400 * mebibyte);
      source.on('data', () => {
        most = Math.max(most, process.memoryUsage().arrayBuffers - before);
      });
      source.pause();
      await blobs.write(source);
      expect(most).toBeLessThan(120 * mebibyte);
    });

    test('is received only as fast as its reader takes it, for as long as that takes', async () => {
      const { blobs } = await givenStore();
      const content = randomBytes(32 * mebibyte);
      const { blobKey } = await blobs.write(Readable.from([content]));
      const stream = await blobs.read(blobKey);
      stream.once('readable', () => {});
      await new Promise((resolve) => setTimeout(resolve, 22_000));
      expect(stream.readableLength).toBeLessThan(mebibyte);
      expect((await buffer(stream)).equals(content)).toBe(true);
    });

    test('whose process was killed is collected a day later, but not while parts arrive', async () => {
      const { blobs, client, settings, files } = await givenStore();
      const object = { Bucket: settings.bucket, Key: `production/blobs/${randomUUID()}` };
      const begin = async () =>
        (await client.send(new CreateMultipartUploadCommand(object))).UploadId as string;
      await begin();
      const UploadId = await begin();
      const between = new Date(Date.now() + 2_000);
      await new Promise((resolve) => setTimeout(resolve, 3_000));
      await client.send(new UploadPartCommand({ ...object, UploadId, PartNumber: 1, Body: 'x' }));
      expect(await blobs.collectUnfinished(new Date(Date.now() - hour))).toBe(0);
      expect(await blobs.collectUnfinished(between)).toBe(1);
      expect(await blobs.collectUnfinished(new Date(Date.now() + hour))).toBe(1);
      expect(await blobs.collectUnfinished(new Date(Date.now() + hour))).toBe(0);
      expect(await files()).toEqual([]);
    });
  });

  test('environments and prefixes of one bucket have nothing in common', async () => {
    const { blobs, settings } = await givenStore();
    const others = [
      await openS3Blobs(settings, 'sandbox'),
      await openS3Blobs({ ...settings, prefix: 'other/' }, 'production'),
    ];
    const { blobKey } = await blobs.write(Readable.from(['x']));
    await blobs.marker.create('first');
    for (const other of others) {
      await expect(other.read(blobKey)).rejects.toThrow('is not in the store');
      expect(await other.marker.read()).toBeUndefined();
      for await (const listed of other.list()) expect(listed).toBeUndefined();
    }
  });

  test('lists thousands of blobs without those in quarantine', async () => {
    const { blobs } = await givenStore();
    const keys: string[] = [];
    const write = async () => {
      for (let count = 0; count < 160; count++) keys.push((await blobs.write(Readable.from(['x']))).blobKey);
    };
    await Promise.all(Array.from({ length: 8 }, write));
    const quarantined = keys.filter((_key, index) => index % 7 === 0);
    expect((await blobs.quarantine.add([...quarantined, randomUUID()], new Date())).done.sort()).toEqual(
      quarantined.sort(),
    );
    const listed: string[] = [];
    for await (const { blobKey } of blobs.list()) listed.push(blobKey);
    expect(listed.sort()).toEqual(keys.filter((key) => !quarantined.includes(key)).sort());
  });

  test('a blob in quarantine is not deleted, and a removal that was interrupted is completed', async () => {
    const { blobs, client, settings, files } = await givenStore();
    const { blobKey } = await blobs.write(Readable.from(['x']));
    await blobs.quarantine.add([blobKey], new Date());
    await blobs.delete(blobKey);
    expect(String(await buffer(await blobs.read(blobKey)))).toBe('x');
    const object = { Bucket: settings.bucket, Key: `production/blobs/${blobKey}` };
    await client.send(new DeleteObjectCommand(object));
    for await (const quarantined of blobs.quarantine.list()) expect(quarantined.blobKey).toBe(blobKey);
    expect(await blobs.quarantine.remove([blobKey])).toEqual({ done: [blobKey] });
    expect(await files()).toEqual([]);
  });

  describe('credentials', () => {
    test('that are wrong, and a bucket that does not exist, are reported when the store is opened', async () => {
      const { settings } = await givenStore();
      const credentials = { accessKeyId: 'test', secretAccessKey: 'other' };
      const open = (changes: Partial<S3Settings>) => openS3Blobs({ ...settings, ...changes }, 'production');
      await expect(open({ credentials })).rejects.toThrow(/^The blob store is unavailable: .*signature/);
      await expect(open({ bucket: 'missing' })).rejects.toThrow(/^The blob store is unavailable: .*bucket/);
      await expect(open({ endpoint: 'http://127.0.0.1:1' })).rejects.toThrow(
        /^The blob store is unavailable: .*ECONNREFUSED/,
      );
    });
  });

  describe('a URL of the store', () => {
    test('serves the blob with the headers of a download, for a minute', async () => {
      const { blobs } = await givenStore({ redirectsDownloads: true });
      const { blobKey } = await blobs.write(Readable.from(['0123456789']));
      const headers = {
        contentType: 'text/html; charset=utf-8',
        contentDisposition: "attachment; filename*=UTF-8''%C3%A4.txt",
        cacheControl: 'private, no-cache',
      };
      const url = (await blobs.downloadUrl?.(blobKey, headers)) as string;
      expect(new URL(url).searchParams.get('X-Amz-Expires')).toBe('60');
      const response = await fetch(url, { headers: { Range: 'bytes=2-4' } });
      expect(response.status).toBe(206);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'content-type': headers.contentType,
        'content-disposition': headers.contentDisposition,
        'cache-control': headers.cacheControl,
        'content-range': 'bytes 2-4/10',
      });
      expect(await response.text()).toBe('234');
      const forged = new URL(url);
      forged.searchParams.set('X-Amz-Expires', '600');
      expect((await fetch(forged)).status).toBe(403);
      await blobs.delete(blobKey);
      expect((await fetch(url)).status).toBe(404);
    });

    test('exists only if downloads are redirected', async () => {
      const { blobs } = await givenStore();
      expect(blobs.downloadUrl).toBeUndefined();
    });
  });

  test('a service that is killed in the middle of a file fails the write, and its parts are collected', async () => {
    const directory = await givenDirectory();
    await mkdir(`${directory}/files`);
    const { settings } = await givenStore();
    let { gateway, stop } = await startGateway(directory);
    onTestFinished(() => stop());
    const open = () => openS3Blobs({ ...settings, ...gateway, bucket: 'files' }, 'production');
    const source = new PassThrough();
    const writing = (await open()).write(source);
    source.write(randomBytes(12 * mebibyte));
    await expect.poll(() => filesBelow(directory)).not.toEqual([]);
    stop('SIGKILL');
    source.end(randomBytes(6 * mebibyte));
    await expect(writing).rejects.toThrow(BlobsUnavailable);
    ({ gateway, stop } = await startGateway(directory));
    expect(await (await open()).collectUnfinished(new Date(Date.now() + hour))).toBe(1);
    expect(await filesBelow(directory)).toEqual([]);
  });
});

describe.skipIf(!inject('s3'))('a platform with BLOB_DOWNLOADS=redirect', async () => {
  const bucket = givenBucket();
  if (!bucket) return;
  const s3 = { ...bucket.s3, redirectsDownloads: true };
  const { owner, world, baseUrl } = await api({ s3 });
  const path = { tableId: world.table.id, recordId: world.record.id };
  const collection = '/tables/{tableId}/records/{recordId}/attachments';

  /** An attachment with so much content, and its signed URL. */
  async function attach(content: string) {
    const file = new File([content], 'ä.txt', { type: 'text/plain' });
    const body = await bodyOf(201, owner.POST(collection, { params: { path }, body: { file } }));
    const created = body as { id: string };
    const params = { path: { ...path, attachmentId: created.id } };
    const found = await bodyOf(200, owner.GET(`${collection}/{attachmentId}`, { params }));
    return { ...(found as { link: string }), params };
  }

  test('redirects a signed URL to the bucket, with the headers of a download', async () => {
    const { link, params } = await attach('0123456789');
    const redirect = await fetch(link, { redirect: 'manual' });
    expect(redirect.status).toBe(307);
    expect(redirect.headers.get('cache-control')).toBe('no-store');
    expect(redirect.headers.get('location')).toMatch(`${s3.endpoint}/${s3.bucket}/production/blobs/`);
    const followed = await fetch(link, { headers: { Range: 'bytes=2-4' } });
    expect([followed.status, followed.redirected, await followed.text()]).toEqual([206, true, '234']);
    const direct = await fetch(link, { method: 'HEAD' });
    expect([direct.status, direct.redirected]).toEqual([200, false]);
    for (const header of ['content-type', 'content-disposition', 'cache-control']) {
      expect(followed.headers.get(header)).toBe(direct.headers.get(header));
    }
    await bodyOf(204, owner.DELETE(`${collection}/{attachmentId}`, { params }));
    expect((await fetch(link)).status).toBe(404);
  });

  test('serves the client of the platform, in whole and in part', async () => {
    const { params } = await attach('0123456789');
    const client = createClient({ baseUrl, token: world.owner.token });
    for (const [range, content] of [
      [undefined, '0123456789'],
      ['bytes=2-4', '234'],
    ] as const) {
      const file = await downloadAttachment(client, params.path, range ? { range } : {});
      expect(file).toMatchObject({ name: 'ä.txt', size: content.length, response: { redirected: true } });
      expect(await new Response(file.stream).text()).toBe(content);
    }
  });
});

describe.skipIf(!inject('s3'))('a platform whose bucket is gone', async () => {
  const bucket = givenBucket();
  if (!bucket) return;
  const { owner } = await api({ s3: bucket.s3 });
  const upload = () => owner.POST('/resources', { body: { file: new File(['x'], 'x') } });

  test('refuses uploads and downloads with 503 and Retry-After until it is back', async () => {
    const { resourceId } = (await bodyOf(201, upload())) as { resourceId: string };
    const download = () => owner.fetch(`/resources/${resourceId}`);
    await rename(bucket.directory, `${bucket.directory}-gone`);
    for (const response of [(await upload()).response, await download()]) {
      expect([response.status, response.headers.get('Retry-After')]).toEqual([503, expect.any(String)]);
    }
    await rename(`${bucket.directory}-gone`, bucket.directory);
    expect((await upload()).response.status).toBe(201);
    expect(await (await download()).text()).toBe('x');
  });
});

/** A service that accepts connections and sends what `respond` writes. */
async function givenService(respond: (socket: Socket) => void): Promise<S3Settings> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('data', () => respond(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  return {
    bucket: 'files',
    endpoint: `http://127.0.0.1:${port}`,
    region: 'us-east-1',
    prefix: '',
    forcePathStyle: true,
    redirectsDownloads: false,
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  };
}

describe.concurrent('a service that hangs', () => {
  test('before it responds makes a request fail in 20 s', async ({ expect }) => {
    const settings = await givenService(() => {});
    const began = performance.now();
    await expect(openS3Blobs(settings, 'production')).rejects.toThrow(BlobsUnavailable);
    expect(performance.now() - began).toBeLessThan(25_000);
  });

  test('up or breaks off in the middle of an object ends the stream at once', async ({ expect }) => {
    const head = 'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 10\r\n\r\n';
    const settings = await givenService((socket) => socket.write(`${head}01234`, () => socket.destroy()));
    await expect(openS3Blobs(settings, 'production')).rejects.toThrow(BlobsUnavailable);
  });

  test('in the middle of an object ends the stream', async ({ expect }) => {
    const head = 'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 10\r\n\r\n';
    const settings = await givenService((socket) => socket.write(`${head}01234`));
    const began = performance.now();
    await expect(openS3Blobs(settings, 'production')).rejects.toThrow('The store stopped sending.');
    expect(performance.now() - began).toBeLessThan(25_000);
  });
});
