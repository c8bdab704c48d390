import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { type Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { BlobsUnavailable, BlobTooLarge } from './blob-store.ts';

/** Bytes of one write. A socket gives 64 KiB at a time; written one by one they halve the speed. */
const blockSize = 1 << 20;
/** Chunks of one write: a client that sends single bytes must not make us hold a million of them. */
const blockChunks = 512;
/** Bytes after which the disk is set to work, so that the caller does not wait for a gigabyte at the end. */
const syncSize = 32 << 20;

/**
 * Writes a stream to a file and the file to the disk. While one block is written the next is received and
 * hashed; no more than these two are held.
 *
 * @param limit bytes at most
 * @throws BlobTooLarge, BlobsUnavailable, or what the source fails with
 */
export async function copyToFile(
  source: Readable,
  file: FileHandle,
  limit: number,
): Promise<{ size: number; sha256: Buffer }> {
  const hash = createHash('sha256');
  const writer = blockWriter(file);
  let size = 0;
  const take = async (chunk: Buffer) => {
    size += chunk.length;
    if (size > limit) throw new BlobTooLarge(limit);
    hash.update(chunk);
    await writer.take(chunk);
  };
  // Not a loop over the source: reading it that way copies all that it holds into one buffer each time.
  const sink = new Writable({
    highWaterMark: blockSize,
    write: (chunk: Buffer, _encoding, done) => void take(chunk).then(() => done(), done),
    final: (done) => void writer.flush().then(() => done(), done),
  });
  try {
    await pipeline(source, sink);
  } finally {
    await writer.settled();
  }
  await storing(file.sync());
  return { size, sha256: hash.digest() };
}

/** Gathers chunks into blocks and writes these one after the other. */
function blockWriter(file: FileHandle) {
  let block: Buffer[] = [];
  let blockBytes = 0;
  let unsynced = 0;
  let written: Promise<void> = Promise.resolve();
  // The system tells of a failure to sync once: it is kept, as the sync at the end would know nothing of it.
  let synced: Promise<void> = Promise.resolve();
  let syncing = false;
  const sync = () => {
    unsynced = 0;
    syncing = true;
    synced = synced
      .then(() => storing(file.datasync()))
      .finally(() => {
        syncing = false;
      });
    synced.catch(() => {});
  };

  const flush = async () => {
    await written;
    unsynced += blockBytes;
    written = storing(writeAll(file, block));
    block = [];
    blockBytes = 0;
    // The next flush awaits it; until then its failure is not an unhandled one.
    written.catch(() => {});
    if (unsynced >= syncSize && !syncing) sync();
  };

  return {
    flush,
    take(chunk: Buffer): Promise<void> | undefined {
      block.push(chunk);
      blockBytes += chunk.length;
      return blockBytes >= blockSize || block.length >= blockChunks ? flush() : undefined;
    },
    /** Nothing touches the file any more; a failure so far is thrown. */
    async settled(): Promise<void> {
      const [first, second] = await Promise.allSettled([written, synced]);
      for (const end of [first, second]) if (end.status === 'rejected') throw end.reason;
    },
  };
}

async function writeAll(file: FileHandle, chunks: Buffer[]): Promise<void> {
  let rest = chunks;
  while (rest.length > 0) {
    const { bytesWritten } = await file.writev(rest);
    rest = after(rest, bytesWritten);
  }
}

/** What is left of chunks once their first bytes are gone: a nearly full disk takes a part. */
function after(chunks: Buffer[], bytes: number): Buffer[] {
  let at = 0;
  let left = bytes;
  for (let next = chunks[at]; next && next.length <= left; next = chunks[at]) {
    left -= next.length;
    at++;
  }
  const partial = chunks[at];
  return partial ? [partial.subarray(left), ...chunks.slice(at + 1)] : [];
}

/** Marks a failure as the store's. */
export async function storing<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw new BlobsUnavailable(error);
  }
}
