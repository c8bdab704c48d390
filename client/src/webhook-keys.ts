import { orAbort } from './abort.ts';
import { baseUrlOf } from './base-url.ts';
import { decodeBase64 } from './base64url.ts';
import { ConnectionError, operationsOfResponses } from './errors.ts';
import { identification } from './identification.ts';
import { withRetries } from './retries.ts';
import type { RetryPolicy } from './retry-policy.ts';
import { errorOf } from './status-errors.ts';

/** Where to fetch the public keys. */
export interface WebhookKeySource extends RetryPolicy {
  /** The platform's URL. Production and the sandbox sign with separate keys. */
  baseUrl: string;
  /** Replaces the global `fetch`. */
  fetch?: (request: Request) => Promise<Response>;
}

/** `CryptoKey`, which Node's types do not declare globally. */
type Key = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

interface CachedKey {
  /** Undefined: the key does not exist. */
  key: Promise<Key | undefined>;
  expiresAt: number;
  /** When it is no longer used even if it cannot be fetched again; 0 for a key that does not exist. */
  staleUntil: number;
}

export const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

/** Fetch each key at least once an hour, so that a revoked key stops working. */
const maxCacheTime = 3_600_000;
/** Cache misses briefly: a new key may be published soon, but forged key IDs must not cause a request each. */
const missCacheTime = 10_000;
/**
 * How long an expired key is still used while it cannot be fetched again. A key that no longer exists ends at once.
 */
const staleTime = 600_000;
/** Anyone can send unknown key IDs; they must neither fill the memory nor evict existing keys. */
const maxCachedKeys = 100;

/** Returns the platform's public key for a `kid`, cached according to its `Cache-Control`. */
export function webhookKeys(source: WebhookKeySource): (kid: string) => Promise<Key | undefined> {
  const keysUrl = `${baseUrlOf(source.baseUrl)}/auth/webhooks/key/`;
  const cache = new Map<string, CachedKey>();

  const load = async (
    keyId: string,
    entry: CachedKey,
    expired: CachedKey | undefined,
  ): Promise<Key | undefined> => {
    try {
      const { response, data } = await fetchText(`${keysUrl}${keyId}`, source);
      if (response.status === 404) {
        entry.expiresAt = Date.now() + missCacheTime;
        return undefined;
      }
      if (!response.ok) throw errorOf(response, await new Response(data).json().catch(() => undefined));
      const [, seconds = 0] = /max-age=(\d+)/.exec(response.headers.get('Cache-Control') ?? '') ?? [];
      entry.expiresAt = Date.now() + Math.min(maxCacheTime, Number(seconds) * 1000);
      const key = await crypto.subtle.importKey('spki', decodeBase64(data), algorithm, false, ['verify']);
      entry.staleUntil = entry.expiresAt + staleTime;
      return key;
    } catch (error) {
      const now = Date.now();
      if (expired && now < expired.staleUntil) {
        cache.set(keyId, { ...expired, expiresAt: Math.min(now + missCacheTime, expired.staleUntil) });
        return expired.key;
      }
      cache.delete(keyId);
      throw error;
    }
  };

  return (kid: string): Promise<Key | undefined> => {
    const cached = cache.get(kid);
    if (cached && Date.now() < cached.expiresAt) return cached.key;
    cache.delete(kid);
    if (cache.size >= maxCachedKeys) {
      // The oldest key that does not exist, otherwise the oldest key.
      const [evicted] = [...cache].find(([, { staleUntil }]) => staleUntil === 0) ?? [...cache.keys()];
      cache.delete(evicted as string);
    }
    const entry = { expiresAt: Number.POSITIVE_INFINITY, staleUntil: 0 } as CachedKey;
    cache.set(kid, entry);
    entry.key = load(kid, entry, cached);
    return entry.key;
  };
}

/** Smaller in a bundle than a client. */
function fetchText(
  url: string,
  { fetch = globalThis.fetch, ...policy }: WebhookKeySource,
): Promise<{ response: Response; data: string }> {
  const operation = `GET ${url}`;
  const attempt = async (signal: AbortSignal, retryCount: number) => {
    const request = new Request(url, { signal, redirect: 'error', headers: [identification(retryCount)] });
    const read = async () => {
      const response = await fetch(request);
      operationsOfResponses.set(response, operation);
      return { response, data: await response.text() };
    };
    return orAbort(read(), signal).catch((error) => {
      throw new ConnectionError(error, new URL(request.url).origin);
    });
  };
  // Shorter than the platform waits for a receiver.
  return withRetries(operation, attempt, {
    attemptTimeout: 5_000,
    timeout: 10_000,
    ...policy,
  });
}
