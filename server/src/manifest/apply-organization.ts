import { parseTimestamp } from '../../json/index.ts';
import { lockOrganization } from '../store/authority.ts';
import type { EnvironmentDeclaration, Path, UserDeclaration } from './platform-file.ts';
import { type ApplyContext, derivedId, insertRows, upsertRows } from './rows.ts';

export interface AppliedOrganization {
  organizationId: string;
  /** User ids by email address in lower case. */
  userIds: Map<string, string>;
}

const roleNames = ['owner', 'admin', 'member'] as const;

/** Applies the organization, its roles and its users. */
export async function applyOrganization(
  context: ApplyContext,
  { organization, users }: EnvironmentDeclaration,
  top: Path,
): Promise<AppliedOrganization> {
  const { name, roleIds } = organization;
  const path = [...top, 'organization'];
  const [applied] = await upsertRows(context, 'organization', [
    { declaration: organization, path, owned: { name } },
  ]);
  const organizationId = applied?.id as string;
  context.organizationId = organizationId;
  // Role permissions and memberships follow: no concurrent request may use them while they change.
  await lockOrganization(context.database, organizationId);
  const roles = await upsertRows(
    context,
    'organization roles',
    roleNames.map((role) => ({
      declaration: { id: roleIds[role] },
      path: [...path, 'roleIds', role],
      owned: { organization_id: organizationId, name: role },
    })),
  );
  const appliedUsers = await upsertRows(
    context,
    'users',
    users.map((user, index) => ({
      declaration: user,
      path: [...top, 'users', index],
      ...userRow(context, user, organizationId, roles[roleNames.indexOf(user.role)]?.id as string),
    })),
  );
  // Factors of existing users may have been reset through the API.
  const factors = appliedUsers
    .filter(({ stored }) => !stored)
    .flatMap(({ id, declaration }) =>
      declaration.mfaFactors.map((type) => ({
        id: derivedId(context.environment, 'mfa factor', id, type),
        user_id: id,
        type,
        enrolled_at: context.nextTimestamp(),
      })),
    );
  await insertRows(context.database, 'mfa_factors', factors);
  context.changes['mfa factors'].created += factors.length;
  const userIds = new Map(appliedUsers.map(({ declaration, id }) => [declaration.email.toLowerCase(), id]));
  return { organizationId, userIds };
}

function userRow(
  { environment }: ApplyContext,
  user: UserDeclaration,
  organizationId: string,
  roleId: string,
) {
  const derive = (part: string) => derivedId(environment, part, organizationId, user.email.toLowerCase());
  return {
    owned: {
      organization_id: organizationId,
      email: user.email,
      // A derived idp_id stays when the email address changes.
      idp_id: user.idpId,
    },
    initial: {
      idp_id: derive('idp'),
      profile_id: user.profileId ?? derive('profile'),
      role_id: roleId,
      first_name: user.firstName,
      last_name: user.lastName,
      title: user.title,
      status: user.status,
      last_signed_in_at:
        user.lastSignedInAt === undefined ? null : parseTimestamp(user.lastSignedInAt).toISOString(),
    },
  };
}
