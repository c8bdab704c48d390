import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { BlobStore } from '../blobs/blob-store.ts';
import type { NewResult } from '../store/executions.ts';

const day = 86_400_000;
/** Results, and the history of how they came about, are kept so long after the end. */
export const retentionMilliseconds = 30 * day;

/** Results above are served at an address of their own. */
export const inlineBytes = 9_000_000;

/** Smaller results stand in their rows: most are, and a blob for each would be as many files to keep and look after. */
const rowBytes = 65_536;

/** Stores what an execution produced, the JSON that will be served. */
export async function storeResult(blobs: Pick<BlobStore, 'write'>, text: string): Promise<NewResult> {
  const size = Buffer.byteLength(text);
  if (size > rowBytes) return blobs.write(Readable.from(chunksOf(text), { objectMode: false }));
  const bytes = Buffer.from(text);
  return { bytes, size, sha256: createHash('sha256').update(bytes).digest() };
}

const chunkLength = 1 << 18;

/** A text in pieces of UTF-8, none of which ends inside a character. */
function* chunksOf(text: string): Generator<Buffer> {
  for (let start = 0; start < text.length; ) {
    let end = Math.min(start + chunkLength, text.length);
    const last = text.charCodeAt(end - 1);
    if (end < text.length && last >= 0xd800 && last <= 0xdbff) end += 1;
    yield Buffer.from(text.slice(start, end));
    start = end;
  }
}
