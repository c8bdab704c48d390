import type { BlobStore, S3Settings } from './blob-store.ts';
import { openLocalBlobs } from './local.ts';

/**
 * Opens a blob store: a directory, or a part of a bucket.
 *
 * @param directory of the blobs, unless there is a bucket
 * @param part the first segment of the keys of all objects in the bucket, after its prefix
 * @throws BlobsUnavailable if the directory cannot be created, or the bucket cannot be read
 */
export async function openBlobs(
  { directory, s3 }: { directory: string; s3: S3Settings | undefined },
  part: string,
): Promise<BlobStore> {
  if (!s3) return openLocalBlobs(directory);
  // Loaded only if it is used: the SDK takes a tenth of a second and 23 MiB.
  const { openS3Blobs } = await import('./s3.ts');
  return openS3Blobs(s3, part);
}
