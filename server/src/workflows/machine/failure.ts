import type { MachineError } from '../../domain/failures.ts';

/** A failure of a state, to which its Retry and Catch apply. */
export class StateFailure extends Error {
  override name = 'StateFailure';
  readonly failure: MachineError;

  constructor(error: string, cause: string) {
    super(`${error}: ${cause}`);
    this.failure = { error, cause };
  }
}

/** An expression failed or returned a value that its field does not accept (specification: JSONata Runtime Errors). */
export function queryFailure(cause: string): StateFailure {
  return new StateFailure('States.QueryEvaluationError', cause);
}

/** A value exceeds the size or depth limit. */
export function dataLimitFailure(cause: string): StateFailure {
  return new StateFailure('States.DataLimitExceeded', cause);
}

/** Quotes and truncates an expression for a cause. */
export function quoted(text: string): string {
  return text.length > 200 ? `‘${text.slice(0, 199)}…’` : `‘${text}’`;
}
