import { type Kysely, sql } from 'kysely';

/** To whom links were mailed, so that a contact gets a bounded number of them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // In lower case; null for a link that the platform did not mail.
  'alter table links add column mailed_to text',
  'create index links_mailed_to on links (mailed_to, created_at) where mailed_to is not null',
];
