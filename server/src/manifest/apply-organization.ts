import { sql } from 'kysely';
import { parseTimestamp } from '../../json/index.ts';
import { lockOrganization } from '../store/authority.ts';
import type { Database } from '../store/database.ts';
import type { EnvironmentDeclaration, Path, UserDeclaration } from './platform-file.ts';
import { type ApplyContext, derivedId, insertRows, upsertRows } from './rows.ts';

export interface AppliedOrganization {
  organizationId: string;
  /** Ids of users whose email addresses the file mentions, in their order. Fails if the organization has no such user. */
  userIdsOf(mentions: { user: string; path: Path }[]): Promise<string[]>;
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
  await assertOwned(context, { organizationId, name }, [...top, 'users']);
  const userIds = new Map(appliedUsers.map(({ declaration, id }) => [declaration.email.toLowerCase(), id]));
  return {
    organizationId,
    async userIdsOf(mentions) {
      const emails = mentions.map(({ user }) => user.toLowerCase());
      const others = emails.filter((email) => !userIds.has(email));
      for (const { email, id } of await usersByEmail(context.database, organizationId, others))
        userIds.set(email, id);
      const problems = mentions
        .filter(({ user }) => !userIds.has(user.toLowerCase()))
        .map(({ user, path }) => ({ path, message: `is not a user of the organization: ${user}` }));
      if (problems.length > 0) context.fail(problems);
      return emails.map((email) => userIds.get(email) as string);
    },
  };
}

/** An organization without an active owner could be administered only by its operator. */
async function assertOwned(
  { database, fail }: ApplyContext,
  { organizationId, name }: { organizationId: string; name: string },
  path: Path,
): Promise<void> {
  const { rows } = await sql`
    select from users u join organization_roles r on r.id = u.role_id
    where u.organization_id = ${organizationId} and u.status = 'ACTIVE' and r.name = 'owner' limit 1`.execute(
    database,
  );
  if (rows.length === 0) fail([{ path, message: `must include an active owner of ${name}`, atKey: true }]);
}

async function usersByEmail(
  database: Database,
  organizationId: string,
  emails: string[],
): Promise<{ email: string; id: string }[]> {
  if (emails.length === 0) return [];
  const { rows } = await sql<{ email: string; id: string }>`
    select lower(email) as email, id from users
    where organization_id = ${organizationId} and lower(email) = any(${emails}::text[])`.execute(database);
  return rows;
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
