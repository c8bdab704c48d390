import { type Selectable, sql } from 'kysely';
import type { Case } from '../../../generated/types.ts';
import type { Caller } from '../domain/caller.ts';
import { isViewable } from './access.ts';
import type { Database } from './database.ts';
import { equals, type FilteredPageQuery, nextRows, type Page, pageOf } from './pages.ts';
import type { Schema } from './schema.ts';

/** The cases of the workspaces in which the caller holds can_view_workspace. */
export async function listCases(
  database: Database,
  caller: Caller,
  { workspaceId, name, ...page }: FilteredPageQuery,
): Promise<Page<Case>> {
  const { rows } = await sql<Selectable<Schema['cases']>>`
    select c.* from workspaces w join cases c on c.workspace_id = w.id
    where ${isViewable(caller)} and ${equals('w.id', workspaceId)} and ${equals('c.name', name)}
      and ${nextRows('c', page)}`.execute(database);
  return pageOf(rows, page, (row) => ({
    id: row.id,
    workspaceId: row.workspace_id,
    ...(row.record_id && { recordId: row.record_id }),
    name: row.name,
    hasContact: row.contact_email !== null,
    createdDateTime: row.created_at.toISOString(),
  }));
}
