import type { Kysely, RawBuilder } from 'kysely';

/** Rows deleted by one statement, which keeps any backlog below the statement timeout. */
export const batchSize = 1_000;
/** Rows read by one statement: parsing them blocks the event loop for about 10 ms. */
const readSize = 500;

/**
 * Deletes rows in batches until none are left.
 *
 * @param deleteSome a DELETE of at most `limit` rows
 * @returns the number of deleted rows
 */
export async function deleteInBatches<Schema>(
  database: Kysely<Schema>,
  deleteSome: (limit: number) => RawBuilder<unknown>,
): Promise<number> {
  for (let deleted = 0; ; ) {
    const { numAffectedRows = 0n } = await deleteSome(batchSize).execute(database);
    deleted += Number(numAffectedRows);
    if (numAffectedRows < batchSize) return deleted;
  }
}

/**
 * Reads rows in batches, because parsing a long list at once would block the event loop.
 *
 * @param max the maximum number of rows
 * @param readSome reads at most `limit` rows after `last`, or from the first row if `last` is undefined
 */
export async function readInBatches<Row>(
  max: number,
  readSome: (last: Row | undefined, limit: number) => Promise<Row[]>,
): Promise<Row[]> {
  const all: Row[] = [];
  for (;;) {
    const limit = Math.min(readSize, max - all.length);
    const some = await readSome(all.at(-1), limit);
    all.push(...some);
    if (some.length < limit || all.length === max) return all;
  }
}
