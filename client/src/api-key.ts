import { bearer } from './authorization.ts';
import type { Client, TokenSource } from './client-types.ts';
import type { ApiKeyCredentials, Tokens } from './contract.ts';
import { UnauthorizedError } from './status-errors.ts';
import { unwrap } from './unwrap.ts';

/** An API key and its secret, both shown when the key is created. */
export type ApiKey = ApiKeyCredentials;

type CachedTokens = Tokens & { renewAt: number };

/** Renew this long before expiry, but no earlier than after nine tenths of the lifetime. */
const renewalMargin = 30_000;

/**
 * Signs in with an API key and renews the access token: `createClient({ baseUrl, token: apiKey({ key, secret }) })`.
 *
 * Concurrent calls share one token request. The token is renewed shortly before it expires or after a 401; if the
 * refresh token is no longer valid, the key signs in again. Create one source per client: production and the sandbox
 * have separate keys.
 *
 * @throws {UnauthorizedError} From each call, if the key itself is rejected.
 */
export function apiKey(credentials: ApiKey): TokenSource {
  let cached: CachedTokens | undefined;
  let renewal: Promise<CachedTokens> | undefined;

  const renew = async (client: Client): Promise<CachedTokens> => {
    const signIn = () => fetchTokens(client, '/auth/authorize', credentials);
    const tokens = await (cached
      ? fetchTokens(client, '/auth/refresh', { refreshToken: cached.refreshToken }).catch((error) => {
          if (error instanceof UnauthorizedError) return signIn();
          throw error;
        })
      : signIn());
    const lifetime = tokens.expiryDuration * 1000;
    cached = { ...tokens, renewAt: Date.now() + lifetime - Math.min(renewalMargin, lifetime / 10) };
    return cached;
  };

  return ({ client, rejected }) => {
    if (!renewal && cached && Date.now() < cached.renewAt && bearer(cached) !== rejected) return cached;
    renewal ??= renew(client).finally(() => {
      renewal = undefined;
    });
    return renewal;
  };
}

/** Safe to retry: after a lost response, the first tokens stay unused, and a refresh token can be used again. */
function fetchTokens(
  client: Client,
  path: '/auth/authorize' | '/auth/refresh',
  body: object,
): Promise<Tokens> {
  return unwrap(client.POST(path as '/auth/refresh', { body: body as never, idempotent: true }));
}
