import type { Request } from 'express';
import { budgetAddress } from './client-address.ts';
import { beyondBudget, secondsLeft, windowStart } from './rate-limits.ts';

/** Maximum number of addresses counted separately in a window, about 5 MB. All others share one count. */
const defaultMostAddresses = 50_000;
/** No address looks like this. */
const allOthers = 'others';

/**
 * Counts a refused attempt: invalid credentials, or a forged callback or link token.
 *
 * @throws Refused 429 if the address has used up its budget for this minute
 */
export type CountRefused = (request: Pick<Request, 'ip' | 'socket'>) => void;

/**
 * The budget of refused attempts (decision 37). Each process counts in memory: with a budget leased from
 * PostgreSQL, attempts that otherwise cost no statement would cause writes. N processes therefore allow N budgets.
 *
 * @param limit attempts per minute and address
 */
export function refusedAttempts(
  limit: number,
  now: () => number,
  mostAddresses = defaultMostAddresses,
): CountRefused {
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
    if (count <= limit) return;
    const message = `More than ${limit} attempts a minute from this address were refused.`;
    throw beyondBudget({ policy: 'refused-attempts', limit }, secondsLeft(at), message);
  };
}
