import { Readable } from 'node:stream';
import type { BlobStore, WrittenBlob } from '../blobs/blob-store.ts';
import type { Json, JsonObject } from './machine/actions.ts';

const day = 86_400_000;
/** Results, and the history of how they came about, are kept so long after the end. */
export const retentionMilliseconds = 30 * day;

/** Results above are served at an address of their own. */
export const inlineBytes = 9_000_000;

export function isResult(output: Json): output is JsonObject {
  return typeof output === 'object' && output !== null && !Array.isArray(output);
}

/** Stores what an execution produced as the JSON that will be served. */
export function storeResult(blobs: Pick<BlobStore, 'write'>, output: JsonObject): Promise<WrittenBlob> {
  return blobs.write(Readable.from(chunksOf(JSON.stringify(output)), { objectMode: false }));
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
