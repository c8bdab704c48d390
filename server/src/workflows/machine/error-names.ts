import type { MachineError } from '../../domain/failures.ts';

/** What a state failed with. */
export interface Failed {
  failure: MachineError;
  /** It is what a branch of the Parallel failed with, not the Parallel's own fields. */
  ofBranch: boolean;
}

/** Failures of the execution rather than of its work: no wildcard stands for them. */
const beyondWildcards = new Set(['States.DataLimitExceeded', 'States.Runtime']);

/**
 * Whether the ErrorEquals of a Retrier or Catcher names an error.
 *
 * - `States.ALL` is every error but `States.DataLimitExceeded` and `States.Runtime`; `States.TaskFailed` is every one
 *   of those but `States.Timeout` (AWS Step Functions: Handling errors).
 * - `States.Timeout` is a missed heartbeat as well (specification: Appendix A).
 * - `States.BranchFailed` is whatever a branch of the Parallel failed with (Appendix A); the error keeps its name.
 * - `States.DataLimitExceeded` can be named itself, `States.Runtime` never ends in a Retry or Catch.
 */
export function matchesError(errorEquals: readonly string[], { failure, ofBranch }: Failed): boolean {
  const { error } = failure;
  if (error === 'States.Runtime') return false;
  if (errorEquals.includes(error)) return true;
  return !beyondWildcards.has(error) && errorEquals.some((name) => includes(name, error, ofBranch));
}

function includes(wildcard: string, error: string, ofBranch: boolean): boolean {
  switch (wildcard) {
    case 'States.ALL':
      return true;
    case 'States.TaskFailed':
      return error !== 'States.Timeout';
    case 'States.Timeout':
      return error === 'States.HeartbeatTimeout';
    case 'States.BranchFailed':
      return ofBranch;
    default:
      return false;
  }
}
