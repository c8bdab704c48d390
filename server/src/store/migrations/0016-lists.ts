import { type Kysely, sql } from 'kysely';

/**
 * Indexes for the lists of definitions, tables, records and cases in order, and of the newest executions of a definition
 * by status. The new indexes are built before the old ones are dropped.
 */
const statements = [
  'create index tables_in_order on tables (workspace_id, created_at, id)',
  'create index cases_in_order on cases (workspace_id, created_at, id)',
  'create index workflow_definitions_in_order on workflow_definitions (workspace_id, created_at, id)',
  'create index records_in_order on records (table_id, created_at, id)',
  'drop index records_table',
  'create index records_named on records (table_id, name)',
  'create index executions_in_order on executions (workflow_definition_id, status, created_at, id)',
  'drop index executions_of_definition',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
