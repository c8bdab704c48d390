import { sql } from 'kysely';
import type { Database } from './database.ts';

/** A record of a workspace, with the table that it is of. */
export async function findRecord(
  database: Database,
  recordId: string,
  workspaceId: string,
): Promise<{ tableId: string; attachments: number } | undefined> {
  const { rows } = await sql<{ tableId: string; attachments: number }>`
    select t.id as "tableId", r.attachment_count as attachments from records r join tables t on t.id = r.table_id
    where r.id = ${recordId} and t.workspace_id = ${workspaceId}`.execute(database);
  return rows[0];
}
