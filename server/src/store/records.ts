import { sql } from 'kysely';
import type { Database } from './database.ts';

/** A record of a workspace, with the table that it is of. */
export async function findRecord(
  database: Database,
  recordId: string,
  workspaceId: string,
): Promise<{ tableId: string } | undefined> {
  const { rows } = await sql<{ tableId: string }>`
    select t.id as "tableId" from records r join tables t on t.id = r.table_id
    where r.id = ${recordId} and t.workspace_id = ${workspaceId}`.execute(database);
  return rows[0];
}
