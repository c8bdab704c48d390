import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { BlobsUnavailable, BlobTooLarge } from './blob-store.ts';

/** Bytes of one write. A socket gives 64 KiB at a time; written one by one they halve the speed. */
const blockSize = 1 << 20;
/** Chunks of one write: a client that sends single bytes must not make us hold a million of them. */
const blockChunks = 512;

/**
 * Writes a stream to a file. While one block is on its way to the disk the next is received and hashed; no
 * more than these two are held.
 */
export async function copyToFile(
  source: Readable,
  file: FileHandle,
  limit: number,
): Promise<{ size: number; sha256: Buffer }> {
  const hash = createHash('sha256');
  let size = 0;
  let block: Buffer[] = [];
  let blockBytes = 0;
  let written: Promise<void> = Promise.resolve();
  const flush = async () => {
    await written;
    written = writeAll(file, block);
    // Awaited by the next flush; until then its failure is not an unhandled one.
    written.catch(() => {});
    block = [];
    blockBytes = 0;
  };
  const take = (chunk: Buffer): Promise<void> | undefined => {
    size += chunk.length;
    if (size > limit) throw new BlobTooLarge(limit);
    hash.update(chunk);
    block.push(chunk);
    blockBytes += chunk.length;
    return blockBytes >= blockSize || block.length >= blockChunks ? flush() : undefined;
  };
  try {
    for await (const chunk of source as AsyncIterable<Buffer>) {
      try {
        await take(chunk);
      } catch (error) {
        // Whoever listens to the source is told why; leaving the loop alone would tell them of an AbortError.
        source.destroy(error as Error);
        throw error;
      }
    }
    await flush();
  } finally {
    await written;
  }
  return { size, sha256: hash.digest() };
}

async function writeAll(file: FileHandle, chunks: Buffer[]): Promise<void> {
  let rest = chunks;
  try {
    while (rest.length > 0) {
      const { bytesWritten } = await file.writev(rest);
      rest = after(rest, bytesWritten);
    }
  } catch (error) {
    throw new BlobsUnavailable(error);
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
