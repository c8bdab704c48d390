import { type BearerTokens, bearerTokens } from '../../../server/src/domain/bearer-tokens.ts';
import { deriveKey } from '../../../server/src/security/server-key.ts';
import { people } from './people.ts';

/**
 * Says as whom a request acts: the mock's own people and whoever signed in at `/auth/authorize` as themselves, also
 * where their token has expired or was revoked; any other text as the owner of the demo organization.
 *
 * This is the mock's alone. It rewrites the header before the platform sees the request; the platform itself, here
 * as everywhere, takes no credential that it does not know.
 */
export type ActingAs = (authorization: string | undefined) => Promise<string | undefined>;

export function actingAs(serverKey: Buffer, now: () => Date): ActingAs {
  const tokens: BearerTokens = bearerTokens(deriveKey(serverKey, 'production', 'bearer-tokens'));
  const known = new Set<string>(Object.values(people).map(({ token }) => token));
  return async (authorization) => {
    // Nothing is nobody: that a frontend forgot its token must show.
    if (!authorization || known.has(authorization)) return authorization;
    const jwt = /^bearer +(\S+)$/i.exec(authorization)?.[1];
    const isOurs = jwt !== undefined && (await tokens.verifyAccess(jwt, now())).kind !== 'invalid';
    return isOurs ? authorization : people.owner.token;
  };
}
