import { blobDirectory, type Config, type EnvironmentName } from '../src/config.ts';
import type { BlobStore } from './blob-store.ts';
import { openLocalBlobs } from './local.ts';

/**
 * Opens the blob store of an environment that the settings select: a directory, or a bucket.
 *
 * @throws BlobsUnavailable if the directory cannot be created
 */
export async function openBlobs(
  { dataDirectory, s3 }: Pick<Config, 'dataDirectory' | 's3'>,
  environment: EnvironmentName,
): Promise<BlobStore> {
  if (!s3) return openLocalBlobs(blobDirectory(dataDirectory, environment));
  // Loaded only if it is used: the SDK takes a tenth of a second and 23 MiB.
  const { openS3Blobs } = await import('./s3.ts');
  return openS3Blobs(s3, environment);
}
