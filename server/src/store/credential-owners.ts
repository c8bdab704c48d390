import { sql } from 'kysely';
import type { Database } from './database.ts';
import type { UserStatus } from './schema.ts';

/** A user as a person names one: by e-mail address or identifier. */
export type UserReference =
  | { kind: 'found'; user: { id: string; email: string; organizationId: string; status: UserStatus } }
  /** Several: the address is one of users of several organizations. */
  | { kind: 'unknown' | 'several' };

export async function resolveUser(database: Database, reference: string): Promise<UserReference> {
  const users = await database
    .selectFrom('users')
    .select(['id', 'email', 'organization_id as organizationId', 'status'])
    .where(
      sql<boolean>`id::text = lower(${reference}) or lower(email) = lower(${reference.normalize('NFC')})`,
    )
    .limit(2)
    .execute();
  const [user, second] = users;
  if (second) return { kind: 'several' };
  return user ? { kind: 'found', user } : { kind: 'unknown' };
}

/** A workspace as a person names one: by name or identifier. */
export type WorkspaceReference =
  | { kind: 'found'; workspace: { id: string; name: string } }
  | { kind: 'unknown' | 'several' };

export async function resolveWorkspace(
  database: Database,
  organizationId: string,
  reference: string,
): Promise<WorkspaceReference> {
  const workspaces = await database
    .selectFrom('workspaces')
    .select(['id', 'name'])
    .where('organization_id', '=', organizationId)
    .where(sql<boolean>`(id::text = lower(${reference}) or name = ${reference.normalize('NFC')})`)
    .limit(2)
    .execute();
  const [workspace, second] = workspaces;
  if (second) return { kind: 'several' };
  return workspace ? { kind: 'found', workspace } : { kind: 'unknown' };
}
