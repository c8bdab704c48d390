import { createHash } from 'node:crypto';
import { addAbortSignal, type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  ListPartsCommand,
  type ListPartsCommandOutput,
  type PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { BlobTooLarge, type WriteOptions } from './blob-store.ts';

/** Bytes of each chunk of a part: a client that sends single bytes must not fill a part with millions of them. */
const blockSize = 64 << 10;
/** The smallest that S3 allows. 10,000 parts, which is the maximum, hold 48 GiB; an uploaded file has up to 5 GiB. */
const partSize = 5 << 20;
/** The maximum time for the removal of a failed upload. What is left is removed by `collectUnfinished` and the sweep. */
const removalMilliseconds = 2_500;

/**
 * Uploads a stream as one object: in one request if it is small, otherwise in parts. About four parts are in memory. If
 * this rejects, neither the object nor a part of it is left, and the source is destroyed.
 *
 * @throws BlobTooLarge, BlobsUnavailable, or the error of the source
 */
export async function uploadToS3(
  client: S3Client,
  object: { Bucket: string; Key: string },
  source: Readable,
  { signal, limit = Number.POSITIVE_INFINITY }: WriteOptions,
): Promise<{ size: number; sha256: Buffer }> {
  // Nothing else listens before the first read, which also reports an earlier error.
  source.on('error', () => {});
  if (signal) addAbortSignal(signal, source);
  const { body, measured } = measure(limit);
  const failed = new AbortController();
  // The first failure ends the other requests, and what waits for the source.
  const uploading: S3Client = Object.create(client, {
    send: {
      value: (command: PutObjectCommand) =>
        client.send(command, { abortSignal: failed.signal }).catch((error: Error) => {
          failed.abort(error);
          body.destroy(error);
          throw error;
        }),
    },
  });
  const params = { ...object, Body: body };
  const upload = new Upload({ client: uploading, params, partSize, queueSize: 2, leavePartsOnError: true });
  const copied = pipeline(source, body);
  copied.catch(() => {});
  try {
    // Not through its own abort signal, with which it would leave requests running.
    await upload.done();
    signal?.throwIfAborted();
    return measured();
  } catch (error) {
    source.destroy();
    // Whatever has failed, the store may have carried it out.
    const { uploadId } = upload;
    const parts = uploadId && client.send(new AbortMultipartUploadCommand({ ...object, UploadId: uploadId }));
    const removed = Promise.allSettled([parts, client.send(new DeleteObjectCommand(object))]);
    await Promise.race([removed, sleep(removalMilliseconds, undefined, { ref: false })]);
    throw error;
  }
}

/** Combines chunks into blocks, hashes and counts them. */
function measure(limit: number) {
  const hash = createHash('sha256');
  let size = 0;
  let block = Buffer.allocUnsafe(blockSize);
  let used = 0;
  const body = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      if (size > limit) return done(new BlobTooLarge(limit));
      hash.update(chunk);
      for (let start = 0; start < chunk.length; ) {
        const copied = chunk.copy(block, used, start);
        start += copied;
        used += copied;
        if (used < blockSize) break;
        this.push(block);
        block = Buffer.allocUnsafe(blockSize);
        used = 0;
      }
      done();
    },
    flush: (done) => done(null, block.subarray(0, used)),
  });
  return { body, measured: () => ({ size, sha256: hash.digest() }) };
}

/**
 * Aborts the uploads in parts of crashed processes: those that began before a time and have had no part since.
 *
 * @param below the bucket, and the beginning of the keys
 * @returns the number of aborted uploads
 */
export async function abortOldUploads(
  client: S3Client,
  { Bucket, Key: Prefix }: { Bucket: string; Key: string },
  olderThan: Date,
): Promise<number> {
  let aborted = 0;
  let after: { KeyMarker?: string | undefined; UploadIdMarker?: string | undefined } | undefined = {};
  while (after) {
    const page: ListMultipartUploadsCommandOutput = await client.send(
      new ListMultipartUploadsCommand({ Bucket, Prefix, ...after }),
    );
    for (const { Key, UploadId, Initiated } of page.Uploads ?? []) {
      const upload = { Bucket, Key, UploadId };
      if (!Initiated || Initiated >= olderThan || (await hasPartSince(client, upload, olderThan))) continue;
      await client.send(new AbortMultipartUploadCommand(upload));
      aborted++;
    }
    const { NextKeyMarker: KeyMarker, NextUploadIdMarker: UploadIdMarker } = page;
    after = page.IsTruncated ? { KeyMarker, UploadIdMarker } : undefined;
  }
  return aborted;
}

/** Not by the SDK's paginator, which never ends where the last page has a marker. */
async function hasPartSince(
  client: S3Client,
  upload: { Bucket: string; Key: string | undefined; UploadId: string | undefined },
  time: Date,
): Promise<boolean> {
  for (let PartNumberMarker: string | undefined; ; ) {
    const page: ListPartsCommandOutput = await client.send(
      new ListPartsCommand({ ...upload, PartNumberMarker }),
    );
    if (page.Parts?.some(({ LastModified }) => LastModified && LastModified >= time)) return true;
    if (!page.IsTruncated) return false;
    PartNumberMarker = page.NextPartNumberMarker;
  }
}
