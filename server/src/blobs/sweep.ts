import type { Kysely } from 'kysely';
import type { Schema } from '../store/schema.ts';
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
  database: Kysely<Schema>;
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

async function namedBlobs(database: Kysely<Schema>, blobKeys: string[]): Promise<Set<string>> {
  const rows = await database
    .selectFrom('resources')
    .select('blob_key')
    .where('blob_key', 'in', blobKeys)
    .unionAll(database.selectFrom('attachments').select('blob_key').where('blob_key', 'in', blobKeys))
    .unionAll(
      database
        .selectFrom('executions')
        .select('result_blob_key as blob_key')
        .where('result_blob_key', 'in', blobKeys)
        .$narrowType<{ blob_key: string }>(),
    )
    .execute();
  return new Set(rows.map((row) => row.blob_key));
}
