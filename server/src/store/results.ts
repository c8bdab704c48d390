import { sql } from 'kysely';
import type { StoredFile } from '../domain/stored-file.ts';
import type { Database } from './database.ts';

export interface StoredResult {
  blobKey: string;
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
    select result_blob_key as "blobKey", result_size as size, result_sha256 as sha256, ended_at as "endedAt"
    from executions where id = ${executionId} and result_blob_key is not null and ended_at > ${since}
  `.execute(database);
  return rows[0];
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
    .set({ result_blob_key: null })
    .where('result_blob_key', 'is not', null)
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
  const { blobKey, size, sha256, endedAt } = result;
  const name = `result-${executionId}.json`;
  return { blobKey, name, contentType: 'application/json', size, sha256, storedAt: endedAt };
}
