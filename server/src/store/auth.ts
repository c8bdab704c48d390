import { randomUUID, timingSafeEqual } from 'node:crypto';
import { sql } from 'kysely';
import { deleteInBatches, withNext } from '../../postgres-client/index.ts';
import {
  accessTokenSeconds,
  type RefreshClaims,
  refreshAbsoluteSeconds,
  refreshGraceSeconds,
  refreshIdleSeconds,
} from '../domain/bearer-tokens.ts';
import { secretDigest } from '../domain/organization-token.ts';
import { auditActor, auditChange } from './audit.ts';
import type { Database } from './database.ts';

/** The claims of the next refresh token, and when it expires. */
export interface Grant {
  kind: 'granted';
  claims: RefreshClaims;
  expiresAt: Date;
}

interface SentApiKey {
  key: string;
  secret: string;
}

/** Finds an API key that is in use, if the secret is its own. An unknown key takes as long as a wrong secret. */
export async function findApiKey(
  database: Database,
  { key, secret }: SentApiKey,
): Promise<{ id: string; user_id: string; organization_id: string } | undefined> {
  const found = await database
    .selectFrom('api_keys')
    .innerJoin('users', 'users.id', 'api_keys.user_id')
    .select(['api_keys.id', 'api_keys.secret_sha256', 'api_keys.user_id', 'users.organization_id'])
    .where('api_keys.key', '=', key)
    .where('api_keys.revoked_at', 'is', null)
    .where('users.status', '=', 'ACTIVE')
    .executeTakeFirst();
  const isValid = timingSafeEqual(secretDigest(secret), found?.secret_sha256 ?? Buffer.alloc(32));
  return isValid ? found : undefined;
}

/** Signs in with an API key and its secret. */
export async function signIn(database: Database, sent: SentApiKey, now: Date): Promise<Grant | undefined> {
  const found = await findApiKey(database, sent);
  if (!found) return undefined;
  const family = randomUUID();
  await database
    .insertInto('token_families')
    .values({ id: family, api_key_id: found.id, rotated_at: now, created_at: now })
    .execute();
  await database
    .updateTable('users')
    .set({ last_signed_in_at: now })
    .where('id', '=', found.user_id)
    .execute();
  const { id, user_id: userId, organization_id: organizationId } = found;
  auditActor(database, { kind: 'caller', userId, credentialId: id });
  auditChange(database, { object: { kind: 'sign-in', id: family }, organizationId });
  return { kind: 'granted', claims: { family, generation: 1 }, expiresAt: refreshExpiry(now, now) };
}

/**
 * Rotates a refresh token that has not expired. For a few seconds the previous token can be used again, with the same
 * result as its first use. Any later reuse indicates that the token was stolen and revokes the whole family (RFC 9700).
 */
export async function rotate(
  database: Database,
  { family, generation }: RefreshClaims,
  time: () => Date,
): Promise<Grant | { kind: 'reused' | 'revoked' }> {
  const current = await database
    .selectFrom('token_families')
    .innerJoin('api_keys', 'api_keys.id', 'token_families.api_key_id')
    .innerJoin('users', 'users.id', 'api_keys.user_id')
    .select(['token_families.generation', 'token_families.rotated_at', 'token_families.created_at'])
    .where('token_families.id', '=', family)
    .where('token_families.revoked_at', 'is', null)
    .where('api_keys.revoked_at', 'is', null)
    .where('users.status', '=', 'ACTIVE')
    .forUpdate('token_families')
    .executeTakeFirst();
  if (!current) return { kind: 'revoked' };

  // Not that of the request, which may have waited for the lock: the client has its seconds from the rotation on.
  const now = time();
  if (generation === current.generation) {
    const next = generation + 1;
    await database
      .updateTable('token_families')
      .set({ generation: next, rotated_at: now })
      .where('id', '=', family)
      .modifyEnd(sql.raw(withNext))
      .execute();
    return granted(family, next, refreshExpiry(current.created_at, now));
  }
  const sinceRotation = now.getTime() - current.rotated_at.getTime();
  if (generation === current.generation - 1 && sinceRotation <= refreshGraceSeconds * 1000) {
    return granted(family, current.generation, refreshExpiry(current.created_at, current.rotated_at));
  }
  await database.updateTable('token_families').set({ revoked_at: now }).where('id', '=', family).execute();
  return { kind: 'reused' };
}

/** Deletes sign-ins whose refresh and access tokens have all expired. */
export async function deleteExpiredSignIns(database: Database, now: Date): Promise<number> {
  const oldest = new Date(now.getTime() - (refreshAbsoluteSeconds + accessTokenSeconds) * 1000);
  return deleteInBatches(
    database,
    (limit) => sql`
      with expired as materialized (
        select id from token_families where created_at < ${oldest} limit ${limit} for update skip locked)
      delete from token_families t using expired e where t.id = e.id`,
  );
}

function granted(family: string, generation: number, expiresAt: Date): Grant {
  return { kind: 'granted', claims: { family, generation }, expiresAt };
}

/** The absolute lifetime of the family, or the idle timeout if it ends first. */
function refreshExpiry(createdAt: Date, rotatedAt: Date): Date {
  const absolute = createdAt.getTime() + refreshAbsoluteSeconds * 1000;
  return new Date(Math.min(absolute, rotatedAt.getTime() + refreshIdleSeconds * 1000));
}
