import type { BlobStore } from '../../blobs/blob-store.ts';
import { recordEvent } from '../../store/events.ts';
import { createResource } from '../../store/resources.ts';
import { fileFields, onlyFields, storeFile } from './arguments.ts';
import { type StorageRoom, storageExceeded } from './storage-room.ts';
import { attemptId, type Task } from './task.ts';

/**
 * `wrp:resource:create`: a file in the execution's workspace. Arguments: `name`; the content as `text`, `base64`
 * or `json`; `contentType`. Result: `{resourceId, resourcePath, resourceName}`, as an upload's answer.
 *
 * Fails with `Wrp.StorageQuotaExceeded`.
 */
export function resourceCreate(blobs: Pick<BlobStore, 'write'>, room: StorageRoom): Task {
  return {
    kind: 'change',
    async prepare(given, { execution, idempotencyKey, now }) {
      onlyFields(given, fileFields);
      const { workspaceId, organizationId, startedBy } = execution;
      const file = await storeFile(given, blobs, (size) => room.expect(organizationId, size));
      const id = attemptId(idempotencyKey);
      return {
        result: { resourceId: id, resourcePath: `/resources/${id}`, resourceName: file.name },
        async write(transaction) {
          const owner = { homeWorkspaceId: workspaceId, userId: startedBy };
          const { storageQuota } = room;
          const { kind } = await createResource(transaction, owner, { file, now, id, storageQuota });
          if (kind === 'storage_quota_exceeded') throw storageExceeded();
          const { name, contentType, size, sha256 } = file;
          await recordEvent(transaction, {
            ...{ type: 'resource.created', organizationId, workspaceId, now },
            data: { resourceId: id, name, contentType, size, sha256: sha256.toString('hex') },
          });
        },
      };
    },
  };
}
