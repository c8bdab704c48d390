import { randomUUID } from 'node:crypto';
import { errors, jwtVerify, SignJWT } from 'jose';
import type { DerivedKeys } from './derived-keys.ts';
import { isUuid } from './identifiers.ts';

/** Lifetime of an access token, in seconds. */
export const accessTokenSeconds = 300;
/** Maximum lifetime of a token family, however often it is rotated (RFC 9700). */
export const refreshAbsoluteSeconds = 30 * 24 * 3600;
/** Lifetime of an unused refresh token. */
export const refreshIdleSeconds = 7 * 24 * 3600;
/** How long the previous refresh token may be reused, in case the response to its first use was lost. */
export const refreshGraceSeconds = 10;

/** Base64url has no padding (RFC 7515, section 2), but jose accepts it: each token would have several spellings. */
const compact = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** The claims of a sign-in: `family` identifies it, `generation` counts rotations. */
export interface RefreshClaims {
  family: string;
  generation: number;
}

export type Verdict<Claims> = { kind: 'valid'; claims: Claims } | { kind: 'expired' } | { kind: 'invalid' };

export type BearerTokens = ReturnType<typeof bearerTokens>;

/**
 * Signs and verifies the JWTs of one environment. Access and refresh tokens have different audiences, so neither
 * is accepted as the other; each environment has its own key.
 *
 * @param keys for HS256, because only this platform verifies its tokens
 */
export function bearerTokens(keys: DerivedKeys) {
  const sign = (claims: Record<string, unknown>, audience: string, now: Date, expiresAt: Date) =>
    new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .setIssuer('wrp')
      .setAudience(audience)
      // Without it, a token that is renewed within a second would be the same.
      .setJti(randomUUID())
      .setIssuedAt(seconds(now))
      .setExpirationTime(seconds(expiresAt))
      .sign(keys.current);

  const verify = async (
    token: string,
    audience: string,
    now: Date,
    [key, ...others] = keys.accepted,
  ): Promise<Verdict<{ sid: string; gen: number }>> => {
    if (!key || !compact.test(token)) return { kind: 'invalid' };
    try {
      const { payload } = await jwtVerify<{ sid: string; gen: number }>(token, key, {
        algorithms: ['HS256'],
        issuer: 'wrp',
        audience,
        currentDate: now,
        requiredClaims: ['sid', 'exp'],
      });
      return typeof payload.sid === 'string' && isUuid(payload.sid)
        ? { kind: 'valid', claims: payload }
        : { kind: 'invalid' };
    } catch (error) {
      if (error instanceof errors.JWSSignatureVerificationFailed) return verify(token, audience, now, others);
      return { kind: error instanceof errors.JWTExpired ? 'expired' : 'invalid' };
    }
  };

  return {
    access: (family: string, now: Date) =>
      sign({ sid: family }, 'access', now, new Date(now.getTime() + accessTokenSeconds * 1000)),
    refresh: ({ family, generation }: RefreshClaims, expiresAt: Date, now: Date) =>
      sign({ sid: family, gen: generation }, 'refresh', now, expiresAt),
    verifyAccess: async (token: string, now: Date): Promise<Verdict<{ family: string }>> => {
      const verdict = await verify(token, 'access', now);
      return verdict.kind === 'valid' ? { kind: 'valid', claims: { family: verdict.claims.sid } } : verdict;
    },
    verifyRefresh: async (token: string, now: Date): Promise<Verdict<RefreshClaims>> => {
      const verdict = await verify(token, 'refresh', now);
      if (verdict.kind !== 'valid') return verdict;
      if (!Number.isSafeInteger(verdict.claims.gen)) return { kind: 'invalid' };
      return { kind: 'valid', claims: { family: verdict.claims.sid, generation: verdict.claims.gen } };
    },
  };
}

function seconds(moment: Date): number {
  return Math.floor(moment.getTime() / 1000);
}
