import { randomUUID } from 'node:crypto';
import type { StoredFile } from '../../blobs/index.ts';
import type { Caller } from '../domain/caller.ts';
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
