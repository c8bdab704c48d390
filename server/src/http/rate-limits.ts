import { isIP } from 'node:net';
import type { Request } from 'express';
import ipaddr from 'ipaddr.js';
import { Refused, refuse } from '../../contract/index.ts';

/** The length of a window, in milliseconds. */
const windowMilliseconds = 60_000;

/** The start of the window that contains `at`; both in milliseconds. */
export const windowStart = (at: number) => at - (at % windowMilliseconds);
/** Seconds until the window of `at` ends, rounded up. */
export const secondsLeft = (at: number) => Math.ceil((windowStart(at) + windowMilliseconds - at) / 1000);

export interface RateLimit {
  /** The name of the policy in the RateLimit headers. */
  policy: 'requests' | 'uploads' | 'sign-ins' | 'keys' | 'unknown-keys';
  /** Requests per minute. */
  limit: number;
}

/** Leases part of the window's budget from the shared store; see `leaseRequests`. */
export type Lease = (lease: {
  subject: string;
  windowStart: Date;
  used: number;
  wanted: number;
  limit: number;
}) => Promise<number>;

interface Window {
  /** The key in the shared store. */
  key: string;
  start: number;
  used: number;
  /** Requests that this process may still grant without the store. */
  granted: number;
  /** Requests that the store has granted or booked. */
  booked: number;
  exhausted: boolean;
  pending: Promise<void> | undefined;
}

export interface RateLimits {
  /**
   * Counts a request of a subject against its budgets.
   *
   * @param cost what it counts; a budget that is smaller is used up by it. Default: 1
   * @returns the RateLimit headers; a promise only if the store must be awaited
   * @throws Refused 429 if a budget is used up
   */
  take(
    subject: string,
    limits: readonly RateLimit[],
    cost?: number,
  ): Record<string, string> | Promise<Record<string, string>>;
}

/**
 * Counts requests in this process, from blocks of a tenth of the budget that are leased from the shared store in
 * the background, so that no request waits for it. The first block of a window is used in advance and booked with
 * the next lease; the next block is leased when half of one is left. One process keeps a budget exactly; N
 * processes may exceed it by at most N blocks. If the store is unavailable, each process has the whole budget.
 */
