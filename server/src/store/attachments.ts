import { randomUUID } from 'node:crypto';
import { type Selectable, sql } from 'kysely';
import type { Attachment } from '../../../generated/types.ts';
import type { Caller } from '../domain/caller.ts';
import type { StoredFile } from '../domain/stored-file.ts';
import type { Database } from './database.ts';
import type { Schema } from './schema.ts';
import { storedFileColumns } from './stored-files.ts';

type AttachmentRow = Selectable<Schema['attachments']>;

/** The record's place: its table settles the workspace. */
export interface RecordPath {
  tableId: string;
  recordId: string;
}

export async function createAttachment(
  database: Database,
  { recordId }: RecordPath,
  caller: Pick<Caller, 'userId'>,
  { file, tags, now, id = randomUUID() }: { file: StoredFile; tags: string[]; now: Date; id?: string },
): Promise<Attachment> {
  const row = await database
    .insertInto('attachments')
    .values({
      id,
      record_id: recordId,
      name: file.name,
      content_type: file.contentType,
      size: file.size,
      sha256: file.sha256,
      tags: tags.map((tag) => tag.normalize('NFC')),
      blob_key: file.blobKey,
      created_by: caller.userId,
      created_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return toAttachment(row);
}

/** All attachments of a record, in the order of their creation. */
export async function listAttachments(database: Database, { recordId }: RecordPath): Promise<Attachment[]> {
  const rows = await database
    .selectFrom('attachments')
    .selectAll()
    .where('record_id', '=', recordId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map(toAttachment);
}

export async function hasAttachment(
  database: Database,
  { recordId, attachmentId }: RecordPath & { attachmentId: string },
): Promise<boolean> {
  const row = await database
    .selectFrom('attachments')
    .select('id')
    .where('id', '=', attachmentId)
    .where('record_id', '=', recordId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Links to it are dead at once; the sweeper collects the bytes, which no row names any more. */
export async function deleteAttachment(
  database: Database,
  { recordId, attachmentId }: RecordPath & { attachmentId: string },
): Promise<'deleted' | 'unknown'> {
  const row = await database
    .deleteFrom('attachments')
    .where('id', '=', attachmentId)
    .where('record_id', '=', recordId)
    .returning('id')
    .executeTakeFirst();
  return row ? 'deleted' : 'unknown';
}

/** The file behind a signed link, which is its own permission. */
export async function findAttachmentFile(database: Database, id: string): Promise<StoredFile | undefined> {
  return database.selectFrom('attachments').select(storedFileColumns).where('id', '=', id).executeTakeFirst();
}

export async function workspaceOfTable(database: Database, tableId: string): Promise<string> {
  const { rows } = await sql<{ workspace_id: string }>`
    select workspace_id from tables where id = ${tableId}`.execute(database);
  return (rows[0] as { workspace_id: string }).workspace_id;
}

function toAttachment(row: AttachmentRow): Attachment {
  return {
    id: row.id,
    recordId: row.record_id,
    name: row.name,
    type: row.content_type,
    size: row.size,
    tags: row.tags,
    createdDateTime: row.created_at.toISOString(),
  };
}
