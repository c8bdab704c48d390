import { bodyProblem, refuse } from '../../contract/index.ts';
import type { Caller } from '../domain/caller.ts';
import { normalProfile, profileTextLimit } from '../domain/profile.ts';
import type { HandlersOf } from '../http/operation.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { Database } from '../store/database.ts';
import { type EventData, type EventType, recordEvent } from '../store/events.ts';
import * as users from '../store/users.ts';
import { refuseCaller } from './refuse-caller.ts';

export const handlers = ({ jobs, now }: { jobs: Jobs; now(): Date }): HandlersOf<'users'> => {
  const record = <Type extends EventType>(
    database: Database,
    { organizationId }: Caller,
    type: Type,
    data: EventData<Type>,
  ) => recordEvent(database, { type, organizationId, data, now: now() });

  return {
    async listUsers({ query, caller, database }) {
      return { status: 200, body: await users.listUsers(database, caller.organizationId, query) };
    },

    getUser({ row }) {
      return { status: 200, body: users.toUser(row) };
    },

    async updateUserProfile({ path, body, caller, isCurrent, database }) {
      const { profile, tooLong } = normalProfile(body);
      if (tooLong.length > 0) {
        const predicate = `must have at most ${profileTextLimit} characters in Unicode NFC`;
        return { status: 400, errors: tooLong.map((field) => bodyProblem(`/${field}`, predicate)) };
      }
      const outcome = await users.updateProfile(database, { ...caller, ...path }, profile, isCurrent);
      switch (outcome.kind) {
        case 'changed': {
          const { firstName, lastName, title } = outcome.user.profile;
          await record(database, caller, 'user.updated', { ...path, firstName, lastName, title });
          return { status: 200, body: outcome.user };
        }
        case 'unknown_user':
          return refuse(404, 'user_not_found');
        case 'stale':
          return refuse(412, 'precondition_failed');
      }
    },

    async changeUserRole({ path, body, caller, isCurrent, database }) {
      const outcome = await users.changeRole(database, { caller, ...path }, body.roleId, isCurrent);
      switch (outcome.kind) {
        case 'changed':
          await record(database, caller, 'user.role_changed', { ...path, roleId: body.roleId });
          return { status: 200, body: outcome.user };
        case 'unknown_user':
          return refuse(404, 'user_not_found');
        case 'unknown_role':
          return refuse(400, 'role_unknown', { pointer: '/roleId' });
        case 'stale':
          return refuse(412, 'precondition_failed');
        case 'last_owner':
          return refuse(409, 'last_owner');
        case 'not_permitted':
          return refuseCaller(outcome);
      }
    },

    async terminateUser({ path, caller, database }) {
      const outcome = await users.terminate(database, { caller, ...path }, now());
      switch (outcome.kind) {
        case 'terminated':
          await record(database, caller, 'user.terminated', { ...path, status: 'TERMINATED' });
          return { status: 200, body: outcome.user };
        case 'already_terminated':
          return { status: 200, body: outcome.user };
        case 'unknown_user':
          return refuse(404, 'user_not_found');
        case 'own_user':
          return refuse(409, 'own_user');
        case 'not_permitted':
          return refuseCaller(outcome);
      }
    },

    async reinstateUser({ path, body, caller, database }) {
      const outcome = await users.reinstate(database, { caller, ...path }, body.roleId);
      switch (outcome.kind) {
        case 'reinstated':
          await record(database, caller, 'user.reinstated', {
            ...path,
            roleId: body.roleId,
            status: 'ACTIVE',
          });
          return { status: 200, body: outcome.user };
        case 'unknown_user':
          return refuse(404, 'user_not_found');
        case 'unknown_role':
          return refuse(400, 'role_unknown', { pointer: '/roleId' });
        case 'not_terminated':
          return refuse(409, 'user_not_terminated');
        case 'not_permitted':
          return refuseCaller(outcome);
      }
    },

    async resetUserMfa({ path, caller, database }) {
      const outcome = await users.resetMfa(database, { caller, ...path }, now());
      switch (outcome.kind) {
        case 'reset':
          await jobs.enqueue(database, 'identity-provider-mfa-reset', { idpId: outcome.idpId });
          await record(database, caller, 'user.mfa_reset', path);
          return { status: 202 };
        case 'unknown_user':
          return refuse(404, 'user_not_found');
        case 'not_permitted':
          return refuseCaller(outcome);
      }
    },
  };
};
