import { sql } from 'kysely';
import type { Database } from './database.ts';

export async function isRecordOfWorkspace(
  database: Database,
  recordId: string,
  workspaceId: string,
): Promise<boolean> {
  const { rows } = await sql`
    select from records r join tables t on t.id = r.table_id
    where r.id = ${recordId} and t.workspace_id = ${workspaceId}`.execute(database);
  return rows.length > 0;
}
