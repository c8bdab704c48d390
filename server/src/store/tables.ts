import { type Selectable, sql } from 'kysely';
import type { Table, TableRecord } from '../../../generated/types.ts';
import type { Caller } from '../domain/caller.ts';
import { isViewable } from './access.ts';
import type { Database } from './database.ts';
import { equals, type FilteredPageQuery, nextRows, type Page, pageOf } from './pages.ts';
import type { Schema } from './schema.ts';

/** The tables on which the caller holds can_view_workspace. */
export async function listTables(
  database: Database,
  caller: Caller,
  { workspaceId, name, ...page }: FilteredPageQuery,
): Promise<Page<Table>> {
  const { rows } = await sql<Selectable<Schema['tables']>>`
    select t.* from workspaces w join tables t on t.workspace_id = w.id
    where ${isViewable(caller, 't')} and ${equals('w.id', workspaceId)} and ${equals('t.name', name)}
      and ${nextRows('t', page)}`.execute(database);
  return pageOf(rows, page, (row) => ({
    id: row.id,
    workspaceId: row.workspace_id,
    name: row.name,
    createdDateTime: row.created_at.toISOString(),
  }));
}

export async function listRecords(
  database: Database,
  tableId: string,
  { name, ...page }: Omit<FilteredPageQuery, 'workspaceId'>,
): Promise<Page<TableRecord>> {
  const { rows } = await sql<Selectable<Schema['records']>>`
    select r.* from records r
    where r.table_id = ${tableId} and ${equals('r.name', name)}
      and ${nextRows('r', page)}`.execute(database);
  return pageOf(rows, page, (row) => ({
    id: row.id,
    tableId: row.table_id,
    name: row.name,
    createdDateTime: row.created_at.toISOString(),
  }));
}
