import { randomBytes, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { isoTime } from '../../postgres-client/index.ts';
import { isUuid } from '../domain/identifiers.ts';
import { newOrganizationToken, secretDigest } from '../domain/organization-token.ts';
import { auditChange } from './audit.ts';
import type { Database } from './database.ts';

/** A credential has the user's permissions; files uploaded with it belong to the home workspace. */
export interface CredentialOwner {
  /** For the audit log. */
  organizationId?: string;
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
  { organizationId, userId, homeWorkspaceId, name }: CredentialOwner,
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
  const object = { kind: objectKinds.organization_tokens, id };
  auditChange(database, { object, organizationId, details: { userId } });
  return { id, token };
}

/** The secret is not stored and cannot be retrieved again. */
export async function createApiKey(
  database: Database,
  { organizationId, userId, homeWorkspaceId, name }: CredentialOwner,
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
  const object = { kind: objectKinds.api_keys, id };
  auditChange(database, { object, organizationId, details: { userId } });
  return { id, key, secret };
}

export interface CredentialFilter {
  /** Default: all users. */
  userId?: string | undefined;
  /** Include revoked credentials. Default: false. */
  revoked?: boolean;
}

/** The kinds of credential in the audit log, by their tables. */
const objectKinds = { organization_tokens: 'organization token', api_keys: 'api key' };
export type CredentialTable = keyof typeof objectKinds;

/** In order of creation. */
export async function listCredentials(
  database: Database,
  table: CredentialTable,
  { userId, revoked = false }: CredentialFilter = {},
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

interface RevokedRow {
  id: string;
  userId: string;
  organizationId: string;
  revoked: boolean;
}

export type Revocation = 'revoked' | 'already_revoked' | 'unknown';

/**
 * Revokes a credential immediately, and with an API key every token issued for it.
 *
 * @param reference its identifier; the public half of an API key; or an organization token itself, for example one that
 *   was found in a log
 */
export async function revokeCredential(
  database: Database,
  table: CredentialTable,
  reference: string,
  now: Date,
): Promise<Revocation> {
  const named = table === 'api_keys' ? sql`key = ${reference}` : sql`sha256 = ${secretDigest(reference)}`;
  const { rows } = await sql<RevokedRow>`
    with found as (
      select id, user_id, revoked_at from ${sql.table(table)}
      where id = ${isUuid(reference) ? reference : null}::uuid or ${named} for update),
    changed as (
      update ${sql.table(table)} c set revoked_at = ${now} from found
      where c.id = found.id and found.revoked_at is null returning c.id)
    select id, user_id as "userId", exists (select from changed) as revoked,
      (select organization_id from users where users.id = user_id) as "organizationId"
    from found`.execute(database);
  const [row] = rows;
  if (!row) return 'unknown';
  if (!row.revoked) return 'already_revoked';
  const { id, userId, organizationId } = row;
  auditChange(database, { object: { kind: objectKinds[table], id }, organizationId, details: { userId } });
  return 'revoked';
}

/**
 * Creates an API key: a public key and its secret, both shown once, to be exchanged at `/auth/authorize`. The
 * secret has 256 random bits; only its digest is stored.
 */
export function newApiKey(): { key: string; secret: string } {
  return {
    key: `wrpk_${randomBytes(12).toString('base64url')}`,
    secret: `wrps_${randomBytes(32).toString('base64url')}`,
  };
}

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
