import { storableText } from '../json/index.ts';
import type { Action } from './actions.ts';
import { callbackResource, type Retrier, type State } from './definition.ts';
import type { Failed } from './failure.ts';
import { maximumSeconds } from './fields.ts';
import { leave } from './leave.ts';
import type { Visit } from './visit.ts';

/**
 * Applies Retry: the first Retrier that matches the error decides. Each Retrier counts its own uses (specification:
 * Retrying after error).
 *
 * @returns undefined if the state is not retried
 */
export function retryOf(visit: Visit, failed: Failed): Action | undefined {
  const retriers = 'Retry' in visit.state ? (visit.state.Retry ?? []) : [];
  const index = retriers.findIndex((each) => matchesError(each.ErrorEquals, failed, visit.state));
  const retrier = retriers[index];
  if (!retrier) return undefined;
  const used = visit.frame.retries[index] ?? 0;
  if (used >= (retrier.MaxAttempts ?? 3)) return undefined;
  const retries = retriers.map((_, other) => (visit.frame.retries[other] ?? 0) + (other === index ? 1 : 0));
  const at = new Date(visit.now.getTime() + delaySeconds(retrier, used, visit.jitter) * 1_000);
  return { kind: 'retry', frame: { ...visit.frame, retries }, at, failure: failed.failure, retrier: index };
}

/** Seconds before the next attempt, after `used` attempts by the same Retrier. */
function delaySeconds(retrier: Retrier, used: number, jitter: () => number): number {
  const backedOff = (retrier.IntervalSeconds ?? 1) * (retrier.BackoffRate ?? 2) ** used;
  // A BackoffRate without MaxDelaySeconds can exceed the range of dates.
  const delay = Math.min(backedOff, retrier.MaxDelaySeconds ?? maximumSeconds, maximumSeconds);
  return retrier.JitterStrategy === 'FULL' ? delay * jitter() : delay;
}

/**
 * Applies Catch: continues at the state of the first Catcher that matches the error. The output is the Catcher's
 * Output, by default the Error Output (specification: Catching errors).
 *
 * @returns undefined if no Catcher matches
 * @throws StateFailure if the Catcher's own expressions fail, which is not caught
 */
export function catchOf(visit: Visit, failed: Failed): Action | undefined {
  const catchers = 'Catch' in visit.state ? (visit.state.Catch ?? []) : [];
  const index = catchers.findIndex((each) => matchesError(each.ErrorEquals, failed, visit.state));
  const catcher = catchers[index];
  if (!catcher) return undefined;
  const { error, cause, response } = failed.failure;
  // The cause may quote a value that caused the failure because it cannot be stored.
  const errorOutput = {
    Error: storableText(error),
    Cause: storableText(cause),
    ...(response && { Response: response }),
  };
  return leave(visit, {
    ...catcher,
    path: `Catch/${index}/`,
    values: { errorOutput },
    otherwise: errorOutput,
    failure: failed.failure,
  });
}

/** Failures of the execution rather than of a task. No wildcard matches them. */
const notWildcard = new Set(['States.DataLimitExceeded', 'States.Runtime']);

/**
 * Whether the ErrorEquals of a Retrier or Catcher matches an error.
 *
 * - `States.ALL` matches every error except `States.DataLimitExceeded` and `States.Runtime`; `States.TaskFailed`
 *   matches the same except `States.Timeout` (AWS Step Functions: Handling errors). An oversized result of a callback,
 *   Map or Parallel is matched by both, as executions recorded on AWS show.
 * - `States.Timeout` also matches a missed heartbeat (specification: Appendix A).
 * - `States.BranchFailed` matches any error of a branch of the Parallel (Appendix A); the error keeps its name.
 * - `States.DataLimitExceeded` matches by its own name only; `States.Runtime` is never retried or caught.
 */
function matchesError(errorEquals: readonly string[], { failure, of }: Failed, state: State): boolean {
  const { error } = failure;
  if (error === 'States.Runtime') return false;
  if (errorEquals.includes(error)) return true;
  if (notWildcard.has(error) && !(of === 'result' && isCollected(state))) return false;
  return errorEquals.some((name) => wildcardMatches(name, error, of));
}

/** Whether the result comes from outside the step: from a callback, or from the threads of a fork. */
function isCollected(state: State): boolean {
  return (
    state.Type === 'Map' ||
    state.Type === 'Parallel' ||
    (state.Type === 'Task' && state.Resource === callbackResource)
  );
}

function wildcardMatches(wildcard: string, error: string, of: Failed['of']): boolean {
  switch (wildcard) {
    case 'States.ALL':
      return true;
    case 'States.TaskFailed':
      return error !== 'States.Timeout';
    case 'States.Timeout':
      return error === 'States.HeartbeatTimeout';
    case 'States.BranchFailed':
      return of === 'branch';
    default:
      return false;
  }
}

/** Names that match errors of several names, and those that no name but their own matches. */
const notCovered = new Set(['States.ALL', 'States.BranchFailed', 'States.TaskFailed', ...notWildcard]);

/** Whether every error that a name in ErrorEquals matches is matched by names before it, which then decide. */
export function isCovered(name: string, earlier: ReadonlySet<string>): boolean {
  if (earlier.has(name)) return true;
  if (notCovered.has(name)) return false;
  return ['States.ALL', 'States.TaskFailed', 'States.Timeout'].some(
    (wildcard) => earlier.has(wildcard) && wildcardMatches(wildcard, name, 'result'),
  );
}
