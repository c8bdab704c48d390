import { refuse } from '../../contract/index.ts';
import { accessTokenSeconds, type BearerTokens } from '../domain/bearer-tokens.ts';
import type { HandlersOf } from '../http/operation.ts';
import type { OtherEnvironment } from '../http/other-environment.ts';
import * as auth from '../store/auth.ts';

export const handlers = ({
  tokens,
  otherEnvironment,
  now,
}: {
  tokens: BearerTokens;
  otherEnvironment: OtherEnvironment | undefined;
  now(): Date;
}): HandlersOf<'auth'> => {
  const issueTokens = async ({ claims, expiresAt }: Extract<auth.Grant, { kind: 'granted' }>) => {
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
      if (grant.kind === 'granted') return issueTokens(grant);
      return (await otherEnvironment?.refusalOfApiKey(body)) ?? refuse(401, 'credentials_invalid');
    },

    async refreshTokens({ body, database }) {
      const { refreshToken } = body;
      const verdict = await tokens.verifyRefresh(refreshToken, now());
      if (verdict.kind !== 'valid')
        return (
          (await otherEnvironment?.refusalOfRefreshToken(refreshToken)) ?? refuse(401, 'credentials_invalid')
        );
      const grant = await auth.rotate(database, verdict.claims, now);
      return grant.kind === 'granted' ? issueTokens(grant) : refuse(401, 'credentials_invalid');
    },
  };
};
