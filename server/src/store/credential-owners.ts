import { sql } from 'kysely';
import { isUuid } from '../domain/identifiers.ts';
import type { Database } from './database.ts';

/** The users that an operator may mean by an e-mail address or identifier, two at most: of several organizations. */
export function usersNamed(database: Database, reference: string) {
  return database
    .selectFrom('users')
    .select(['id', 'email', 'organization_id as organizationId', 'status'])
    .where(
      isUuid(reference)
        ? sql<boolean>`id = ${reference}`
        : sql<boolean>`lower(email) = lower(${reference.normalize('NFC')})`,
    )
    .limit(2)
    .execute();
}

/** The workspaces of an organization that an operator may mean by a name or identifier, two at most. */
export function workspacesNamed(database: Database, organizationId: string, reference: string) {
  return database
    .selectFrom('workspaces')
    .select(['id', 'name'])
    .where('organization_id', '=', organizationId)
    .where(sql<boolean>`(id::text = lower(${reference}) or name = ${reference.normalize('NFC')})`)
    .limit(2)
    .execute();
}
