import { type Kysely, sql } from 'kysely';

/** An index for the newest executions of a definition: `wrp execution list --definition` searched among all. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw('create index executions_of_definition on executions (workflow_definition_id, created_at)')
    .execute(db);
}
