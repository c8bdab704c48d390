import type { BlobStore } from '../../../blobs/index.ts';
import { recordEvent } from '../../store/events.ts';
import { createResource } from '../../store/resources.ts';
import { fileFields, onlyFields, storeFile } from './arguments.ts';
import { type StorageQuota, storageExceeded } from './storage-quota.ts';
import { attemptId, type Task } from './task.ts';

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
      const { workspaceId, organizationId, startedBy, traceparent } = execution;
      const file = await storeFile(args, blobs, (size) => quota.assertFits(organizationId, size));
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
            traceparent,
            data: { resourceId: id, name, contentType, size, sha256: sha256.toString('hex') },
          });
        },
      };
    },
  };
}
