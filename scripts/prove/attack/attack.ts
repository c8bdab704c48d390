import { setTimeout as sleep } from 'node:timers/promises';
import type { Proof } from '../proof.ts';
import type { HealthCheck, HealthReport } from './health.ts';
import { inParallel, type Received } from './send.ts';
import type { Target } from './target.ts';

/** One attack. */
export interface Attack {
  name: string;
  /** @returns what the platform did instead of the expected; undefined: the expected */
  run(target: Target): Promise<string | undefined>;
}

/** Attacks of one kind: a line of the table. */
export interface Group {
  tried: string;
  attacks(target: Target): Attack[] | Promise<Attack[]>;
  /**
   * What must be the same before and after the attacks, as text. Default: nothing.
   */
  unchanged?(target: Target): Promise<string>;
  /** Milliseconds for one attack. Default: 60 seconds. */
  longest?: number;
  /** How many attacks run concurrently. Default: 4. */
  atOnce?: number;
  /** Runs each attack in one environment only, in turn: for attacks that take seconds. */
  takesTurns?: boolean;
}

/** Milliseconds within which `/healthz` must respond, whatever else happens. */
const longestHealth = 250;

/** Runs a group in each environment, and measures `/healthz` of both meanwhile. */
export async function runGroup(
  group: Group,
  targets: readonly Target[],
  health: HealthCheck,
  signal: AbortSignal,
): Promise<Proof> {
  const failures: string[] = [];
  let times = 0;
  const report = await health.during(async () => {
    for (const [at, target] of targets.entries()) {
      signal.throwIfAborted();
      const all = await group.attacks(target);
      const attacks = group.takesTurns ? all.filter((_, index) => index % targets.length === at) : all;
      const before = await group.unchanged?.(target);
      const problems = await inParallel(
        attacks,
        (attack) => outcomeOf(attack, target, group),
        group.atOnce ?? 4,
      );
      const after = await settled(() => group.unchanged?.(target), before);
      times += attacks.length;
      failures.push(...problems.filter((problem) => problem !== undefined));
      if (before !== after)
        failures.push(`${target.name}: the attacks changed what is stored: ${before} became ${after}`);
    }
  });
  const { seen, failure } = verdictOf(report);
  return {
    ...{ tried: group.tried, times, seen },
    failures: [...failures, ...(failure ? [failure] : []), ...new Set(report.failures)],
  };
}

/** Reads until it is as before, for at most 10 s: what a refused request stored may be removed after the response. */
async function settled<Value>(
  read: () => Promise<Value> | undefined,
  before: Value,
): Promise<Value | undefined> {
  const end = performance.now() + 10_000;
  let now = await read();
  while (now !== before && performance.now() < end) {
    await sleep(100);
    now = await read();
  }
  return now;
}

function verdictOf({ durations, unqueued }: HealthReport): { seen: string; failure: string | undefined } {
  const sorted = durations.toSorted((a, b) => a - b);
  const p99 = sorted[Math.floor(sorted.length * 0.99)] ?? Number.POSITIVE_INFINITY;
  const worst = sorted.at(-1) ?? Number.POSITIVE_INFINITY;
  const own = unqueued.reduce((most, each) => Math.max(most, each), 0);
  const waiting = worst - own > 10 ? `, ${Math.round(own)} ms without waiting for a processor` : '';
  const seen = `/healthz p99 ${Math.round(p99)} ms, worst ${Math.round(worst)} ms${waiting}`;
  const isTooSlow = Math.min(worst, own) >= longestHealth || sorted.length === 0;
  return { seen, failure: isTooSlow ? `${seen}; the limit is ${longestHealth} ms` : undefined };
}

async function outcomeOf(
  { name, run }: Attack,
  target: Target,
  { longest = 60_000 }: Group,
): Promise<string | undefined> {
  const gone = new AbortController();
  const tooLong = sleep(longest, `no response within ${longest / 1000} s`, { signal: gone.signal });
  tooLong.catch(() => {});
  try {
    const problem = await Promise.race([run(target), tooLong]);
    return problem && `${target.name}: ${name}: ${problem}`;
  } catch (error) {
    return `${target.name}: ${name}: ${error instanceof Error ? error.message : error}`;
  } finally {
    gone.abort();
  }
}

/** Whether a response is one of these refusals, with the error object of the contract. */
export function expectRefusal(
  response: Received,
  expected: { statuses: readonly number[]; code?: string },
): string | undefined {
  const { status, text } = response;
  const seen = `${status} ${text.slice(0, 200)}`;
  if (!expected.statuses.includes(status)) return `expected ${expected.statuses.join(' or ')}, got ${seen}`;
  const codes = codesOf(response);
  if (codes.length === 0) return `not an error object: ${seen}`;
  if (expected.code && !codes.includes(expected.code)) return `expected ${expected.code}, got ${seen}`;
  return undefined;
}

/** The codes of an error object, or none. */
export function codesOf({ text }: Received): string[] {
  try {
    const { fingerprint, errors } = JSON.parse(text) as { fingerprint?: string; errors?: { code: string }[] };
    return fingerprint && Array.isArray(errors) ? errors.map(({ code }) => code) : [];
  } catch {
    return [];
  }
}
