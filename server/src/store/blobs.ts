import { sql } from 'kysely';
import type { Database } from './database.ts';

/** `named`: a row refers to the blob. `deleted`: the row that referred to it was deleted. */
export type BlobStatus = 'named' | 'deleted';

/**
 * The status of each blob that the database knows. Blobs that it never recorded, or that the sweeper has removed, are
 * missing from the map.
 */
export async function blobStatuses(database: Database, blobKeys: string[]): Promise<Map<string, BlobStatus>> {
  const { rows } = await sql<{ blobKey: string; status: BlobStatus }>`
    select blob_key as "blobKey", 'deleted' as status from deleted_blobs where blob_key = any(${blobKeys})
    union all select blob_key, 'named' from resources where blob_key = any(${blobKeys})
    union all select blob_key, 'named' from attachments where blob_key = any(${blobKeys})
    union all select result_blob_key, 'named' from executions where result_blob_key = any(${blobKeys})
    order by status`.execute(database);
  // If both apply, the row that refers to the blob comes last and takes precedence.
  return new Map(rows.map(({ blobKey, status }) => [blobKey, status]));
}

/** The SHA-256 of each blob that a row refers to. */
export async function blobDigests(database: Database, blobKeys: string[]): Promise<Map<string, Buffer>> {
  const { rows } = await sql<{ blobKey: string; sha256: Buffer }>`
    select blob_key as "blobKey", sha256 from resources where blob_key = any(${blobKeys})
    union all select blob_key, sha256 from attachments where blob_key = any(${blobKeys})
    union all select result_blob_key, result_sha256 from executions where result_blob_key = any(${blobKeys})`.execute(
    database,
  );
  return new Map(rows.map(({ blobKey, sha256 }) => [blobKey, sha256]));
}

/** Blobs whose rows were deleted, ordered by key. */
export async function deletedBlobs(
  database: Database,
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  const rows = await database
    .selectFrom('deleted_blobs')
    .select('blob_key')
    .where('blob_key', '>', after)
    .orderBy('blob_key')
    .limit(limit)
    .execute();
  return rows.map((row) => row.blob_key);
}

export async function countDeletedBlobs(database: Database): Promise<number> {
  const { count } = await database
    .selectFrom('deleted_blobs')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

export async function removeDeletedBlobEntries(database: Database, blobKeys: string[]): Promise<void> {
  await sql`delete from deleted_blobs where blob_key = any(${blobKeys})`.execute(database);
}

/** The id of the database's blob store. `bound`: the store is known to carry the id. */
export interface BlobStoreId {
  id: string;
  bound: boolean;
}

export async function findBlobStoreId(database: Database): Promise<BlobStoreId | undefined> {
  const row = await database.selectFrom('blob_store').select(['id', 'bound_at']).executeTakeFirst();
  return row && { id: row.id, bound: row.bound_at !== null };
}

/** Sets the id if the database has none; of concurrent callers one wins. @returns the resulting id */
export async function proposeBlobStoreId(database: Database, id: string): Promise<string> {
  await database
    .insertInto('blob_store')
    .values({ id })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const { id: winner } = await database.selectFrom('blob_store').select('id').executeTakeFirstOrThrow();
  return winner;
}

/** Replaces the id with one that is not bound yet. */
export async function replaceBlobStoreId(database: Database, id: string): Promise<void> {
  await database
    .insertInto('blob_store')
    .values({ id })
    .onConflict((conflict) => conflict.column('single').doUpdateSet({ id, bound_at: null }))
    .execute();
}

export async function confirmBlobStoreId(database: Database, id: string): Promise<void> {
  await sql`update blob_store set bound_at = now() where id = ${id} and bound_at is null`.execute(database);
}
