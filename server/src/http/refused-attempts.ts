import type { Request } from 'express';
import { budgetAddress } from './client-address.ts';
import { beyondBudget, secondsLeft, windowStart } from './rate-limits.ts';

/** Addresses that are counted one by one in a window, about 5 MB. All others share one count. */
const defaultMostAddresses = 50_000;
/** No address is spelled like this. */
const allOthers = 'others';

/**
 * Counts one refused attempt: invalid credentials, or a callback or link token that was not made here.
 *
 * @throws Refused 429 if the address has used up its budget of the present minute
 */
export type CountRefused = (request: Pick<Request, 'ip' | 'socket'>) => void;

/**
 * The budget of refused attempts (decision 37). Each process counts for itself, in memory: a budget leased from
 * PostgreSQL would let anybody cause writes with attempts that otherwise cost no statement at all. N processes
 * therefore allow N budgets.
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
