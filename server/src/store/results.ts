import { sql } from 'kysely';
import type { StoredFile } from '../../blobs/index.ts';
import { batchSize, deleteInBatches } from '../../postgres-client/index.ts';
import type { Database } from './database.ts';
import { deleteCheckpoints, discardCheckpoints } from './stopped-threads.ts';

export interface StoredResult {
  /** Empty if the bytes are in the row. */
  blobKey: string;
  bytes?: Buffer | undefined;
  /** Bytes. */
  size: number;
  sha256: Buffer;
  endedAt: Date;
}

/** @param since results of executions that ended before are not returned */
export async function findResult(
  database: Database,
  executionId: string,
  since: Date,
): Promise<StoredResult | undefined> {
  const { rows } = await sql<StoredResult>`
    select coalesce(result_blob_key, '') as "blobKey", result_bytes as bytes, result_size as size,
      result_sha256 as sha256, ended_at as "endedAt"
    from executions where id = ${executionId} and result_size is not null and ended_at > ${since}
  `.execute(database);
  const [row] = rows;
  return row && { ...row, bytes: row.bytes ?? undefined };
}

/**
 * Deletes the results, the history and the checkpoints of executions that ended before a time. The sweeper removes the
 * blobs of large results and values.
 *
 * @returns the number of executions
 */
export async function deleteExpiredResults(database: Database, endedBefore: Date): Promise<number> {
  let count = 0;
  for (;;) {
    const ids = await discardCheckpoints(database, endedBefore, batchSize);
    await deleteCheckpoints(database, ids);
    // History is deleted in transactions of its own, because an execution can have thousands of entries.
    await deleteInBatches(
      database,
      (limit) => sql`
        with old as materialized (
          select execution_id, sequence from execution_history where execution_id = any(${ids}::uuid[]) limit ${limit})
        delete from execution_history h using old
        where h.execution_id = old.execution_id and h.sequence = old.sequence`,
    );
    await sql`delete from history_values where execution_id = any(${ids}::uuid[])`.execute(database);
    const { numAffectedRows } = await sql`
      update executions set kept = false, result_blob_key = null, result_bytes = null, result_size = null,
        result_sha256 = null
      where id = any(${ids}::uuid[]) and kept`.execute(database);
    count += Number(numAffectedRows ?? 0);
    if (ids.length < batchSize) return count;
  }
}

/** The result as a file, which a signed URL serves. */
export async function findResultFile(
  database: Database,
  executionId: string,
  since: Date,
): Promise<StoredFile | undefined> {
  const result = await findResult(database, executionId, since);
  if (!result) return undefined;
  const { blobKey, bytes, size, sha256, endedAt } = result;
  const name = `result-${executionId}.json`;
  return { blobKey, bytes, name, contentType: 'application/json', size, sha256, storedAt: endedAt };
}
