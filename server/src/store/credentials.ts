import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { newApiKey } from '../domain/api-key.ts';
import { isUuid } from '../domain/identifiers.ts';
import { isOrganizationToken, newOrganizationToken, secretDigest } from '../domain/organization-token.ts';
import type { Database } from './database.ts';
import { isoTime } from './iso-time.ts';

/** A credential has the user's permissions; files uploaded with it belong to the home workspace. */
export interface CredentialOwner {
  userId: string;
  homeWorkspaceId: string;
  /** What the credential is for, chosen by its owner. */
  name: string;
}

/** A credential without its secret, which is shown only once. */
export interface CredentialEntry {
  id: string;
  name: string;
  /** The public half of an API key. */
  key?: string;
  user: { id: string; email: string };
  workspace: { id: string; name: string };
  createdDateTime: string;
  revokedDateTime: string | null;
}

/** The token is not stored and cannot be retrieved again. */
export async function createOrganizationToken(
  database: Database,
  { userId, homeWorkspaceId, name }: CredentialOwner,
  now: Date,
): Promise<{ id: string; token: string }> {
  const id = randomUUID();
  const token = newOrganizationToken();
  await database
    .insertInto('organization_tokens')
    .values({
      id,
      name,
      user_id: userId,
      home_workspace_id: homeWorkspaceId,
      created_at: now,
      sha256: secretDigest(token),
    })
    .execute();
  return { id, token };
}

/** The secret is not stored and cannot be retrieved again. */
export async function createApiKey(
  database: Database,
  { userId, homeWorkspaceId, name }: CredentialOwner,
  now: Date,
): Promise<{ id: string; key: string; secret: string }> {
  const id = randomUUID();
  const { key, secret } = newApiKey();
  await database
    .insertInto('api_keys')
    .values({
      id,
      key,
      name,
      user_id: userId,
      home_workspace_id: homeWorkspaceId,
      created_at: now,
      secret_sha256: secretDigest(secret),
    })
    .execute();
  return { id, key, secret };
}

export interface CredentialFilter {
  /** Default: all users. */
  userId?: string | undefined;
  /** Include revoked credentials. Default: false. */
  revoked?: boolean;
}

/** In order of creation. */
export async function listOrganizationTokens(
  database: Database,
  filter: CredentialFilter = {},
): Promise<CredentialEntry[]> {
  return listCredentials(database, 'organization_tokens', filter);
}

/** In order of creation. */
export async function listApiKeys(
  database: Database,
  filter: CredentialFilter = {},
): Promise<CredentialEntry[]> {
  return listCredentials(database, 'api_keys', filter);
}

type CredentialTable = 'organization_tokens' | 'api_keys';

async function listCredentials(
  database: Database,
  table: CredentialTable,
  { userId, revoked = false }: CredentialFilter,
): Promise<CredentialEntry[]> {
  const { rows } = await sql<CredentialEntry>`
    select c.id, c.name, ${table === 'api_keys' ? sql`c.key,` : sql``}
      json_build_object('id', u.id, 'email', u.email) as "user",
      json_build_object('id', w.id, 'name', w.name) as workspace,
      ${isoTime('c.created_at')} as "createdDateTime", ${isoTime('c.revoked_at')} as "revokedDateTime"
    from ${sql.table(table)} c join users u on u.id = c.user_id join workspaces w on w.id = c.home_workspace_id
    where (${userId ?? null}::uuid is null or c.user_id = ${userId ?? null}::uuid) and (${revoked} or c.revoked_at is null)
    order by c.created_at, c.id`.execute(database);
  return rows;
}

export type Revocation = 'revoked' | 'already_revoked' | 'unknown';

/**
 * Revokes an organization token immediately.
 *
 * @param reference its identifier, or the token itself, for example one that was found in a log
 */
export async function revokeOrganizationToken(
  database: Database,
  reference: string,
  now: Date,
): Promise<Revocation> {
  const row = await database
    .selectFrom('organization_tokens')
    .select('id')
    .where((where) =>
      isOrganizationToken(reference)
        ? where('sha256', '=', secretDigest(reference))
        : where('id', '=', uuidOrNone(reference)),
    )
    .executeTakeFirst();
  return revoke(database, 'organization_tokens', row?.id, now);
}

/**
 * Revokes an API key immediately, and with it every token issued for it.
 *
 * @param reference its identifier or its public half
 */
export async function revokeApiKey(database: Database, reference: string, now: Date): Promise<Revocation> {
  const row = await database
    .selectFrom('api_keys')
    .select('id')
    .where((where) => where.or([where('id', '=', uuidOrNone(reference)), where('key', '=', reference)]))
    .executeTakeFirst();
  return revoke(database, 'api_keys', row?.id, now);
}

async function revoke(
  database: Database,
  table: CredentialTable,
  id: string | undefined,
  now: Date,
): Promise<Revocation> {
  if (id === undefined) return 'unknown';
  const revoked = await database
    .updateTable(table)
    .set({ revoked_at: now })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return revoked ? 'revoked' : 'already_revoked';
}

/** The nil UUID, which no row has, for text that is not a UUID, on which PostgreSQL would fail. */
function uuidOrNone(text: string): string {
  return isUuid(text) ? text : '00000000-0000-0000-0000-000000000000';
}
