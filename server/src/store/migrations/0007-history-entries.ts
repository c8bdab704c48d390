import { type Kysely, sql } from 'kysely';

/** Counts history entries, whose number is limited. Executions that are running count from 0. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table executions add column history_entries integer not null default 0`.execute(db);
}
