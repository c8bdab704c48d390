import { Readable } from 'node:stream';
import type { BlobStore, WrittenBlob } from './blob-store.ts';
import type { ByteRange } from './byte-ranges.ts';

/** A file whose bytes are in the blob store or, if small, in its row. */
export interface StoredFile {
  /** Empty if the bytes are in the row. */
  blobKey: string;
  bytes?: Buffer | undefined;
  /** The file name as uploaded, in Unicode NFC. */
  name: string;
  contentType: string;
  /** Bytes. */
  size: number;
  sha256: Buffer;
  /** When it was stored; absent for a new file. */
  storedAt?: Date;
}

/**
 * Opens a stored file or a range of it, whether its bytes are in the blob store or in its row.
 *
 * @throws BlobMissing like `BlobStore.read`
 */
export async function readStored(
  blobs: Pick<BlobStore, 'read'>,
  { blobKey, bytes }: Pick<StoredFile, 'blobKey' | 'bytes'>,
  range?: ByteRange,
): Promise<Readable> {
  if (!bytes) return blobs.read(blobKey, range);
  return Readable.from([range ? bytes.subarray(range.start, range.end + 1) : bytes], { objectMode: false });
}

const stored = Symbol('stored JSON');

/** Stored JSON text, which is sent as it is and never parsed. */
export interface StoredJson extends Pick<StoredFile, 'blobKey' | 'bytes' | 'size'> {
  [stored]: true;
}

export function storedJson({ blobKey, bytes, size }: Omit<StoredJson, typeof stored>): StoredJson {
  return { [stored]: true, blobKey, bytes, size };
}

/** A symbol, so that no JSON of a caller can be mistaken for it. */
export function isStoredJson(body: unknown): body is StoredJson {
  return typeof body === 'object' && body !== null && stored in body;
}

/** Stores a text of any length as UTF-8. */
export function writeText(blobs: Pick<BlobStore, 'write'>, text: string): Promise<WrittenBlob> {
  return blobs.write(Readable.from(chunksOf(text), { objectMode: false }));
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
