import { lockOrganization } from '../store/authority.ts';
import type { OrganizationRoleName } from '../store/schema.ts';
import { derivedId } from './derived-id.ts';
import type { EnvironmentDeclaration, UserDeclaration } from './platform-file.ts';
import type { Path } from './problems.ts';
import { type Applying, type Declared, insertRows, type KindRule, placeRows } from './rows.ts';

/** Who the members of workspaces can be. */
export interface People {
  organizationId: string;
  /** Identifiers by e-mail address in small letters. */
  userIds: Map<string, string>;
}

const organizationRule: KindRule = { kind: 'organization', table: 'organizations', name: 'name' };
const roleRule: KindRule = {
  kind: 'organization roles',
  table: 'organization_roles',
  parent: 'organization_id',
  name: 'name',
};
const userRule: KindRule = {
  kind: 'users',
  table: 'users',
  parent: 'organization_id',
  name: 'email',
  anyCase: true,
};

const roleNames: OrganizationRoleName[] = ['owner', 'admin', 'member'];

export async function applyOrganization(
  applying: Applying,
  { organization, users }: EnvironmentDeclaration,
  top: Path,
): Promise<People> {
  const { id, name, createdDateTime, roleIds } = organization;
  const path = [...top, 'organization'];
  const placed = await placeRows(applying, organizationRule, [
    { id, createdDateTime, path, owned: { name } },
  ]);
  const organizationId = placed[0]?.id as string;
  // Role permissions and memberships follow: nobody grants by them while they change.
  await lockOrganization(applying.database, organizationId);
  const roles = await placeRows(
    applying,
    roleRule,
    roleNames.map((role) => ({
      id: roleIds[role],
      createdDateTime: undefined,
      path: [...path, 'roleIds', role],
      owned: { organization_id: organizationId, name: role },
    })),
  );
  const roleId = (role: OrganizationRoleName) => roles[roleNames.indexOf(role)]?.id as string;
  const rows = users.map((user, index) =>
    declaredUser(applying, user, {
      organizationId,
      roleId: roleId(user.role),
      path: [...top, 'users', index],
    }),
  );
  const placedUsers = await placeRows(applying, userRule, rows);
  const created = users.filter((_, index) => placedUsers[index]?.created);
  const userIds = new Map(
    users.map(({ email }, index) => [email.toLowerCase(), placedUsers[index]?.id as string]),
  );
  await enrolFactors(applying, created, userIds);
  return { organizationId, userIds };
}

function declaredUser(
  { environment }: Applying,
  user: UserDeclaration,
  { organizationId, roleId, path }: { organizationId: string; roleId: string; path: Path },
): Declared {
  const derive = (part: string) => derivedId(environment, part, organizationId, user.email.toLowerCase());
  return {
    id: user.id,
    createdDateTime: user.createdDateTime,
    path,
    owned: {
      organization_id: organizationId,
      email: user.email,
      // Where none is declared, what was once derived stays, whatever becomes of the address.
      ...(user.idpId === undefined ? {} : { idp_id: user.idpId }),
    },
    initial: {
      idp_id: user.idpId ?? derive('idp'),
      profile_id: user.profileId ?? derive('profile'),
      role_id: roleId,
      first_name: user.firstName,
      last_name: user.lastName,
      title: user.title,
      status: user.status,
      last_signed_in_at: user.lastSignedInAt ?? null,
    },
  };
}

/** Of new users only: factors of the others may have been reset through the API since. */
async function enrolFactors(
  { environment, database, changes, nextMoment }: Applying,
  users: UserDeclaration[],
  userIds: Map<string, string>,
): Promise<void> {
  const factors = users.flatMap(({ email, mfaFactors }) =>
    mfaFactors.map((type) => {
      const userId = userIds.get(email.toLowerCase()) as string;
      return {
        id: derivedId(environment, 'mfa factor', userId, type),
        user_id: userId,
        type,
        enrolled_at: nextMoment(),
      };
    }),
  );
  await insertRows(database, 'mfa_factors', factors);
  changes['mfa factors'].created += factors.length;
}
