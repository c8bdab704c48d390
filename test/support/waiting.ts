import { sql } from 'kysely';
import { vi } from 'vitest';
import type { Database } from '../../server/src/store/database.ts';

/**
 * Holds a row while requests are begun, and lets go when all of them wait for it: so they meet in the middle
 * of their work, every time.
 *
 * @param meanwhile what is done while they wait
 * @returns what they gave, in their order
 */
export async function heldUp<Result>(
  database: Database,
  row: { table: 'organizations' | 'users' | 'workflow_definitions'; id: string },
  begin: () => PromiseLike<Result>[],
  meanwhile: () => Promise<unknown> = async () => {},
): Promise<Result[]> {
  const requests = await database.transaction().execute(async (transaction) => {
    await sql`select from ${sql.table(row.table)} where id = ${row.id} for update`.execute(transaction);
    // In an array, so that the transaction ends without waiting for them.
    const begun = begin().map((request) => Promise.resolve(request));
    await vi.waitUntil(async () => (await waiting(database)) >= begun.length, { interval: 10 });
    await meanwhile();
    return { begun };
  });
  return Promise.all(requests.begun);
}

/** How many connections wait for a lock. */
async function waiting(database: Database): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(database);
  return rows[0]?.count ?? 0;
}
