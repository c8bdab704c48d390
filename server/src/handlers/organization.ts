import type { HandlersOf } from '../http/operation.ts';
import * as organization from '../store/organization.ts';

export const handlers = (): HandlersOf<'organization'> => ({
  async listOrganizationRoles({ caller, database }) {
    return { status: 200, body: await organization.listRoles(database, caller.organizationId) };
  },

  async listWorkspaces({ caller, database }) {
    return { status: 200, body: await organization.listWorkspaces(database, caller) };
  },

  async listWorkspaceRoles({ path, database }) {
    return { status: 200, body: await organization.listWorkspaceRoles(database, path.workspaceId) };
  },
});
