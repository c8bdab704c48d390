import { refuse } from '../../contract/index.ts';
import type { HandlersOf } from '../http/operation.ts';
import { recordEvent } from '../store/events.ts';
import * as memberships from '../store/memberships.ts';
import { refuseCaller } from './refuse-caller.ts';

const unknownRole =
  'The workspace has no such role. `GET /organizations/workspaces/{workspaceId}/roles` lists its roles.';

export const handlers = ({ now }: { now(): Date }): HandlersOf<'memberships'> => ({
  async listDirectMemberships({ path, database }) {
    return { status: 200, body: await memberships.listDirectMemberships(database, path.workspaceId) };
  },

  async listMemberships({ path, caller, database }) {
    const workspace = { organizationId: caller.organizationId, workspaceId: path.workspaceId };
    return { status: 200, body: await memberships.listMemberships(database, workspace) };
  },

  async setMembership({ path, body, caller, database }) {
    if (body.userId !== path.userId) return refuse(400, 'user_id_mismatch', { pointer: '/userId' });
    const at = now();
    const { roleId } = body;
    const outcome = await memberships.setMembership(database, { caller, ...path }, roleId, at);
    switch (outcome.kind) {
      case 'set': {
        const { workspaceId, userId } = path;
        const { organizationId } = caller;
        const data = { userId, roleId };
        await recordEvent(database, { type: 'membership.set', organizationId, workspaceId, data, now: at });
        return { status: 200, body: outcome.membership };
      }
      case 'unknown_user':
        return refuse(404, 'user_not_found');
      case 'unknown_role':
        return refuse(400, 'role_unknown', { message: unknownRole, pointer: '/roleId' });
      case 'too_many_members':
        return refuse(409, 'too_many_members');
      case 'not_permitted':
        return refuseCaller(outcome);
    }
  },

  async removeMembership({ path, caller, database }) {
    const outcome = await memberships.removeMembership(database, { caller, ...path });
    switch (outcome.kind) {
      case 'removed': {
        const { workspaceId, userId } = path;
        const { organizationId } = caller;
        const event = { organizationId, workspaceId, data: { userId }, now: now() };
        await recordEvent(database, { type: 'membership.removed', ...event });
        return { status: 200 };
      }
      case 'unknown':
        return refuse(404, 'membership_not_found');
      case 'not_permitted':
        return refuseCaller(outcome);
    }
  },
});
