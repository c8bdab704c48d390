import { randomUUID } from 'node:crypto';
import { type Selectable, sql } from 'kysely';
import type { Attachment } from '../../../generated/types.ts';
import type { StoredFile } from '../../blobs/index.ts';
import { readInBatches } from '../../postgres-client/index.ts';
import type { Caller } from '../domain/caller.ts';
import type { Database } from './database.ts';
import { type NewFile, storedFileColumns } from './resources.ts';
import type { Schema } from './schema.ts';
import { hasStorage } from './storage.ts';

/** The most attachments that a record can have. */
export const maxAttachments = 10_000;

const shownColumns = ['id', 'record_id', 'name', 'content_type', 'size', 'created_at'] as const;
/** The driver parses arrays slowly, and JSON with V8's parser. */
const tagsAsJson = sql<string[]>`to_json(tags)`.as('tags');
type AttachmentRow = Pick<Selectable<Schema['attachments']>, (typeof shownColumns)[number] | 'tags'>;

/** A record and its table, which belongs to a workspace. */
export interface RecordPath {
  tableId: string;
  recordId: string;
}

export type AttachmentCreation =
  | { kind: 'created'; attachment: Attachment; workspaceId: string }
  | { kind: 'too_many_attachments' }
  | { kind: 'storage_quota_exceeded' };

/** Attaches a stored file to a record. The row lock of the record enforces the limit among concurrent requests. */
export async function createAttachment(
  database: Database,
  { recordId }: RecordPath,
  caller: Pick<Caller, 'userId'>,
  { file, tags, now, id = randomUUID(), storageQuota: quota }: NewFile & { tags: string[] },
): Promise<AttachmentCreation> {
  const { rows } = await sql<{ workspaceId: string; attachments: number }>`
    select t.workspace_id as "workspaceId", r.attachment_count as attachments
    from records r join tables t on t.id = r.table_id where r.id = ${recordId} for no key update of r
  `.execute(database);
  const { workspaceId, attachments } = rows[0] as (typeof rows)[number];
  if (attachments >= maxAttachments) return { kind: 'too_many_attachments' };
  if (!(await hasStorage(database, { workspaceId, size: file.size, quota }))) {
    return { kind: 'storage_quota_exceeded' };
  }
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
    .returning([...shownColumns, tagsAsJson])
    .executeTakeFirstOrThrow();
  return { kind: 'created', attachment: toAttachment(row), workspaceId };
}

/**
 * The attachments of a record in order of creation. A record that exceeded `maxAttachments` before the limit existed
 * returns the first of them.
 */
export async function listAttachments(database: Database, { recordId }: RecordPath): Promise<Attachment[]> {
  return readInBatches(maxAttachments, async (last: Attachment | undefined, limit) => {
    const rows = await database
      .selectFrom('attachments')
      .select([...shownColumns, tagsAsJson])
      .where('record_id', '=', recordId)
      .$if(last !== undefined, (query) =>
        query.where(sql<boolean>`(created_at, id) > (${last?.createdDateTime}, ${last?.id})`),
      )
      .orderBy('created_at')
      .orderBy('id')
      .limit(limit)
      .execute();
    return rows.map(toAttachment);
  });
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

/** Signed URLs of the attachment stop working immediately. The sweeper removes the bytes. */
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

/** The file of a signed URL, which is itself the permission. */
export async function findAttachmentFile(database: Database, id: string): Promise<StoredFile | undefined> {
  return database.selectFrom('attachments').select(storedFileColumns).where('id', '=', id).executeTakeFirst();
}

export async function workspaceOfTable(database: Database, tableId: string): Promise<string> {
  const { rows } = await sql<{ workspace_id: string }>`
    select workspace_id from tables where id = ${tableId}`.execute(database);
  return (rows[0] as { workspace_id: string }).workspace_id;
}

/** @returns undefined if the workspace has no such record */
export async function findRecord(
  database: Database,
  recordId: string,
  workspaceId: string,
): Promise<{ tableId: string; attachments: number } | undefined> {
  const { rows } = await sql<{ tableId: string; attachments: number }>`
    select t.id as "tableId", r.attachment_count as attachments from records r join tables t on t.id = r.table_id
    where r.id = ${recordId} and t.workspace_id = ${workspaceId}`.execute(database);
  return rows[0];
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
