import { BlobMissing, type BlobStore, type StoredFile } from '../../../blobs/index.ts';
import type { JsonObject } from '../../../json/index.ts';
import { isUuid } from '../../domain/identifiers.ts';
import { createAttachment, findRecord, maxAttachments } from '../../store/attachments.ts';
import type { Database } from '../../store/database.ts';
import { recordEvent } from '../../store/events.ts';
import { findResourceInWorkspace } from '../../store/resources.ts';
import {
  contentFields,
  fileFields,
  type GivenFile,
  givenFile,
  type StorageQuota,
  storageExceeded,
  storeFile,
} from './resource-create.ts';
import {
  type Attempt,
  attemptId,
  invalid,
  onlyFields,
  optionalText,
  type Task,
  TaskFailure,
} from './task.ts';

/** The limits of the contract for uploads. */
export const tagLimits = { count: 20, characters: 64 };

/**
 * `wrp:attachment:create`: attaches a file to a record of the execution's workspace. Arguments: `recordId` (default:
 * the execution's record); `resourceId` of a file of the workspace, or a file as for `wrp:resource:create`; `tags`.
 * Result: the attachment, as in the response to an upload.
 *
 * Fails with `Wrp.RecordNotFound`, `Wrp.ResourceNotFound`, `Wrp.TooManyAttachments` or `Wrp.StorageQuotaExceeded`.
 */
export function attachmentCreate(
  database: Database,
  blobs: Pick<BlobStore, 'write' | 'read'>,
  quota: StorageQuota,
): Task {
  return {
    kind: 'change',
    async prepare(args, { execution, idempotencyKey, now }) {
      onlyFields(args, [...fileFields, 'recordId', 'resourceId', 'tags']);
      const { workspaceId, organizationId, startedBy } = execution;
      const tags = tagsOf(args);
      const recordId = idOf(args, 'recordId') ?? execution.recordId;
      if (!recordId) throw invalid('‘recordId’ is missing, and the execution has no record.');
      const source = sourceOf(args);
      const record = await findRecord(database, recordId, workspaceId);
      if (!record) throw new TaskFailure('Wrp.RecordNotFound', `The workspace has no record ${recordId}.`);
      if (record.attachments >= maxAttachments) throw tooMany();
      const file = await fileOf(source, execution);
      const id = attemptId(idempotencyKey);
      const { name, contentType: type, size } = file;
      return {
        result: { id, recordId, name, type, size, tags, createdDateTime: now.toISOString() },
        async write(transaction) {
          const path = { tableId: record.tableId, recordId };
          const creation = { file, tags, now, id, storageQuota: quota.bytes };
          const { kind } = await createAttachment(transaction, path, { userId: startedBy }, creation);
          if (kind === 'too_many_attachments') throw tooMany();
          if (kind === 'storage_quota_exceeded') throw storageExceeded();
          await recordEvent(transaction, {
            type: 'attachment.created',
            organizationId,
            workspaceId,
            now,
            data: { attachmentId: id, ...path, name, type, size, tags },
          });
        },
      };
    },
  };

  /** The bytes of a resource are copied, because an attachment can be deleted independently. */
  async function fileOf(
    given: GivenFile | { resourceId: string },
    { workspaceId, organizationId }: Attempt['execution'],
  ): Promise<StoredFile> {
    const assertFits = (size: number) => quota.assertFits(organizationId, size);
    if ('content' in given) return storeFile(given, blobs, assertFits);
    const { resourceId } = given;
    const resource = await findResourceInWorkspace(database, resourceId, workspaceId);
    if (!resource)
      throw new TaskFailure('Wrp.ResourceNotFound', `The workspace has no resource ${resourceId}.`);
    const { blobKey, name, contentType } = resource;
    await assertFits(resource.size);
    const source = await blobs.read(blobKey).catch((error: unknown) => {
      // A repeated job would not find it either.
      if (!(error instanceof BlobMissing)) throw error;
      throw new TaskFailure('Wrp.ResourceNotFound', `The file of the resource ${resourceId} is missing.`);
    });
    return { ...(await blobs.write(source)), name, contentType };
  }
}

const tooMany = () =>
  new TaskFailure('Wrp.TooManyAttachments', `A record has at most ${maxAttachments} attachments.`);

/** The file to attach: a resource of the workspace, or content. */
function sourceOf(args: JsonObject): GivenFile | { resourceId: string } {
  const resourceId = idOf(args, 'resourceId');
  if (resourceId === undefined) return givenFile(args);
  if (contentFields.some((name) => name in args)) {
    throw invalid('The file must be either a resource or content, not both.');
  }
  return { resourceId };
}

function idOf(args: JsonObject, name: string): string | undefined {
  const text = optionalText(args, name);
  if (text !== undefined && !isUuid(text)) throw invalid(`‘${name}’ must be a UUID.`);
  return text?.toLowerCase();
}

function tagsOf({ tags = [] }: JsonObject): string[] {
  const texts = typeof tags === 'string' ? [tags] : tags;
  const isTag = (tag: unknown): tag is string => typeof tag === 'string' && tag !== '';
  if (!Array.isArray(texts) || !texts.every(isTag)) throw invalid('‘tags’ must be an array of strings.');
  const normal = texts.map((tag) => tag.normalize('NFC'));
  if (normal.length > tagLimits.count || normal.some((tag) => [...tag].length > tagLimits.characters)) {
    throw invalid(`At most ${tagLimits.count} tags of ${tagLimits.characters} characters are allowed.`);
  }
  return normal;
}
