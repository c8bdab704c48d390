import type { BlobStore } from '../../blobs/blob-store.ts';
import { recordEvent } from '../../store/events.ts';
import { createResource } from '../../store/resources.ts';
import { fileFields, onlyFields, storeFile } from './arguments.ts';
import { attemptId, type Task } from './task.ts';

/**
 * `wrp:resource:create`: a file in the execution's workspace. Arguments: `name`; the content as `text`, `base64`
 * or `json`; `contentType`. Result: `{resourceId, resourcePath, resourceName}`, as an upload's answer.
 */
export function resourceCreate(blobs: Pick<BlobStore, 'write'>): Task {
  return {
    kind: 'change',
    async prepare(given, { execution, idempotencyKey, now }) {
      onlyFields(given, fileFields);
      const file = await storeFile(given, blobs);
      const id = attemptId(idempotencyKey);
      const { workspaceId, organizationId, startedBy } = execution;
      return {
        result: { resourceId: id, resourcePath: `/resources/${id}`, resourceName: file.name },
        async write(transaction) {
          const owner = { homeWorkspaceId: workspaceId, userId: startedBy };
          await createResource(transaction, owner, file, now, id);
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
