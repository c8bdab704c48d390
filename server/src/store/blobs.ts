import { sql } from 'kysely';
import type { Database } from './database.ts';

/** `named`: a row refers to the blob. `deleted`: the row that referred to it was deleted. */
export type BlobStatus = 'named' | 'deleted';

/** The rows that refer to a blob. The columns of the first select name the others. */
const naming = sql`(
  select blob_key, 'resource' as kind, id, size, sha256 from resources where blob_key <> ''
  union all select blob_key, 'attachment', id, size, sha256 from attachments where blob_key <> ''
  union all select result_blob_key, 'result', id, result_size, result_sha256 from executions
    where result_blob_key is not null
  union all select blob_key, 'history', execution_id, size, sha256 from history_values)`;

/** A row and its blob. */
export interface BlobRow {
  kind: 'resource' | 'attachment' | 'result' | 'history';
  /** Of the resource, the attachment or the execution. */
  id: string;
  blobKey: string;
  /** Bytes. */
  size: number;
}

/**
 * The status of each blob that the database knows. Blobs that it never recorded, or that the sweeper has removed, are
 * missing from the map.
 */
export async function blobStatuses(database: Database, blobKeys: string[]): Promise<Map<string, BlobStatus>> {
  const { rows } = await sql<{ blobKey: string; status: BlobStatus }>`
    select blob_key as "blobKey", 'deleted' as status from deleted_blobs where blob_key = any(${blobKeys})
    union all select blob_key, 'named' from ${naming} as naming where blob_key = any(${blobKeys})
    order by status`.execute(database);
  // If both apply, the row that refers to the blob comes last and takes precedence.
  return new Map(rows.map(({ blobKey, status }) => [blobKey, status]));
}

/** The SHA-256 of each blob that a row refers to. */
export async function blobDigests(database: Database, blobKeys: string[]): Promise<Map<string, Buffer>> {
  const { rows } = await sql<{ blobKey: string; sha256: Buffer }>`
    select blob_key as "blobKey", sha256 from ${naming} as naming where blob_key = any(${blobKeys})`.execute(
    database,
  );
  return new Map(rows.map(({ blobKey, sha256 }) => [blobKey, sha256]));
}

/** A list of the blobs of a store, in a temporary table of a connection, so that the database compares it with its rows. */
export const storeListing = (connection: Database) => ({
  async create(): Promise<void> {
    await sql`create temporary table listed_blobs (blob_key text, size bigint, modified_at timestamptz)`.execute(
      connection,
    );
  },

  /** @param modifiedAt undefined in quarantine */
  async add(blobs: { blobKey: string; size: number; modifiedAt?: Date }[]): Promise<void> {
    const [keys, sizes] = [blobs.map(({ blobKey }) => blobKey), blobs.map(({ size }) => size)];
    const times = blobs.map(({ modifiedAt }) => modifiedAt ?? null);
    await sql`insert into listed_blobs
      select * from unnest(${keys}::text[], ${sizes}::bigint[], ${times}::timestamptz[])`.execute(connection);
  },

  /** The rows whose blobs are not listed, or have another size, at most `limit`, and the number of all. */
  async missing(limit: number): Promise<{ total: number; rows: BlobRow[] }> {
    await sql`analyze listed_blobs`.execute(connection);
    return counted(
      await sql<BlobRow & { total: number }>`
        select kind, id, blob_key as "blobKey", size::float8 as size, (count(*) over ())::int as total
        from ${naming} as naming
        where not exists (
          select from listed_blobs where listed_blobs.blob_key = naming.blob_key and listed_blobs.size = naming.size)
        order by blob_key limit ${limit}`.execute(connection),
    );
  },

  /** The listed blobs that no row refers to or referred to, the same way. */
  async unknown(
    modifiedBefore: Date,
    limit: number,
  ): Promise<{ total: number; rows: Pick<BlobRow, 'blobKey' | 'size'>[] }> {
    return counted(
      await sql<{ blobKey: string; size: number; total: number }>`
        select blob_key as "blobKey", size::float8 as size, (count(*) over ())::int as total from listed_blobs
        where modified_at < ${modifiedBefore}
          and not exists (select from ${naming} as naming where naming.blob_key = listed_blobs.blob_key)
          and not exists (select from deleted_blobs where deleted_blobs.blob_key = listed_blobs.blob_key)
        order by blob_key limit ${limit}`.execute(connection),
    );
  },
});

function counted<Row extends { total: number }>({ rows }: { rows: Row[] }) {
  return { total: rows[0]?.total ?? 0, rows: rows.map(({ total: _, ...row }) => row) };
}

/** Rows and their blobs, ordered by key. */
export async function blobRows(
  database: Database,
  { after, limit }: { after: string; limit: number },
): Promise<(BlobRow & { sha256: Buffer })[]> {
  const { rows } = await sql<BlobRow & { sha256: Buffer }>`
    select kind, id, blob_key as "blobKey", size::float8 as size, sha256 from ${naming} as naming
    where blob_key > ${after} order by blob_key limit ${limit}`.execute(database);
  return rows;
}

// Arbitrary, but unique among the advisory locks of the database.
const backupLock = 7_203_119;

/** Keeps the files of deleted rows while a backup runs, so that it has the files of all its rows. */
export async function keepDeletedBlobs<Result>(
  database: Database,
  run: (connection: Database) => Promise<Result>,
): Promise<Result> {
  return database.connection().execute(async (connection) => {
    await sql`select pg_advisory_lock_shared(${sql.lit(backupLock)})`.execute(connection);
    try {
      return await run(connection);
    } finally {
      await sql`select pg_advisory_unlock_shared(${sql.lit(backupLock)})`.execute(connection);
    }
  });
}

/** Blobs whose rows were deleted, ordered by key; none while a backup runs. */
export async function deletedBlobs(
  database: Database,
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  // If the lock is not there yet, the backup begins after this statement, and its rows are without the deleted ones.
  const { rows } = await sql<{ blobKey: string }>`
    select blob_key as "blobKey" from deleted_blobs
    where blob_key > ${after} and not exists (
      select from pg_locks
      where locktype = 'advisory' and classid = 0 and objid = ${sql.lit(backupLock)} and granted
        and database = (select oid from pg_database where datname = current_database()))
    order by blob_key limit ${limit}`.execute(database);
  return rows.map(({ blobKey }) => blobKey);
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
