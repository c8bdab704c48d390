import { randomUUID } from 'node:crypto';
import type { Caller } from '../domain/caller.ts';
import type { StoredFile } from '../domain/stored-file.ts';
import type { Database } from './database.ts';
import { hasStorage } from './storage.ts';
import { storedFileColumns } from './stored-files.ts';

/** A file that is stored, to be named by a row. */
export interface NewFile {
  file: StoredFile;
  now: Date;
  id?: string;
  /** Bytes that the organization may store; undefined: any number. */
  storageQuota: number | undefined;
}

export type ResourceCreation = { kind: 'created'; resourceId: string } | { kind: 'storage_quota_exceeded' };

/** Names a stored file in the caller's home workspace. */
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

/** A resource's file, where it is one of the workspace. */
export async function findResourceInWorkspace(
  database: Database,
  id: string,
  workspaceId: string,
): Promise<StoredFile | undefined> {
  const known = await database
    .selectFrom('resources')
    .select('id')
    .where('id', '=', id)
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst();
  return known && findResourceFile(database, id);
}

export async function findResourceFile(database: Database, id: string): Promise<StoredFile | undefined> {
  return database.selectFrom('resources').select(storedFileColumns).where('id', '=', id).executeTakeFirst();
}
