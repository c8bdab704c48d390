import { type Kysely, sql } from 'kysely';

/** What is asked for again and again, and was looked for in whole tables. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // The page of a link that was used asks every few seconds how its execution goes on.
  'create index links_execution on links (execution_id) where execution_id is not null',
  'create index rate_leases_age on rate_leases (window_start)',
  'create index token_families_age on token_families (created_at)',
];
