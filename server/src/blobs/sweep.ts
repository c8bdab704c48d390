import type { Database } from '../store/database.ts';
import { namedBlobs } from '../store/named-blobs.ts';
import type { BlobStore } from './blob-store.ts';

/** Blobs looked up in one query. */
const batchSize = 500;

/**
 * Deletes the blobs that no row names: uploads whose request failed after the bytes were stored, and files
 * whose row is deleted.
 *
 * @param olderThan spares younger blobs. A row comes after its bytes: leave it an hour.
 * @returns how many blobs were deleted
 */
export async function sweepBlobs({
  blobs,
  database,
  olderThan,
}: {
  blobs: Pick<BlobStore, 'list' | 'delete'>;
  database: Database;
  olderThan: Date;
}): Promise<number> {
  let deleted = 0;
  let batch: string[] = [];
  const sweep = async () => {
    const named = await namedBlobs(database, batch);
    const nobodys = batch.filter((blobKey) => !named.has(blobKey));
    for (const blobKey of nobodys) await blobs.delete(blobKey);
    deleted += nobodys.length;
    batch = [];
  };
  for await (const { blobKey, modifiedAt } of blobs.list()) {
    if (modifiedAt >= olderThan) continue;
    batch.push(blobKey);
    if (batch.length === batchSize) await sweep();
  }
  if (batch.length > 0) await sweep();
  return deleted;
}
