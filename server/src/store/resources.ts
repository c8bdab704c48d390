import { randomUUID } from 'node:crypto';
import type { Caller } from '../domain/caller.ts';
import type { StoredFile } from '../domain/stored-file.ts';
import type { Database } from './database.ts';
import { storedFileColumns } from './stored-files.ts';

/** Names a stored file in the caller's home workspace. @returns the resource's identifier */
export async function createResource(
  database: Database,
  caller: Pick<Caller, 'homeWorkspaceId' | 'userId'>,
  file: StoredFile,
  now: Date,
  id: string = randomUUID(),
): Promise<string> {
  await database
    .insertInto('resources')
    .values({
      id,
      workspace_id: caller.homeWorkspaceId,
      name: file.name,
      content_type: file.contentType,
      size: file.size,
      sha256: file.sha256,
      blob_key: file.blobKey,
      created_by: caller.userId,
      created_at: now,
    })
    .execute();
  return id;
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
