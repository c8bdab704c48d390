import { sql } from 'kysely';
import type { Database } from './database.ts';

/** What the database knows of a blob: that a row names it, or that its row was deleted. */
export type BlobStatus = 'named' | 'deleted';

/**
 * The status of each blob that the database knows. A blob that is missing from the map was never known, or the
 * sweeper is done with it.
 */
export async function blobStatuses(database: Database, blobKeys: string[]): Promise<Map<string, BlobStatus>> {
  const { rows } = await sql<{ blobKey: string; status: BlobStatus }>`
    select blob_key as "blobKey", 'deleted' as status from deleted_blobs where blob_key = any(${blobKeys})
    union all select blob_key, 'named' from resources where blob_key = any(${blobKeys})
    union all select blob_key, 'named' from attachments where blob_key = any(${blobKeys})
    union all select result_blob_key, 'named' from executions where result_blob_key = any(${blobKeys})
    order by status`.execute(database);
  // Where both are true the row that names it comes last, and counts.
  return new Map(rows.map(({ blobKey, status }) => [blobKey, status]));
}

/** Blobs whose rows were deleted, in the order of their keys. */
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

export async function forgetDeletedBlobs(database: Database, blobKeys: string[]): Promise<void> {
  await sql`delete from deleted_blobs where blob_key = any(${blobKeys})`.execute(database);
}

/** The blob store that the database belongs to. `bound`: that store is known to carry the id. */
export interface BlobStoreId {
  id: string;
  bound: boolean;
}

export async function findBlobStoreId(database: Database): Promise<BlobStoreId | undefined> {
  const row = await database.selectFrom('blob_store').select(['id', 'bound_at']).executeTakeFirst();
  return row && { id: row.id, bound: row.bound_at !== null };
}

/** Gives the database an id unless it has one. Of concurrent callers one wins. @returns the id it then has */
export async function proposeBlobStoreId(database: Database, id: string): Promise<string> {
  await database
    .insertInto('blob_store')
    .values({ id })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const { id: winner } = await database.selectFrom('blob_store').select('id').executeTakeFirstOrThrow();
  return winner;
}

/** Gives the database another id, which is not bound yet. */
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
