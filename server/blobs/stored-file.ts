import { Readable } from 'node:stream';
import type { BlobStore } from './blob-store.ts';
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
