import type { Database } from './database.ts';

/** Those of some blobs that a row names. */
export async function namedBlobs(database: Database, blobKeys: string[]): Promise<Set<string>> {
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
