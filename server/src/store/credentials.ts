import { randomUUID } from 'node:crypto';
import { newApiKey } from '../domain/api-key.ts';
import { isUuid } from '../domain/identifiers.ts';
import { isOrganizationToken, newOrganizationToken, secretDigest } from '../domain/organization-token.ts';
import type { Database } from './database.ts';

/** For whom a credential is: it acts with the user's permissions, and what it uploads belongs to the workspace. */
export interface CredentialOwner {
  userId: string;
  homeWorkspaceId: string;
  /** What the credential is for, in the words of whoever keeps it. */
  name: string;
}

/** A credential as far as it is known once its secret has been given out. */
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

/** The token is not stored and cannot be had again. */
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
      ...{ id, name, user_id: userId, home_workspace_id: homeWorkspaceId, created_at: now },
      sha256: secretDigest(token),
    })
    .execute();
  return { id, token };
}

/** The secret is not stored and cannot be had again. */
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
      ...{ id, key, name, user_id: userId, home_workspace_id: homeWorkspaceId, created_at: now },
      secret_sha256: secretDigest(secret),
    })
    .execute();
  return { id, key, secret };
}

/** Which credentials to list: one user's, and only those that still work, unless told otherwise. */
export interface CredentialFilter {
  userId?: string | undefined;
  revoked?: boolean;
}

/** In the order of creation. */
export async function listOrganizationTokens(
  database: Database,
  { userId, revoked = false }: CredentialFilter = {},
): Promise<CredentialEntry[]> {
  let query = database
    .selectFrom('organization_tokens as c')
    .innerJoin('users as u', 'u.id', 'c.user_id')
    .innerJoin('workspaces as w', 'w.id', 'c.home_workspace_id')
    .select(['c.id', 'c.name', 'c.created_at', 'c.revoked_at'])
    .select(['u.id as user_id', 'u.email', 'w.id as workspace_id', 'w.name as workspace'])
    .orderBy('c.created_at')
    .orderBy('c.id');
  if (userId !== undefined) query = query.where('c.user_id', '=', userId);
  if (!revoked) query = query.where('c.revoked_at', 'is', null);
  return (await query.execute()).map(toEntry);
}

/** In the order of creation. */
export async function listApiKeys(
  database: Database,
  { userId, revoked = false }: CredentialFilter = {},
): Promise<CredentialEntry[]> {
  let query = database
    .selectFrom('api_keys as c')
    .innerJoin('users as u', 'u.id', 'c.user_id')
    .innerJoin('workspaces as w', 'w.id', 'c.home_workspace_id')
    .select(['c.id', 'c.name', 'c.key', 'c.created_at', 'c.revoked_at'])
    .select(['u.id as user_id', 'u.email', 'w.id as workspace_id', 'w.name as workspace'])
    .orderBy('c.created_at')
    .orderBy('c.id');
  if (userId !== undefined) query = query.where('c.user_id', '=', userId);
  if (!revoked) query = query.where('c.revoked_at', 'is', null);
  return (await query.execute()).map((row) => ({ ...toEntry(row), key: row.key }));
}

export type Revocation = 'revoked' | 'already_revoked' | 'unknown';

/**
 * Ends an organization token at once.
 *
 * @param reference its identifier, or the token itself, which is all one has of a token that was found somewhere
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
  if (!row) return 'unknown';
  const revoked = await database
    .updateTable('organization_tokens')
    .set({ revoked_at: now })
    .where('id', '=', row.id)
    .where('revoked_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return revoked ? 'revoked' : 'already_revoked';
}

/**
 * Ends an API key at once, and with it every token that was had for it.
 *
 * @param reference its identifier, or its public half
 */
export async function revokeApiKey(database: Database, reference: string, now: Date): Promise<Revocation> {
  const row = await database
    .selectFrom('api_keys')
    .select('id')
    .where((where) => where.or([where('id', '=', uuidOrNone(reference)), where('key', '=', reference)]))
    .executeTakeFirst();
  if (!row) return 'unknown';
  const revoked = await database
    .updateTable('api_keys')
    .set({ revoked_at: now })
    .where('id', '=', row.id)
    .where('revoked_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return revoked ? 'revoked' : 'already_revoked';
}

type Row = Record<'id' | 'name' | 'user_id' | 'email' | 'workspace_id' | 'workspace', string> & {
  created_at: Date;
  revoked_at: Date | null;
};

function toEntry(row: Row): CredentialEntry {
  return {
    id: row.id,
    name: row.name,
    user: { id: row.user_id, email: row.email },
    workspace: { id: row.workspace_id, name: row.workspace },
    createdDateTime: row.created_at.toISOString(),
    revokedDateTime: row.revoked_at?.toISOString() ?? null,
  };
}

/** PostgreSQL fails on a text that is no UUID; nothing has this one. */
function uuidOrNone(text: string): string {
  return isUuid(text) ? text : '00000000-0000-0000-0000-000000000000';
}
