import type { MachineError } from '../../domain/failures.ts';

/** A state's failure on its way to the state's Retry and Catch. */
export class StateFailure extends Error {
  readonly failure: MachineError;

  constructor(error: string, cause: string) {
    super(`${error}: ${cause}`);
    this.name = 'StateFailure';
    this.failure = { error, cause };
  }
}

/**
 * An expression that failed, gave nothing, or gave what its field does not accept (specification: JSONata Runtime
 * Errors).
 */
export function queryFailure(cause: string): StateFailure {
  return new StateFailure('States.QueryEvaluationError', cause);
}

/** A value that is larger or deeper than an execution can carry. */
export function dataLimitFailure(cause: string): StateFailure {
  return new StateFailure('States.DataLimitExceeded', cause);
}

/** Expressions may be long; a cause is read by people. */
export function quoted(text: string): string {
  return text.length > 200 ? `‘${text.slice(0, 199)}…’` : `‘${text}’`;
}
