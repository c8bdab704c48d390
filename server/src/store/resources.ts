import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { StoredFile } from '../../blobs/index.ts';
import { isoTime } from '../../postgres-client/index.ts';
import type { Caller } from '../domain/caller.ts';
import { auditChange } from './audit.ts';
import type { Database } from './database.ts';
import { hasStorage } from './storage.ts';

/** The columns of a StoredFile. Every table that refers to blobs has them. */
export const storedFileColumns = [
  'blob_key as blobKey',
  'name',
  'content_type as contentType',
  'size',
  'sha256',
  'created_at as storedAt',
] as const;

/** A stored file for which a row is to be added. */
export interface NewFile {
  file: StoredFile;
  now: Date;
  id?: string;
  /** Bytes that the organization may store; undefined: unlimited. */
  storageQuota: number | undefined;
}

export type ResourceCreation = { kind: 'created'; resourceId: string } | { kind: 'storage_quota_exceeded' };

/** Adds a stored file to the caller's home workspace. */
export async function createResource(
  database: Database,
  caller: Pick<Caller, 'homeWorkspaceId' | 'userId'>,
  { file, now, id = randomUUID(), storageQuota: quota }: NewFile,
): Promise<ResourceCreation> {
  const { homeWorkspaceId: workspaceId } = caller;
  if (!(await hasStorage(database, { workspaceId, size: file.size, quota }))) {
    return { kind: 'storage_quota_exceeded' };
  }
  await database
    .insertInto('resources')
    .values({
      id,
      workspace_id: workspaceId,
      name: file.name,
      content_type: file.contentType,
      size: file.size,
      sha256: file.sha256,
      blob_key: file.blobKey,
      created_by: caller.userId,
      created_at: now,
    })
    .execute();
  return { kind: 'created', resourceId: id };
}

/** @returns undefined if the workspace has no such resource */
export async function findResourceInWorkspace(
  database: Database,
  id: string,
  workspaceId: string,
): Promise<StoredFile | undefined> {
  return database
    .selectFrom('resources')
    .select(storedFileColumns)
    .where('id', '=', id)
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst();
}

export async function findResourceFile(database: Database, id: string): Promise<StoredFile | undefined> {
  return database.selectFrom('resources').select(storedFileColumns).where('id', '=', id).executeTakeFirst();
}

/** A resource as the command line shows it. */
interface ListedResource {
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

interface ResourceFilter {
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
  const deleted = await database
    .deleteFrom('resources')
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .returning((row) => [
      'id',
      'size',
      row
        .selectFrom('workspaces')
        .whereRef('workspaces.id', '=', 'resources.workspace_id')
        .select('organization_id')
        .as('organizationId'),
    ])
    .execute();
  for (const { id, organizationId } of deleted)
    auditChange(database, { object: { kind: 'resource', id }, organizationId });
  return deleted;
}
