import { retryAfterMilliseconds } from './retry-after.ts';

/** How long and how often a call is tried. */
export interface Patience {
  /**
   * How often a call is repeated after a failure that may pass; 2 unless told. Only what is safe to repeat is: GET,
   * PUT and DELETE, and POST with an `Idempotency-Key`, which is added where the contract takes one. 0: a call is
   * one request, and no key is added.
   */
  retries?: number;
  /** Milliseconds for the whole call with its repeats and pauses; no end unless told. */
  timeout?: number;
  /** Milliseconds until one attempt must be answered; 30,000 unless told. */
  attemptTimeout?: number;
}

export const defaultPatience: { retries: number; attemptTimeout: number } = {
  retries: 2,
  attemptTimeout: 30_000,
};

const firstBackoff = 500;
const longestBackoff = 8_000;
/** A longer `Retry-After` is for the caller to wait out: the windows of the platform's budgets are a minute. */
const longestRetryAfter = 60_000;

/** Statuses that say nothing about the request itself. */
const passing = [408, 429, 500, 502, 503, 504];

/** @returns Whether the same request may get another answer soon. */
export function mayPass({ response, error }: { response: Response; error?: unknown }): boolean {
  if (response.status !== 409) return passing.includes(response.status);
  const { errors } = (error ?? {}) as { errors?: { code?: string }[] };
  return errors?.[0]?.code === 'idempotency_key_in_use';
}

/**
 * The pause before a repeat: exponential backoff with full jitter, so that clients which failed together do not
 * return together, on top of what `Retry-After` asks for.
 *
 * @param repeats how many there were already
 * @returns milliseconds; undefined where the platform asks for more than is waited
 */
export function pauseBefore(repeats: number, response?: Response): number | undefined {
  const asked = (response && retryAfterMilliseconds(response)) ?? 0;
  if (asked > longestRetryAfter) return undefined;
  return asked + Math.random() * Math.min(longestBackoff, firstBackoff * 2 ** repeats);
}
