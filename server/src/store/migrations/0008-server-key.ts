import { type Kysely, sql } from 'kysely';

/** Binds the database to the server key from which its tokens, links and webhook keys are derived. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table server_key (
    single boolean primary key default true check (single),
    fingerprint bytea not null
  )`.execute(db);
}
