import { type Refusal, refuse } from '../../contract/index.ts';
import type { BearerTokens } from '../domain/bearer-tokens.ts';
import { isOrganizationToken, secretDigest } from '../domain/organization-token.ts';
import type { Credential } from '../store/access.ts';

/** RFC 6750, section 2.1: the scheme in any case, spaces, one token. */
const bearer = /^bearer +([A-Za-z0-9\-._~+/]+=*)$/i;

/**
 * Reads the Authorization header: an organization token, or `Bearer` and an access token. A value that cannot be a
 * credential is refused here (401); any other is still to be looked up.
 */
export function readCredential(
  header: string | undefined,
  tokens: BearerTokens,
  now: Date,
): Credential | Refusal | Promise<Credential | Refusal> {
  if (!header) return refuse(401, 'credentials_missing');
  if (isOrganizationToken(header)) return { scheme: 'organizationToken', sha256: secretDigest(header) };
  const token = accessTokenIn(header);
  if (typeof token !== 'string') return token;
  return verify(token, tokens, now);
}

/** The token behind `Bearer`. An organization token there is a usual mistake, and refused with its own message. */
export function accessTokenIn(header: string): string | Refusal {
  const token = bearer.exec(header)?.[1];
  if (!token) return refuse(401, 'credentials_invalid');
  if (!token.startsWith('tot_')) return token;
  const message = 'Send an organization token without "Bearer": Authorization: tot_…';
  return refuse(401, 'credentials_invalid', { message });
}

async function verify(token: string, tokens: BearerTokens, now: Date): Promise<Credential | Refusal> {
  const verdict = await tokens.verifyAccess(token, now);
  switch (verdict.kind) {
    case 'valid':
      return { scheme: 'accessToken', family: verdict.claims.family };
    case 'expired':
      return refuse(401, 'token_expired');
    case 'invalid':
      return refuse(401, 'credentials_invalid');
  }
}
