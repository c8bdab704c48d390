import { type Kysely, sql } from 'kysely';

export const isOnline = true;

/**
 * Indexes to find executions by record, and failed ones by the error name that the API shows. The statements that used the
 * dropped index use `executions_in_order`.
 */
const indexes = {
  executions_of_record: 'executions (record_id, created_at, id) where record_id is not null',
  executions_failed: `executions (workflow_definition_id, (left(coalesce(nullif(error, ''), 'Fail'), 200)), created_at, id)
    where status = 'FAILED'`,
};

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [name, definition] of Object.entries(indexes)) {
    await sql.raw(`drop index concurrently if exists ${name}`).execute(db);
    await sql.raw(`create index concurrently ${name} on ${definition}`).execute(db);
  }
  await sql.raw('drop index concurrently if exists executions_not_completed').execute(db);
}
