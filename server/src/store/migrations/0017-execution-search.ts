import { type Kysely, sql } from 'kysely';

export const isOnline = true;

/**
 * The values of the history that are too large for its rows, and indexes to find executions by record, and failed ones by the error name that the API shows. The statements that used the
 * dropped index use `executions_in_order`. Every statement can run twice.
 */
const values = [
  `create table if not exists history_values (
    execution_id uuid not null references executions on delete cascade,
    -- Of its JSON: an execution stores equal values once.
    sha256 bytea not null,
    blob_key text not null unique,
    size bigint not null,
    primary key (execution_id, sha256)
  )`,
  `create or replace trigger record_deleted_files after delete on history_values
    referencing old table as deleted for each statement execute function record_deleted_files()`,
];

const indexes = {
  executions_of_record: 'executions (record_id, created_at, id) where record_id is not null',
  executions_failed: `executions (workflow_definition_id, (left(coalesce(nullif(error, ''), 'Fail'), 200)), created_at, id)
    where status = 'FAILED'`,
};

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of values) await sql.raw(statement).execute(db);
  for (const [name, definition] of Object.entries(indexes)) {
    await sql.raw(`drop index concurrently if exists ${name}`).execute(db);
    await sql.raw(`create index concurrently ${name} on ${definition}`).execute(db);
  }
  await sql.raw('drop index concurrently if exists executions_not_completed').execute(db);
}
