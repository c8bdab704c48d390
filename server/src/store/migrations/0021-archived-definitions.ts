import { type Kysely, sql } from 'kysely';

/** Definitions that cannot be started any more. A process of an earlier version starts them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw('alter table workflow_definitions add column if not exists archived_at timestamptz(3)')
    .execute(db);
}
