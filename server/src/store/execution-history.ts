import { sql } from 'kysely';
import type { StoredFile } from '../../blobs/index.ts';
import type { Database } from './database.ts';
import type { HistoryEntry } from './threads.ts';

export interface ThreadHistoryEntry extends HistoryEntry {
  threadId: string;
  /** Grows with every entry of the execution. */
  sequence: number;
}

/** Entries read by one statement: each has up to 256 KiB of values. */
const readSize = 100;

/** The history of an execution so far, in order. Reads a batch at a time: all of it can be gigabytes. */
export async function* historyOf(
  database: Database,
  executionId: string,
): AsyncGenerator<ThreadHistoryEntry, void> {
  for (let after = 0; ; ) {
    const entries = await historyAfter(database, executionId, { after, size: readSize });
    yield* entries;
    after = entries.at(-1)?.sequence ?? after;
    if (entries.length < readSize) return;
  }
}

/** The oldest history entries of an execution after one. @param after its sequence; 0: from the beginning */
export async function historyAfter(
  database: Database,
  executionId: string,
  { after, size }: { after: number; size: number },
): Promise<ThreadHistoryEntry[]> {
  const { rows } = await sql<ThreadHistoryEntry>`
    select sequence, thread_id as "threadId", at, kind, state, detail from execution_history
    where execution_id = ${executionId} and sequence > ${after} order by sequence limit ${size}`.execute(
    database,
  );
  return rows;
}

/** A value of the history that is not in its row. */
export type LargeValue = Pick<StoredFile, 'blobKey' | 'size' | 'sha256'>;

/** The values of an execution's history, and how many bytes they have together. */
export async function largeValuesOf(
  database: Database,
  executionId: string,
): Promise<{ digests: Set<string>; bytes: number }> {
  const { rows } = await sql<{ sha256: Buffer; size: number }>`
    select sha256, size::float8 as size from history_values where execution_id = ${executionId}`.execute(
    database,
  );
  return {
    digests: new Set(rows.map(({ sha256 }) => sha256.toString('hex'))),
    bytes: rows.reduce((sum, { size }) => sum + size, 0),
  };
}

/** @returns false if the execution has the value already, or does not exist any more */
export async function insertLargeValue(
  database: Database,
  executionId: string,
  { blobKey, size, sha256 }: LargeValue,
): Promise<boolean> {
  const { rows } = await sql`
    insert into history_values (execution_id, sha256, blob_key, size)
    select id, ${sha256}, ${blobKey}, ${size} from executions where id = ${executionId}
    on conflict do nothing returning 1`.execute(database);
  return rows.length > 0;
}

export async function findLargeValue(
  database: Database,
  executionId: string,
  sha256: string,
): Promise<LargeValue | undefined> {
  const { rows } = await sql<LargeValue>`
    select blob_key as "blobKey", size::float8 as size, sha256 from history_values
    where execution_id = ${executionId} and sha256 = ${Buffer.from(sha256, 'hex')}`.execute(database);
  return rows[0];
}
