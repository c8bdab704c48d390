import type { RawBuilder } from 'kysely';
import type { Database } from './database.ts';

/** Rows deleted in one statement: a backlog of any size stays below the statement timeout. */
export const batchSize = 1_000;
/** Rows read in one statement: parsing them holds the event loop for some 10 ms. */
const readSize = 500;

/**
 * Deletes rows batch by batch, until there are no more.
 *
 * @param deleteSome a DELETE of at most `limit` rows
 * @returns how many were deleted
 */
export async function deleteInBatches(
  database: Database,
  deleteSome: (limit: number) => RawBuilder<unknown>,
): Promise<number> {
  for (let deleted = 0; ; ) {
    const { numAffectedRows = 0n } = await deleteSome(batchSize).execute(database);
    deleted += Number(numAffectedRows);
    if (numAffectedRows < batchSize) return deleted;
  }
}

/**
 * Reads rows batch by batch: parsing a long list at once would hold the event loop.
 *
 * @param most rows at most
 * @param readSome reads at most `limit` rows that come after `last`; from the first one where that is undefined
 */
export async function readInBatches<Row>(
  most: number,
  readSome: (last: Row | undefined, limit: number) => Promise<Row[]>,
): Promise<Row[]> {
  const all: Row[] = [];
  for (;;) {
    const limit = Math.min(readSize, most - all.length);
    const some = await readSome(all.at(-1), limit);
    all.push(...some);
    if (some.length < limit || all.length === most) return all;
  }
}
