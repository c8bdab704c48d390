import { type Kysely, sql } from 'kysely';

/** The recipients of mailed links, to limit their number for each contact. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // Lower case; null if the platform did not mail the link.
  'alter table links add column mailed_to text',
  'create index links_mailed_to on links (mailed_to, created_at) where mailed_to is not null',
];
