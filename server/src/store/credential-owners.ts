import { sql } from 'kysely';
import { isUuid } from '../domain/identifiers.ts';
import type { Database } from './database.ts';
import type { UserStatus } from './schema.ts';

/** The user that an operator names by e-mail address or identifier. */
export type UserReference =
  | { kind: 'found'; user: { id: string; email: string; organizationId: string; status: UserStatus } }
  /** `ambiguous`: users of several organizations have this address. */
  | { kind: 'unknown' | 'ambiguous' };

export async function resolveUser(database: Database, reference: string): Promise<UserReference> {
  const [user, second] = await database
    .selectFrom('users')
    .select(['id', 'email', 'organization_id as organizationId', 'status'])
    .where(
      isUuid(reference)
        ? sql<boolean>`id = ${reference}`
        : sql<boolean>`lower(email) = lower(${reference.normalize('NFC')})`,
    )
    .limit(2)
    .execute();
  if (second) return { kind: 'ambiguous' };
  return user ? { kind: 'found', user } : { kind: 'unknown' };
}

/** The workspace that an operator names by name or identifier. */
export type WorkspaceReference =
  | { kind: 'found'; workspace: { id: string; name: string } }
  | { kind: 'unknown' | 'ambiguous' };

export async function resolveWorkspace(
  database: Database,
  organizationId: string,
  reference: string,
): Promise<WorkspaceReference> {
  const [workspace, second] = await database
    .selectFrom('workspaces')
    .select(['id', 'name'])
    .where('organization_id', '=', organizationId)
    .where(sql<boolean>`(id::text = lower(${reference}) or name = ${reference.normalize('NFC')})`)
    .limit(2)
    .execute();
  if (second) return { kind: 'ambiguous' };
  return workspace ? { kind: 'found', workspace } : { kind: 'unknown' };
}
