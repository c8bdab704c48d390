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

/** Executions forgotten in one statement. */
const batchSize = 1_000;

/**
 * Forgets the results of executions that ended before, and how they came about. The bytes of large ones, which no
 * row names any more, are the sweeper's.
 *
 * @returns how many executions it were
 */
export async function forgetResults(database: Database, endedBefore: Date): Promise<number> {
  let count = 0;
  for (;;) {
    const { rows } = await sql<{ forgotten: number }>`
      with forgotten as (
        update executions set kept = false, result_blob_key = null, result_bytes = null, result_size = null,
          result_sha256 = null
        where id in (
          select id from executions where kept and ended_at <= ${endedBefore} limit ${batchSize} for update skip locked
        ) returning id
      ), history as (delete from execution_history h using forgotten where h.execution_id = forgotten.id)
      select count(*) as forgotten from forgotten`.execute(database);
    const forgotten = rows[0]?.forgotten ?? 0;
    count += forgotten;
    if (forgotten < batchSize) return count;
  }
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