export function rateLimits(lease: Lease, now: () => number): RateLimits {
  /** Windows by policy, then by subject. */
  const windows: Record<RateLimit['policy'], Map<string, Window>> = {
    requests: new Map(),
    uploads: new Map(),
    'sign-ins': new Map(),
    keys: new Map(),
    'unknown-keys': new Map(),
  };
  let sweptAt = now();

  const windowOf = (policy: RateLimit['policy'], subject: string, start: number, block: number): Window => {
    const bySubject = windows[policy];
    const known = bySubject.get(subject);
    if (known?.start === start) return known;
    const key = `${policy}:${subject}`;
    const fresh = { key, start, used: 0, granted: block, booked: 0, exhausted: false, pending: undefined };
    bySubject.set(subject, fresh);
    return fresh;
  };

  const lend = (window: Window, block: number, limit: number): Promise<void> => {
    window.pending ??= (async () => {
      const used = window.granted - window.booked;
      const wanted = Math.min(block, limit - window.granted);
      const { key: subject, start } = window;
      const windowStart = new Date(start);
      const granted = await lease({ subject, windowStart, used, wanted, limit }).catch(() => wanted);
      window.granted += granted;
      window.booked = window.granted;
      window.exhausted = granted < wanted || window.granted >= limit;
      window.pending = undefined;
    })();
    return window.pending;
  };

  /** @returns the remaining budget; a promise only if the store must be awaited */
  const takeOne = (subject: string, given: RateLimit, cost: number, at: number): number | Promise<number> => {
    const { policy, limit } = given;
    const counted = Math.min(cost, limit);
    const start = windowStart(at);
    const block = Math.max(1, Math.ceil(limit / 10));
    const window = windowOf(policy, subject, start, block);
    if (window.used + counted > window.granted) {
      if (!window.exhausted) return lend(window, block, limit).then(() => takeOne(subject, given, cost, at));
      throw beyondBudget(given, secondsLeft(at), `The budget of ${limit} requests a minute is used up.`);
    }
    window.used += counted;
    if (!window.exhausted && window.granted - window.used <= block / 2) void lend(window, block, limit);
    return remaining(window, limit);
  };

  const takeAll = (subject: string, limits: readonly RateLimit[], cost: number, at: number) => {
    const left: (number | Promise<number>)[] = [];
    try {
      for (const limit of limits) left.push(takeOne(subject, limit, cost, at));
    } catch (refusal) {
      // Nobody awaits the other promises, and an unhandled rejection would end the process.
      for (const each of left) if (each instanceof Promise) each.catch(() => {});
      throw refusal;
    }
    return left;
  };

  return {
    take(subject, limits, cost = 1) {
      const at = now();
      if (at - sweptAt > windowMilliseconds) {
        sweptAt = at;
        for (const bySubject of Object.values(windows))
          for (const [subject, { start }] of bySubject)
            if (at - start > windowMilliseconds) bySubject.delete(subject);
      }
      const seconds = secondsLeft(at);
      const [only] = limits;
      if (limits.length === 1 && only) {
        const left = takeOne(subject, only, cost, at);
        if (typeof left === 'number') return budgetHeaders(limits, [left], seconds);
        return left.then((granted) => budgetHeaders(limits, [granted], seconds));
      }
      const left = takeAll(subject, limits, cost, at);
      return left.every((each) => typeof each === 'number')
        ? budgetHeaders(limits, left, seconds)
        : Promise.all(left).then((all) => budgetHeaders(limits, all, seconds));
    },
  };
}

function remaining(window: Window, limit: number): number {
  return window.exhausted ? window.granted - window.used : limit - window.used;
}

function budgetHeaders(limits: readonly RateLimit[], left: number[], seconds: number) {
  return {
    RateLimit: limits.map(({ policy }, at) => `"${policy}";r=${left[at]};t=${seconds}`).join(', '),
    'RateLimit-Policy': policyHeader(limits),
  };
}

const policyHeaders = new WeakMap<readonly RateLimit[], string>();

/** Constant for the limits of an operation. */
function policyHeader(limits: readonly RateLimit[]): string {
  const known = policyHeaders.get(limits);
  if (known !== undefined) return known;
  const header = limits.map(({ policy, limit }) => `"${policy}";q=${limit};w=60`).join(', ');
  policyHeaders.set(limits, header);
  return header;
}

/** A 429 with the headers that say when to retry. */
export function beyondBudget(
  { policy, limit }: { policy: string; limit: number },
  seconds: number,
  message: string,
): Refused {
  const retry = `Retry in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`;
  return new Refused(refuse(429, 'rate_limit_exceeded', { message: `${message} ${retry}` }), {
    'Retry-After': String(seconds),
    RateLimit: `"${policy}";r=0;t=${seconds}`,
    'RateLimit-Policy': `"${policy}";q=${limit};w=60`,
  });
}

/**
 * The address that a budget is counted for: the client's, behind the proxies of `TRUSTED_PROXIES`. If a trusted
 * proxy sends no valid address, its own address counts. An IPv6 address counts by its /64 network, the least that
 * a provider assigns to a customer (RFC 6177): within it, a client can choose a new address for each request.
 */
export function budgetAddress({ ip = '', socket }: Pick<Request, 'ip' | 'socket'>): string {
  const address = isIP(ip) === 0 ? (socket.remoteAddress ?? '') : ip;
  if (isIP(address) !== 6) return address;
  const parsed = ipaddr.process(address.replace(/%.*$/s, ''));
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const network = parsed.parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(':')}::/64`;
}

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
