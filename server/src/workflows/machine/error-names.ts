import type { State } from './definition.ts';

/** Failures of the execution rather than of its work: no wildcard stands for them. */
const beyondWildcards = new Set(['States.DataLimitExceeded', 'States.Runtime']);

/**
 * Whether the ErrorEquals of a Retrier or Catcher names an error.
 *
 * - `States.ALL` is every error but `States.DataLimitExceeded` and `States.Runtime`; `States.TaskFailed` is every one
 *   of those but `States.Timeout` (AWS Step Functions: Handling errors).
 * - `States.Timeout` is a missed heartbeat as well (specification: Appendix A).
 * - `States.BranchFailed`, on a Parallel, is whatever a branch failed with (Appendix A); the error keeps its name.
 * - `States.DataLimitExceeded` can be named itself, `States.Runtime` never ends in a Retry or Catch.
 */
export function matchesError(errorEquals: readonly string[], error: string, state: State): boolean {
  if (error === 'States.Runtime') return false;
  return errorEquals.some((name) => name === error || includes(name, error, state));
}

function includes(name: string, error: string, state: State): boolean {
  if (beyondWildcards.has(error)) return false;
  switch (name) {
    case 'States.ALL':
      return true;
    case 'States.TaskFailed':
      return error !== 'States.Timeout';
    case 'States.Timeout':
      return error === 'States.HeartbeatTimeout';
    case 'States.BranchFailed':
      return state.Type === 'Parallel' && error !== 'States.QueryEvaluationError';
    default:
      return false;
  }
}
