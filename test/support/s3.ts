import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import type { S3Settings } from '../../server/blobs/index.ts';

/** Whether this run stores files in S3: `vitest run --project s3`. */
export const onS3 = (): boolean => inject('s3') !== undefined;

/** A new bucket, and the directory in which the service has its objects; undefined unless this run stores files in S3. */
export function givenBucket(): { s3: S3Settings; directory: string } | undefined {
  const gateway = inject('s3');
  if (!gateway) return undefined;
  const bucket = `test-${randomUUID()}`;
  const directory = join(gateway.directory, bucket);
  mkdirSync(directory);
  const { endpoint, credentials } = gateway;
  const s3 = { bucket, endpoint, credentials, region: 'us-east-1', prefix: '', forcePathStyle: true };
  return { s3: { ...s3, redirectsDownloads: false }, directory };
}
