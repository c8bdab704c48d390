import type { RawBuilder } from 'kysely';
import type { Database } from './database.ts';

/** Rows deleted in one statement: a backlog of any size stays below the statement timeout. */
const batchSize = 1_000;

/**
 * Deletes rows batch by batch, until there are no more.
 *
 * @param deleteSome a DELETE of at most `limit` rows
 */
export async function deleteInBatches(
  database: Database,
  deleteSome: (limit: number) => RawBuilder<unknown>,
): Promise<void> {
  for (;;) {
    const { numAffectedRows = 0n } = await deleteSome(batchSize).execute(database);
    if (numAffectedRows < batchSize) return;
  }
}
