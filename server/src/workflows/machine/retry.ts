import type { Action } from './actions.ts';
import type { Retrier } from './definition.ts';
import { type Failed, matchesError } from './error-names.ts';
import { maximumSeconds } from './fields.ts';
import type { Visit } from './visit.ts';

/**
 * The state again, when a Retrier says so: the first one that names the error decides; each counts its own uses
 * (specification: Retrying after error).
 */
export function retryOf(visit: Visit, failed: Failed): Action | undefined {
  const retriers = 'Retry' in visit.state ? (visit.state.Retry ?? []) : [];
  const index = retriers.findIndex((each) => matchesError(each.ErrorEquals, failed));
  const retrier = retriers[index];
  if (!retrier) return undefined;
  const used = visit.frame.retries[index] ?? 0;
  if (used >= (retrier.MaxAttempts ?? 3)) return undefined;
  const retries = retriers.map((_, other) => (visit.frame.retries[other] ?? 0) + (other === index ? 1 : 0));
  const { pending: _, ...frame } = visit.frame;
  const at = new Date(visit.now.getTime() + delaySeconds(retrier, used, visit.random) * 1_000);
  return { kind: 'retry', frame: { ...frame, retries }, at, failure: failed.failure };
}

/** Seconds before the next attempt, after `used` ones by the same Retrier. */
function delaySeconds(retrier: Retrier, used: number, random: () => number): number {
  const backedOff = (retrier.IntervalSeconds ?? 1) * (retrier.BackoffRate ?? 2) ** used;
  // Longer delays than a date can hold come of a BackoffRate without a MaxDelaySeconds.
  const delay = Math.min(backedOff, retrier.MaxDelaySeconds ?? maximumSeconds, maximumSeconds);
  return retrier.JitterStrategy === 'FULL' ? delay * random() : delay;
}
