import { refuse } from '../../contract/index.ts';
import { accessTokenSeconds, type BearerTokens } from '../domain/bearer-tokens.ts';
import type { HandlersOf } from '../http/operation.ts';
import * as auth from '../store/auth.ts';

export const handlers = ({ tokens, now }: { tokens: BearerTokens; now(): Date }): HandlersOf<'auth'> => {
  const issueTokens = async (grant: auth.Grant) => {
    const at = now();
    if (grant.kind === 'refused') return refuse(401, 'credentials_invalid');
    const body = {
      accessToken: await tokens.access(grant.claims.family, at),
      refreshToken: await tokens.refresh(grant.claims, grant.expiresAt, at),
      tokenType: 'Bearer' as const,
      expiryDuration: accessTokenSeconds,
    };
    return { status: 200 as const, body };
  };

  return {
    async exchangeApiKey({ body, database }) {
      return issueTokens(await auth.signIn(database, body, now()));
    },

    async refreshTokens({ body, database }) {
      const verdict = await tokens.verifyRefresh(body.refreshToken, now());
      if (verdict.kind !== 'valid') return refuse(401, 'credentials_invalid');
      return issueTokens(await auth.rotate(database, verdict.claims, now));
    },
  };
};
