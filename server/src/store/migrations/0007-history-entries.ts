import { type Kysely, sql } from 'kysely';

/** The entries of an execution's history are counted, as they are limited. Those of running executions begin at 0. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table executions add column history_entries integer not null default 0`.execute(db);
}
