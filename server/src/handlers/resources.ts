import { type HandlersOf, refuse } from '../http/operation.ts';
import { recordEvent } from '../store/events.ts';
import * as resources from '../store/resources.ts';

export const resourceHandlers = ({ now }: { now(): Date }): HandlersOf<'resources'> => ({
  async uploadResource({ body: { file }, caller, database }) {
    const at = now();
    const resourceId = await resources.createResource(database, caller, file, at);
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
