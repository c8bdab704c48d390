import { sql } from 'kysely';
import type { Table, TableRecord } from '../../../generated/types.ts';
import type { Caller } from '../domain/caller.ts';
import { isViewable } from './access.ts';
import type { Database } from './database.ts';
import { boundOf, equals, type Page, type PageQuery, pageOf } from './pages.ts';

interface TableRow {
  id: string;
  workspace_id: string;
  name: string;
  created_at: Date;
}

/** The tables on which the caller holds can_view_workspace. */
export async function listTables(
  database: Database,
  caller: Caller,
  { workspaceId, name, ...page }: PageQuery & { workspaceId?: string | undefined; name?: string | undefined },
): Promise<Page<Table>> {
  const { rows } = await sql<TableRow>`
    select t.* from workspaces w join tables t on t.workspace_id = w.id
    where ${isViewable(caller, 't')} and ${equals('w.id', workspaceId)} and ${equals('t.name', name)}
      and (t.created_at, t.id) > ${boundOf(page, 'ascending')}
    order by t.created_at, t.id limit ${page.size + 1}`.execute(database);
  return pageOf(rows, page, (row) => ({
    id: row.id,
    workspaceId: row.workspace_id,
    name: row.name,
    createdDateTime: row.created_at.toISOString(),
  }));
}

interface RecordRow {
  id: string;
  table_id: string;
  name: string;
  created_at: Date;
}

export async function listRecords(
  database: Database,
  tableId: string,
  { name, ...page }: PageQuery & { name?: string | undefined },
): Promise<Page<TableRecord>> {
  const { rows } = await sql<RecordRow>`
    select r.id, r.table_id, r.name, r.created_at from records r
    where r.table_id = ${tableId} and ${equals('r.name', name)}
      and (r.created_at, r.id) > ${boundOf(page, 'ascending')}
    order by r.created_at, r.id limit ${page.size + 1}`.execute(database);
  return pageOf(rows, page, (row) => ({
    id: row.id,
    tableId: row.table_id,
    name: row.name,
    createdDateTime: row.created_at.toISOString(),
  }));
}
