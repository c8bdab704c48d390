import { type HandlersOf, refuse } from '../http/operation.ts';
import { recordEvent } from '../store/events.ts';
import * as memberships from '../store/memberships.ts';

export const membershipHandlers = ({ now }: { now(): Date }): HandlersOf<'memberships'> => ({
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
    const { organizationId } = caller;
    const { roleId } = body;
    const outcome = await memberships.setMembership(database, { organizationId, ...path, roleId }, at);
    switch (outcome.kind) {
      case 'set': {
        const { workspaceId, userId } = path;
        const data = { userId, roleId };
        await recordEvent(database, { type: 'membership.set', organizationId, workspaceId, data, now: at });
        return { status: 200, body: outcome.membership };
      }
      case 'unknown_user':
        return refuse(404, 'user_not_found');
      case 'unknown_role':
        return refuse(400, 'role_unknown', { pointer: '/roleId' });
    }
  },

  async removeMembership({ path, caller, database }) {
    const outcome = await memberships.removeMembership(database, path);
    if (outcome === 'unknown') return refuse(404, 'membership_not_found');
    const { workspaceId, userId } = path;
    await recordEvent(database, {
      type: 'membership.removed',
      organizationId: caller.organizationId,
      workspaceId,
      data: { userId },
      now: now(),
    });
    return { status: 200 };
  },
});
