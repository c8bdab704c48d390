import { Readable } from 'node:stream';
import type { BlobStore, StoredFile } from '../../../blobs/index.ts';
import { fileNameOf, mediaTypeOf } from '../../../http-bodies/index.ts';
import type { JsonObject } from '../../../json/index.ts';
import type { Database } from '../../store/database.ts';
import { recordEvent } from '../../store/events.ts';
import { createResource } from '../../store/resources.ts';
import { storageLeft } from '../../store/storage.ts';
import { attemptId, invalid, onlyFields, optionalText, type Task, TaskFailure, textOf } from './task.ts';

/**
 * `wrp:resource:create`: stores a file in the execution's workspace. Arguments: `name`; the content as `text`, `base64`
 * or `json`; `contentType`. Result: `{resourceId, resourcePath, resourceName}`, as in the response to an upload.
 *
 * Fails with `Wrp.StorageQuotaExceeded`.
 */
export function resourceCreate(blobs: Pick<BlobStore, 'write'>, quota: StorageQuota): Task {
  return {
    kind: 'change',
    async prepare(args, { execution, idempotencyKey, now }) {
      onlyFields(args, fileFields);
      const { workspaceId, organizationId, startedBy } = execution;
      const given = givenFile(args);
      const file = await storeFile(given, blobs, (size) => quota.assertFits(organizationId, size));
      const id = attemptId(idempotencyKey);
      return {
        result: { resourceId: id, resourcePath: `/resources/${id}`, resourceName: file.name },
        async write(transaction) {
          const owner = { homeWorkspaceId: workspaceId, userId: startedBy };
          const newFile = { file, now, id, storageQuota: quota.bytes };
          const { kind } = await createResource(transaction, owner, newFile);
          if (kind === 'storage_quota_exceeded') throw storageExceeded();
          const { name, contentType, size, sha256 } = file;
          await recordEvent(transaction, {
            type: 'resource.created',
            organizationId,
            workspaceId,
            now,
            data: { resourceId: id, name, contentType, size, sha256: sha256.toString('hex') },
          });
        },
      };
    },
  };
}

/** The arguments that describe a file. */
export const contentFields = ['text', 'base64', 'json'] as const;
export const fileFields = ['name', 'contentType', ...contentFields] as const;

/** A file that the arguments of a task describe. */
export interface GivenFile {
  content: Buffer;
  name: string;
  contentType: string;
}

/** Reads the arguments that describe a file. Its content is one of `text`, `base64` and `json`. */
export function givenFile(args: JsonObject): GivenFile {
  const named = fileNameOf(textOf(args, 'name'));
  if ('problem' in named) throw invalid(named.problem);
  const [content, defaultType] = contentOf(args);
  const contentType = mediaTypeOf(optionalText(args, 'contentType') ?? defaultType);
  if (contentType === undefined) throw invalid('‘contentType’ is not a media type.');
  return { content, name: named.name, contentType };
}

/** @param assertFits throws if a file of this size exceeds the quota */
export async function storeFile(
  { content, name, contentType }: GivenFile,
  blobs: Pick<BlobStore, 'write'>,
  assertFits: (size: number) => Promise<void>,
): Promise<StoredFile> {
  await assertFits(content.length);
  const written = await blobs.write(Readable.from([content], { objectMode: false }));
  return { ...written, name, contentType };
}

function contentOf(args: JsonObject): [content: Buffer, defaultType: string | undefined] {
  const [format, ...others] = contentFields.filter((name) => args[name] !== undefined);
  if (!format || others.length > 0) throw invalid('The content must be one of ‘text’, ‘base64’ and ‘json’.');
  const content = args[format];
  if (format === 'json') return [Buffer.from(JSON.stringify(content)), 'application/json'];
  if (typeof content !== 'string') throw invalid('The content must be a string.');
  if (format === 'text') return [Buffer.from(content), 'text/plain; charset=utf-8'];
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(content)) throw invalid('‘base64’ is not valid base64.');
  return [Buffer.from(content, 'base64'), undefined];
}

export type StorageQuota = ReturnType<typeof openStorageQuota>;

/** The storage quota of each organization. @param bytes undefined: unlimited */
export function openStorageQuota(database: Database, bytes: number | undefined) {
  return {
    bytes,
    /**
     * Rejects a file before it is written. The quota is enforced when the row of the file is added.
     *
     * @throws TaskFailure `Wrp.StorageQuotaExceeded`
     */
    async assertFits(organizationId: string, size: number) {
      if (bytes === undefined) return;
      if (size > (await storageLeft(database, organizationId, bytes))) throw storageExceeded();
    },
  };
}

export function storageExceeded(): TaskFailure {
  return new TaskFailure('Wrp.StorageQuotaExceeded', "The file exceeds the organization's storage quota.");
}
