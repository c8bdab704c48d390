import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { BlobStore } from '../../blobs/index.ts';
import type { NewResult } from '../store/executions.ts';

const day = 86_400_000;
/** How long results and history are kept after the end of an execution. */
export const retentionMilliseconds = 30 * day;

/** Larger results are served by a signed URL. */
export const inlineBytes = 9_000_000;

/** Smaller results, which most are, are stored in their rows, to avoid a blob for each. */
const rowBytes = 65_536;

/** Stores the JSON of a result as it will be served. */
export async function storeResult(blobs: Pick<BlobStore, 'write'>, text: string): Promise<NewResult> {
  const size = Buffer.byteLength(text);
  if (size > rowBytes) return blobs.write(Readable.from(chunksOf(text), { objectMode: false }));
  const bytes = Buffer.from(text);
  return { bytes, size, sha256: createHash('sha256').update(bytes).digest() };
}

const chunkLength = 1 << 18;

/** Splits text into UTF-8 chunks without splitting characters. */
function* chunksOf(text: string): Generator<Buffer> {
  for (let start = 0; start < text.length; ) {
    let end = Math.min(start + chunkLength, text.length);
    const last = text.charCodeAt(end - 1);
    if (end < text.length && last >= 0xd800 && last <= 0xdbff) end += 1;
    yield Buffer.from(text.slice(start, end));
    start = end;
  }
}
