import { Readable } from 'node:stream';
import type { BlobStore, ByteRange } from '../../blobs/index.ts';
import type { StoredFile } from '../domain/stored-file.ts';

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
