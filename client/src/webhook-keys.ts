import { decodeBase64 } from './base64url.ts';
import { createClient } from './client.ts';
import type { Patience } from './patience.ts';
import { NotFoundError } from './status-errors.ts';
import { unwrap } from './unwrap.ts';

/** Where the public keys are. */
export interface WebhookKeySource extends Patience {
  /** Where the platform is. Production and the sandbox sign with keys of their own. */
  baseUrl: string;
  /** Instead of the global `fetch`. */
  fetch?: (request: Request) => Promise<Response>;
}

/** `CryptoKey` by a name that Node's types have as well. */
type Key = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

interface Kept {
  /** Undefined: there is no such key. */
  key: Promise<Key | undefined>;
  until: number;
  /** The platform has it. */
  genuine: boolean;
}

export const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

/** A key is asked for again at least once an hour: a retired one ends then, though nothing was heard of it. */
const longestKeeping = 3_600_000;
/** An unknown key can only be one that the platform is about to have; asking for it all the time helps nobody. */
const unknownKeeping = 10_000;
/** Anybody can name keys that there are not; they must neither fill the memory nor drive out those that there are. */
const mostKept = 100;

/** The platform's public keys by `kid`, each fetched once for as long as its `Cache-Control` says. */
export function webhookKeys({ baseUrl, ...options }: WebhookKeySource) {
  const client = createClient({ baseUrl, attemptTimeout: 5_000, ...options });
  const kept = new Map<string, Kept>();

  const load = async (keyId: string, entry: Kept): Promise<Key | undefined> => {
    try {
      const params = { path: { keyId } };
      const answer = await client.GET('/auth/webhooks/key/{keyId}', { params, parseAs: 'text' });
      const der = decodeBase64(await unwrap(answer));
      const [, seconds] = /max-age=(\d+)/.exec(answer.response.headers.get('Cache-Control') ?? '') ?? [];
      entry.until = Date.now() + Math.min(longestKeeping, Number(seconds ?? 0) * 1000);
      const key = await crypto.subtle.importKey('spki', der, algorithm, false, ['verify']);
      entry.genuine = true;
      return key;
    } catch (error) {
      if (error instanceof NotFoundError) {
        entry.until = Date.now() + unknownKeeping;
        return undefined;
      }
      kept.delete(keyId);
      throw error;
    }
  };

  return (kid: string): Promise<Key | undefined> => {
    const known = kept.get(kid);
    if (known && Date.now() < known.until) return known.key;
    kept.delete(kid);
    if (kept.size >= mostKept) kept.delete(leastWanted(kept));
    const entry = { until: Number.POSITIVE_INFINITY, genuine: false } as Kept;
    kept.set(kid, entry);
    entry.key = load(kid, entry);
    return entry.key;
  };
}

/** The oldest of those that there are not, else the oldest. */
function leastWanted(kept: Map<string, Kept>): string {
  const [unknown] = [...kept].find(([, { genuine }]) => !genuine) ?? [...kept.keys()];
  return unknown as string;
}
