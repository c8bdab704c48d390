import { sql } from 'kysely';
import type { StoredFile } from '../domain/stored-file.ts';
import type { Database } from './database.ts';

export interface StoredResult {
  /** Empty where the bytes are in the row. */
  blobKey: string;
  bytes?: Buffer | undefined;
  /** Bytes. */
  size: number;
  sha256: Buffer;
  endedAt: Date;
}

/** @param since results of executions that ended before are not given any more */
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
 * Forgets results, and how they came about, of executions that ended before. The bytes, which no row names
 * any more, are the sweeper's.
 *
 * @returns how many results it were
 */
export async function forgetResults(database: Database, endedBefore: Date): Promise<number> {
  const { numUpdatedRows } = await database
    .updateTable('executions')
    .set({ result_blob_key: null, result_bytes: null, result_size: null, result_sha256: null })
    .where('result_size', 'is not', null)
    .where('ended_at', '<=', endedBefore)
    .executeTakeFirst();
  await sql`delete from execution_history h using executions e
    where e.id = h.execution_id and e.ended_at <= ${endedBefore}`.execute(database);
  return Number(numUpdatedRows);
}

/** A result as a file, for whoever has a link to it. */
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
