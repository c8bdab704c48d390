import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import {
  BlobMissing,
  type BlobStore,
  BlobsUnavailable,
  isBlobKey,
  type Marker,
  type S3Settings,
} from './blob-store.ts';
import { hasCode, openS3Client } from './s3-client.ts';
import { openS3Objects, type S3Objects } from './s3-objects.ts';
import { s3Quarantine } from './s3-quarantine.ts';
import { abortOldUploads, uploadToS3 } from './s3-upload.ts';

/** How long a URL of the store is valid: long enough to follow a redirect. */
const urlSeconds = 60;
/** How long the store may pause while it sends an object. */
const stallMilliseconds = 10_000;

/**
 * Stores blobs as objects of an S3-compatible service, for instance in the part `production`: `<prefix>production/blobs/3fa2…` with their bytes,
 * `<prefix>production/quarantine/…` for those that the database does not know. `<prefix>production/store-id` is the
 * marker.
 *
 * @throws BlobsUnavailable if the bucket cannot be read
 */
export async function openS3Blobs(settings: S3Settings, part: string): Promise<BlobStore> {
  const { bucket, prefix, redirectsDownloads } = settings;
  const client = openS3Client(settings);
  const objects = openS3Objects(client, bucket, `${prefix}${part}/`);
  const { marks, marksOf, ...quarantine } = s3Quarantine(objects);
  const marker = markerObject(objects, `s3://${bucket}/${prefix}${part}`);
  const nameOf = (blobKey: string) => {
    if (!isBlobKey(blobKey)) throw new BlobMissing(blobKey);
    return `blobs/${blobKey}`;
  };
  await marker.read().catch((error: unknown) => {
    const { cause } = error as BlobsUnavailable;
    throw new BlobsUnavailable(new Error(`${marker.location}: ${(cause as Error).message}`, { cause }));
  });

  return {
    marker,
    quarantine,

    async write(source, { blobKey = randomUUID(), ...options } = {}) {
      return { blobKey, ...(await uploadToS3(client, objects.object(nameOf(blobKey)), source, options)) };
    },

    async read(blobKey, range) {
      const part = range && { Range: `bytes=${range.start}-${range.end}` };
      try {
        const response = await client.send(
          new GetObjectCommand({ ...objects.object(nameOf(blobKey)), ...part }),
        );
        const stream = stallable(response.Body as Readable);
        if (!range || response.ContentLength === range.end - range.start + 1) return stream;
        stream.destroy();
        throw new BlobMissing(blobKey, `has only ${response.ContentRange?.split('/').at(-1)} bytes`);
      } catch (error) {
        if (hasCode(error, 'NoSuchKey')) throw new BlobMissing(blobKey);
        if (hasCode(error, 'InvalidRange'))
          throw new BlobMissing(blobKey, `ends before byte ${range?.start}`);
        throw error;
      }
    },

    ...(redirectsDownloads && {
      downloadUrl: (blobKey, { contentType, contentDisposition, cacheControl }) => {
        const headers = {
          ResponseContentType: contentType,
          ResponseContentDisposition: contentDisposition,
          ResponseCacheControl: cacheControl,
        };
        const command = new GetObjectCommand({ ...objects.object(nameOf(blobKey)), ...headers });
        return getSignedUrl(client, command, { expiresIn: urlSeconds });
      },
    }),

    async delete(blobKey) {
      const name = nameOf(blobKey);
      if ((await marksOf(blobKey)).length === 0) await objects.remove(name);
    },

    async *list() {
      // Both lists have the same order, so one pass over both finds the blobs without a mark.
      const quarantined = marks()[Symbol.asyncIterator]();
      let mark = await quarantined.next();
      for await (const { name, size, modifiedAt } of objects.list('blobs/')) {
        const blobKey = name.slice('blobs/'.length);
        while (!mark.done && mark.value.blobKey < blobKey) mark = await quarantined.next();
        if (isBlobKey(blobKey) && (mark.done || mark.value.blobKey !== blobKey))
          yield { blobKey, size, modifiedAt };
      }
    },

    collectUnfinished: (olderThan) => abortOldUploads(client, objects.object('blobs/'), olderThan),

    async check() {
      await client.send(new PutObjectCommand({ ...objects.object('probe'), Body: 'probe' }));
      await objects.remove('probe');
    },
  };
}

function markerObject({ client, object, create }: S3Objects, location: string): Marker {
  const read = async () => {
    try {
      const { Body } = await client.send(new GetObjectCommand(object('store-id')));
      return (await text(stallable(Body as Readable))).trim();
    } catch (error) {
      if (hasCode(error, 'NoSuchKey')) return undefined;
      throw error;
    }
  };
  return {
    location,
    settings: 'S3_BUCKET and S3_PREFIX',
    read,
    async create(id) {
      await create('store-id', `${id}\n`);
      return (await read()) ?? '';
    },
    async replace(id) {
      await client.send(new PutObjectCommand({ ...object('store-id'), Body: `${id}\n` }));
    },
  };
}

/** The stream, which fails if the next bytes do not arrive in time. It may wait for its reader for any time. */
function stallable(stream: Readable): Readable {
  let timer: NodeJS.Timeout | undefined;
  const result = new Readable({
    read() {
      timer ??= setTimeout(() => stream.destroy(new Error('The store stopped sending.')), stallMilliseconds);
      stream.resume();
    },
    destroy(error, done) {
      clearTimeout(timer);
      stream.destroy();
      done(error);
    },
  });
  stream.pause();
  stream.on('data', (chunk: Buffer) => {
    clearTimeout(timer);
    timer = undefined;
    if (!result.push(chunk)) stream.pause();
  });
  stream.on('end', () => result.push(null));
  stream.on('error', (error) => result.destroy(new BlobsUnavailable(error)));
  return result;
}
