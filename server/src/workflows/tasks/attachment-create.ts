import type { BlobStore } from '../../blobs/blob-store.ts';
import { isUuid } from '../../domain/identifiers.ts';
import type { JsonObject } from '../../domain/json.ts';
import type { StoredFile } from '../../domain/stored-file.ts';
import { createAttachment, mostAttachments } from '../../store/attachments.ts';
import type { Database } from '../../store/database.ts';
import { recordEvent } from '../../store/events.ts';
import { findRecord } from '../../store/records.ts';
import { findResourceInWorkspace } from '../../store/resources.ts';
import { fileFields, invalid, onlyFields, optionalText, storeFile } from './arguments.ts';
import { type StorageRoom, storageExceeded } from './storage-room.ts';
import { attemptId, type Task, TaskFailure } from './task.ts';

/** As the contract has it for uploads. */
export const tagLimits = { count: 20, characters: 64 };

/**
 * `wrp:attachment:create`: a file attached to a record of the execution's workspace. Arguments: `recordId` (the
 * execution's record without it); `resourceId` of a file of the workspace, or a file as `wrp:resource:create`
 * takes it; `tags`. Result: the attachment, as an upload's answer.
 *
 * Fails with `Wrp.RecordNotFound`, `Wrp.ResourceNotFound`, `Wrp.TooManyAttachments` or `Wrp.StorageQuotaExceeded`.
 */
export function attachmentCreate(
  database: Database,
  blobs: Pick<BlobStore, 'write' | 'read'>,
  room: StorageRoom,
): Task {
  return {
    kind: 'change',
    async prepare(given, { execution, idempotencyKey, now }) {
      onlyFields(given, [...fileFields, 'recordId', 'resourceId', 'tags']);
      const { workspaceId, organizationId, startedBy } = execution;
      const tags = tagsOf(given);
      const recordId = idOf(given, 'recordId') ?? execution.recordId;
      if (!recordId) throw invalid('‘recordId’ is missing, and the execution is about no record.');
      const record = await findRecord(database, recordId, workspaceId);
      if (!record) throw new TaskFailure('Wrp.RecordNotFound', `The workspace has no record ${recordId}.`);
      if (record.attachments >= mostAttachments) throw tooMany();
      const expectRoom = (size: number) => room.expect(organizationId, size);
      const file = await fileOf(given, { database, blobs, workspaceId, expectRoom });
      const id = attemptId(idempotencyKey);
      const { name, contentType: type, size } = file;
      return {
        result: { id, recordId, name, type, size, tags, createdDateTime: now.toISOString() },
        async write(transaction) {
          const path = { tableId: record.tableId, recordId };
          const { storageQuota } = room;
          const creation = { file, tags, now, id, storageQuota };
          const { kind } = await createAttachment(transaction, path, { userId: startedBy }, creation);
          if (kind === 'too_many_attachments') throw tooMany();
          if (kind === 'storage_quota_exceeded') throw storageExceeded();
          await recordEvent(transaction, {
            ...{ type: 'attachment.created', organizationId, workspaceId, now },
            data: { attachmentId: id, ...path, name, type, size, tags },
          });
        },
      };
    },
  };
}

const tooMany = () =>
  new TaskFailure('Wrp.TooManyAttachments', `A record has at most ${mostAttachments} attachments.`);

/** A resource's bytes are copied: an attachment is deleted by itself. */
async function fileOf(
  given: JsonObject,
  {
    database,
    blobs,
    workspaceId,
    expectRoom,
  }: {
    database: Database;
    blobs: Pick<BlobStore, 'write' | 'read'>;
    workspaceId: string;
    expectRoom(size: number): Promise<void>;
  },
): Promise<StoredFile> {
  const resourceId = idOf(given, 'resourceId');
  if (resourceId === undefined) return storeFile(given, blobs, expectRoom);
  if (['text', 'base64', 'json'].some((name) => name in given)) {
    throw invalid('The file is either a resource or a content, not both.');
  }
  const resource = await findResourceInWorkspace(database, resourceId, workspaceId);
  if (!resource)
    throw new TaskFailure('Wrp.ResourceNotFound', `The workspace has no resource ${resourceId}.`);
  const { blobKey, name, contentType } = resource;
  await expectRoom(resource.size);
  const written = await blobs.write(await blobs.read(blobKey));
  return { ...written, name, contentType };
}

function idOf(given: JsonObject, name: string): string | undefined {
  const text = optionalText(given, name);
  if (text !== undefined && !isUuid(text)) throw invalid(`‘${name}’ must be a UUID.`);
  return text?.toLowerCase();
}

function tagsOf({ tags = [] }: JsonObject): string[] {
  const texts = typeof tags === 'string' ? [tags] : tags;
  const sound = (tag: unknown): tag is string =>
    typeof tag === 'string' && tag.isWellFormed() && !tag.includes('\0') && tag !== '';
  if (!Array.isArray(texts) || !texts.every(sound)) throw invalid('‘tags’ must be an array of strings.');
  const normal = texts.map((tag) => tag.normalize('NFC'));
  if (normal.length > tagLimits.count || normal.some((tag) => [...tag].length > tagLimits.characters)) {
    throw invalid(`There are at most ${tagLimits.count} tags of ${tagLimits.characters} characters.`);
  }
  return normal;
}
