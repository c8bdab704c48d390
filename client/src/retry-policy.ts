/** When a call is retried, and when it times out. */
export interface RetryPolicy {
  /**
   * Maximum number of retries after a transient failure. Default: 2. Only safe requests are retried: GET, PUT,
   * DELETE, and POST with an `Idempotency-Key`, which the client adds. 0: no retries, and no key is added.
   */
  retries?: number;
  /** Timeout of the whole call in milliseconds, including retries and backoff. Default: none. */
  timeout?: number;
  /** Timeout of each attempt in milliseconds. Default: 30,000. */
  attemptTimeout?: number;
}

const initialBackoff = 500;
const maxBackoff = 8_000;
/** Rate limit windows last a minute. The caller decides whether to wait longer. */
const maxRetryAfter = 60_000;
const transientStatuses = [408, 429, 500, 502, 503, 504];

/** @returns Whether the same request may soon succeed. */
export function isTransient({ response, error }: { response: Response; error?: unknown }): boolean {
  if (response.status !== 409) return transientStatuses.includes(response.status);
  const body = error as { errors?: { code?: string }[] } | undefined;
  return body?.errors?.[0]?.code === 'idempotency_key_in_use';
}

/**
 * The delay before a retry: `Retry-After` plus exponential backoff with full jitter, so that clients which failed
 * together do not retry together.
 *
 * @param retries How many retries were already made.
 * @returns Milliseconds; undefined if `Retry-After` exceeds the maximum.
 */
export function retryDelay(retries: number, response?: Response): number | undefined {
  const retryAfter = (response && retryAfterMilliseconds(response)) ?? 0;
  if (retryAfter > maxRetryAfter) return undefined;
  return retryAfter + Math.random() * Math.min(maxBackoff, initialBackoff * 2 ** retries);
}

/** @returns The delay in `Retry-After` (RFC 9110, section 10.2.3); undefined if it is missing or invalid. */
export function retryAfterMilliseconds({ headers }: Response): number | undefined {
  const value = headers.get('Retry-After') ?? '';
  const delay = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isNaN(delay) ? undefined : Math.max(0, delay);
}
