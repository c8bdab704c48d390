import { type Kysely, sql } from 'kysely';

/** Indexes for frequent queries that scanned whole tables. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // The page of a used link polls its execution every few seconds.
  'create index links_execution on links (execution_id) where execution_id is not null',
  'create index rate_leases_age on rate_leases (window_start)',
  'create index token_families_age on token_families (created_at)',
];
