import { type Kysely, sql } from 'kysely';

/**
 * The index of child threads without the root threads. A plan made while there were few threads intersected all root
 * threads with the one to delete, so each end of an execution took longer the more of them ran.
 *
 * The new index is built before the old one is dropped, so that readers wait for milliseconds only.
 */
const statements = [
  `create unique index threads_of_parent on threads (parent_id, position) where parent_id is not null`,
  'drop index threads_parent',
  'alter index threads_of_parent rename to threads_parent',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
