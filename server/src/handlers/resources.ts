import { Refused, refuse } from '../../contract/index.ts';
import type { HandlersOf } from '../http/operation.ts';
import { recordEvent } from '../store/events.ts';
import * as resources from '../store/resources.ts';

export const handlers = ({
  storageQuota,
  now,
}: {
  storageQuota: number | undefined;
  now(): Date;
}): HandlersOf<'resources'> => ({
  async uploadResource({ body: { file }, caller, database }) {
    const at = now();
    const outcome = await resources.createResource(database, caller, { file, now: at, storageQuota });
    // Thrown: like any 413 it uses no Idempotency-Key, so that a repeat succeeds once there is room.
    if (outcome.kind === 'storage_quota_exceeded') throw new Refused(refuse(413, outcome.kind));
    const { resourceId } = outcome;
    const { name, contentType, size } = file;
    await recordEvent(database, {
      type: 'resource.created',
      organizationId: caller.organizationId,
      workspaceId: caller.homeWorkspaceId,
      data: { resourceId, name, contentType, size, sha256: file.sha256.toString('hex') },
      now: at,
    });
    const body = { resourceId, resourcePath: `/resources/${resourceId}`, resourceName: name };
    return { status: 201, body };
  },

  async downloadResource({ path, database }) {
    const file = await resources.findResourceFile(database, path.resourceId);
    return file ? { status: 200, body: file } : refuse(404, 'resource_not_found');
  },
});
