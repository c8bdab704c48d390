import { refuse } from '../../contract/index.ts';
import { accessTokenSeconds, type BearerTokens } from '../domain/bearer-tokens.ts';
import { invalidExchange, signInRevoked } from '../http/credentials.ts';
import type { HandlersOf } from '../http/operation.ts';
import type { OtherEnvironment } from '../http/other-environment.ts';
import * as auth from '../store/auth.ts';

/** For the holder of a token that the platform issued. */
const messages = {
  expired: 'The refresh token has expired: sign in with the API key again.',
  reused:
    'The refresh token was used already, so all tokens of its sign-in are revoked: sign in with the API key again.',
  revoked: signInRevoked,
};

export const handlers = ({
  tokens,
  otherEnvironment,
  now,
}: {
  tokens: BearerTokens;
  otherEnvironment: OtherEnvironment | undefined;
  now(): Date;
}): HandlersOf<'auth'> => {
  const issueTokens = async ({ claims, expiresAt }: auth.Grant) => {
    const at = now();
    const body = {
      accessToken: await tokens.access(claims.family, at),
      refreshToken: await tokens.refresh(claims, expiresAt, at),
      tokenType: 'Bearer' as const,
      expiryDuration: accessTokenSeconds,
    };
    return { status: 200 as const, body };
  };

  return {
    async exchangeApiKey({ body, database }) {
      const grant = await auth.signIn(database, body, now());
      if (grant) return issueTokens(grant);
      return (await otherEnvironment?.refusalOfApiKey(body)) ?? invalidExchange(body);
    },

    async refreshTokens({ body, database }) {
      const { refreshToken } = body;
      const verdict = await tokens.verifyRefresh(refreshToken, now());
      if (verdict.kind === 'expired')
        return refuse(401, 'credentials_invalid', { message: messages.expired });
      if (verdict.kind !== 'valid')
        return (await otherEnvironment?.refusalOfRefreshToken(refreshToken)) ?? invalidExchange(body);
      const grant = await auth.rotate(database, verdict.claims, now);
      if (grant.kind === 'granted') return issueTokens(grant);
      return refuse(401, 'credentials_invalid', { message: messages[grant.kind] });
    },
  };
};
