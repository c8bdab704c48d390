import { sql } from 'kysely';
import { isoTime } from '../../postgres-client/index.ts';
import type { Database } from './database.ts';

/** A resource as the command line shows it. */
export interface ListedResource {
  id: string;
  name: string;
  contentType: string;
  /** Bytes. */
  size: number;
  organization: { id: string; name: string };
  workspace: { id: string; name: string };
  createdBy: { id: string; email: string };
  createdDateTime: string;
}

export interface ResourceFilter {
  /** Name or identifier. */
  organization?: string | undefined;
  /** Name or identifier. */
  workspace?: string | undefined;
  createdBefore?: Date | undefined;
  limit: number;
}

/** The oldest first. */
export async function listResources(
  database: Database,
  { organization = '', workspace = '', createdBefore, limit }: ResourceFilter,
): Promise<ListedResource[]> {
  const { rows } = await sql<ListedResource>`
    select r.id, r.name, r.content_type as "contentType", r.size,
      json_build_object('id', o.id, 'name', o.name) as organization,
      json_build_object('id', w.id, 'name', w.name) as workspace,
      json_build_object('id', u.id, 'email', u.email) as "createdBy",
      ${isoTime('r.created_at')} as "createdDateTime"
    from resources r join workspaces w on w.id = r.workspace_id join organizations o on o.id = w.organization_id
      join users u on u.id = r.created_by
    where (${organization} = '' or o.id::text = lower(${organization}) or o.name = ${organization})
      and (${workspace} = '' or w.id::text = lower(${workspace}) or w.name = ${workspace})
      and (${createdBefore ?? null}::timestamptz is null or r.created_at < ${createdBefore ?? null}::timestamptz)
    order by r.created_at, r.id limit ${limit}`.execute(database);
  return rows;
}

/** Deletes resources; the sweeper removes their bytes. @returns the deleted resources */
export async function deleteResourcesById(
  database: Database,
  ids: string[],
): Promise<{ id: string; size: number }[]> {
  return database
    .deleteFrom('resources')
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .returning(['id', 'size'])
    .execute();
}
