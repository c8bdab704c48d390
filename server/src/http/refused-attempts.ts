import type { Request } from 'express';
import { budgetAddress } from './client-address.ts';
import { beyondBudget, secondsLeft, windowStart } from './rate-limits.ts';

/** Maximum number of addresses counted separately in a window, about 5 MB. All others share one count. */
const defaultMostAddresses = 50_000;
/** No address looks like this. */
const allOthers = 'others';

/**
 * Counts a request of its address.
 *
 * @throws Refused 429 if the address has used up its budget for this minute
 */
export type CountRequest = (request: Pick<Request, 'ip' | 'socket'>) => void;

/** Counts a refused attempt: invalid credentials, or a forged callback or link token. @throws Refused 429 */
export type CountRefused = CountRequest;

/**
 * The budget of refused attempts (decision 37).
 *
 * @param limit attempts per minute and address
 */
export function refusedAttempts(
  limit: number,
  now: () => number,
  mostAddresses = defaultMostAddresses,
): CountRefused {
  const message = `More than ${limit} attempts a minute from this address were refused.`;
  return addressBudget({ policy: 'refused-attempts', limit, message }, now, mostAddresses);
}

/**
 * A budget of each address that each process counts in memory: with a budget leased from PostgreSQL, requests that
 * otherwise cost no statement would cause writes. N processes therefore allow N budgets.
 *
 * @param budget `limit`: requests per minute and address; `message`: of the 429
 */
export function addressBudget(
  { policy, limit, message }: { policy: string; limit: number; message: string },
  now: () => number,
  mostAddresses = defaultMostAddresses,
): CountRequest {
  const counts = new Map<string, number>();
  let start = 0;
  return (request) => {
    const at = now();
    if (windowStart(at) !== start) {
      start = windowStart(at);
      counts.clear();
    }
    const address = budgetAddress(request);
    const subject = counts.has(address) || counts.size < mostAddresses ? address : allOthers;
    const count = (counts.get(subject) ?? 0) + 1;
    counts.set(subject, count);
    if (count > limit) throw beyondBudget({ policy, limit }, secondsLeft(at), message);
  };
}
