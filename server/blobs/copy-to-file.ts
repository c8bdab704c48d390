import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { type Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { BlobsUnavailable, BlobTooLarge } from './blob-store.ts';

/** Bytes per write. The chunks of a socket have 64 KiB: writing each on its own halves the speed. */
const blockSize = 1 << 20;
/** Chunks per write: a client that sends single bytes must not make this buffer a million of them. */
const maxBlockChunks = 512;
/** Bytes per sync while writing, so that the final sync does not have to flush a whole large file. */
const syncInterval = 32 << 20;

/**
 * Writes a stream to a file and syncs it to disk. While one block is written, the next is received and hashed; at most
 * these two are in memory.
 *
 * @param limit maximum size in bytes
 * @throws BlobTooLarge, BlobsUnavailable, or the error of the source
 */
export async function copyToFile(
  source: Readable,
  file: FileHandle,
  limit: number,
): Promise<{ size: number; sha256: Buffer }> {
  const hash = createHash('sha256');
  const writer = blockWriter(file);
  let size = 0;
  const write = async (chunk: Buffer) => {
    size += chunk.length;
    if (size > limit) throw new BlobTooLarge(limit);
    hash.update(chunk);
    await writer.write(chunk);
  };
  // Not `for await`: it would copy all buffered chunks of the source into one buffer each time.
  const sink = new Writable({
    highWaterMark: blockSize,
    write: (chunk: Buffer, _encoding, done) => void write(chunk).then(() => done(), done),
    final: (done) => void writer.flush().then(() => done(), done),
  });
  try {
    await pipeline(source, sink);
  } finally {
    await writer.settled();
  }
  await orUnavailable(file.sync());
  return { size, sha256: hash.digest() };
}

/** Combines chunks into blocks and writes one block at a time. */
function blockWriter(file: FileHandle) {
  let block: Buffer[] = [];
  let blockBytes = 0;
  let unsynced = 0;
  let written: Promise<void> = Promise.resolve();
  // The system reports a failed sync only once: a later sync succeeds, so this error must be kept.
  let synced: Promise<void> = Promise.resolve();
  let syncing = false;
  const sync = () => {
    unsynced = 0;
    syncing = true;
    synced = synced
      .then(() => orUnavailable(file.datasync()))
      .finally(() => {
        syncing = false;
      });
    synced.catch(() => {});
  };

  const flush = async () => {
    await written;
    unsynced += blockBytes;
    written = orUnavailable(writeAll(file, block));
    block = [];
    blockBytes = 0;
    // Handled by the next flush or by `settled`.
    written.catch(() => {});
    if (unsynced >= syncInterval && !syncing) sync();
  };

  return {
    flush,
    write(chunk: Buffer): Promise<void> | undefined {
      block.push(chunk);
      blockBytes += chunk.length;
      return blockBytes >= blockSize || block.length >= maxBlockChunks ? flush() : undefined;
    },
    /** Waits until nothing uses the file. @throws the first error so far */
    async settled(): Promise<void> {
      const [first, second] = await Promise.allSettled([written, synced]);
      for (const result of [first, second]) if (result.status === 'rejected') throw result.reason;
    },
  };
}

async function writeAll(file: FileHandle, chunks: Buffer[]): Promise<void> {
  let rest = chunks;
  while (rest.length > 0) {
    const { bytesWritten } = await file.writev(rest);
    rest = skipBytes(rest, bytesWritten);
  }
}

/** The chunks without their first bytes. A nearly full disk accepts only part of a write. */
function skipBytes(chunks: Buffer[], bytes: number): Buffer[] {
  let left = bytes;
  for (const [index, chunk] of chunks.entries()) {
    if (left < chunk.length) return [chunk.subarray(left), ...chunks.slice(index + 1)];
    left -= chunk.length;
  }
  return [];
}

/** Rejects with BlobsUnavailable if the operation fails. */
export function orUnavailable<Result>(operation: Promise<Result>): Promise<Result> {
  return operation.catch((error) => {
    throw new BlobsUnavailable(error);
  });
}
