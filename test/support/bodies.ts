import { expect } from 'vitest';
import type { User } from '../../generated/types.ts';
import type { KnownUser } from './given.ts';

const anyUuid = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);

/** The response body of a user that `given.user()` made. */
export function userBody(user: KnownUser, createdAt: Date, profile: Partial<User['profile']> = {}) {
  const { id, email, idpId, organizationId } = user;
  const roleId = profile.roleId ?? user.roleId;
  const createdDateTime = createdAt.toISOString();
  const named = {
    firstName: 'Ada',
    lastName: 'Lane',
    title: 'Clerk',
    status: 'ACTIVE',
    lastSignedInAt: null,
  };
  return {
    id,
    email,
    idpId,
    roleId,
    createdDateTime,
    profile: { id: anyUuid, organizationId, roleId, createdDateTime, ...named, ...profile },
  };
}
