import { type Kysely, sql } from 'kysely';

/** Which of an endpoint's recent attempts failed, so that a few failures do not limit its concurrency. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `alter table webhook_endpoints
    -- The last 20 attempts, the latest on the right: 1 if it failed.
    add column recent_failures bit(20) not null default '0'::bit(20),
    -- Most of them failed.
    add column failing boolean not null generated always as (bit_count(recent_failures) > 10) stored`,
];
