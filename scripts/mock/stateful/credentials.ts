import { type BearerTokens, bearerTokens } from '../../../server/src/domain/bearer-tokens.ts';
import { wrongScheme } from '../../../server/src/http/credentials.ts';
import { deriveKey, type ServerKey } from '../../../server/src/security/server-key.ts';
import { mockUsers } from './mock-users.ts';

/**
 * Selects the caller of a request. A token of the mock, or one from `/auth/authorize`, even expired or revoked, is used
 * as it is, as is a token with the scheme of the other kind, which the platform refuses. Every other credential acts as
 * the owner of the demo organization.
 *
 * The mock rewrites the header before the platform sees the request. The platform itself accepts only credentials that
 * it knows.
 */
export type Impersonate = (authorization: string | undefined) => Promise<string | undefined>;

export function impersonating(serverKey: ServerKey, now: () => Date): Impersonate {
  const tokens: BearerTokens = bearerTokens(deriveKey(serverKey, 'production', 'bearer-tokens'));
  const known = new Set<string>(Object.values(mockUsers).map(({ token }) => token));
  return async (authorization) => {
    // A missing token stays missing, so that a frontend that forgot it sees the error.
    if (!authorization || known.has(authorization)) return authorization;
    if (wrongScheme(authorization)) return authorization;
    const jwt = /^bearer +(\S+)$/i.exec(authorization)?.[1];
    const isOurs = jwt !== undefined && (await tokens.verifyAccess(jwt, now())).kind !== 'invalid';
    return isOurs ? authorization : mockUsers.owner.token;
  };
}
