import { type Kysely, sql } from 'kysely';

export const isOnline = true;

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('drop index concurrently if exists things_named').execute(db);
  await sql.raw('create index concurrently things_named on things (name)').execute(db);
}
