import { bearer, type TokenSource } from './authorization.ts';
import type { Client } from './client.ts';
import type { components } from './contract.ts';
import { UnauthorizedError } from './status-errors.ts';
import { unwrap } from './unwrap.ts';

/** An API key and its secret, as they were shown when the key was made. */
export type ApiKey = components['schemas']['ApiKeyCredentials'];

type Tokens = components['schemas']['Tokens'];
type Held = Tokens & { renewAt: number };

/** A token is renewed so long before its end, but not before nine tenths of its life. */
const earliestRenewal = 30_000;

/**
 * Signs in with an API key, and keeps the access token fresh: `createClient({ baseUrl, token: apiKey({ key, secret }) })`.
 *
 * However many calls need a token at once, one request gets it. It is renewed shortly before it expires, or when it
 * is refused; where the refresh token no longer counts, the key signs in again. One source is for one client:
 * production and the sandbox have keys of their own.
 *
 * @throws {UnauthorizedError} from the calls, where the key itself is refused.
 */
export function apiKey(credentials: ApiKey): TokenSource {
  let held: Held | undefined;
  let renewal: Promise<Held> | undefined;

  const renew = async (client: Client): Promise<Held> => {
    try {
      const tokens = held ? await refreshed(client, held, credentials) : await signedIn(client, credentials);
      const life = tokens.expiryDuration * 1000;
      held = { ...tokens, renewAt: Date.now() + life - Math.min(earliestRenewal, life / 10) };
      return held;
    } finally {
      renewal = undefined;
    }
  };

  return ({ client, rejected }) => {
    const usable = held && Date.now() < held.renewAt && bearer(held) !== rejected;
    if (!renewal && usable && held) return held;
    renewal ??= renew(client);
    return renewal;
  };
}

/** Both operations may be repeated: a lost answer leaves tokens that nobody uses, or a refresh that counts twice. */
const repeatable = { repeatable: true };

function signedIn(client: Client, body: ApiKey): Promise<Tokens> {
  return unwrap(client.POST('/auth/authorize', { body, ...repeatable }));
}

async function refreshed(client: Client, { refreshToken }: Tokens, credentials: ApiKey): Promise<Tokens> {
  try {
    return await unwrap(client.POST('/auth/refresh', { body: { refreshToken }, ...repeatable }));
  } catch (error) {
    if (error instanceof UnauthorizedError) return signedIn(client, credentials);
    throw error;
  }
}
