import { startOf } from '../json/index.ts';
import type { FailedExpression, MachineError } from './machine-error.ts';

/** The failure of a state, to which its Retry and Catch apply. */
export interface Failed {
  failure: MachineError;
  /** `branch`: a branch of the Parallel failed. `result`: the result of the state is too large. */
  of: 'state' | 'branch' | 'result';
}

export class StateFailure extends Error implements Failed {
  override name = 'StateFailure';
  readonly failure: MachineError;
  readonly of: 'state' | 'result';

  constructor(error: string, cause: string, of: 'state' | 'result' = 'state', expression?: FailedExpression) {
    super(`${error}: ${cause}`);
    this.failure = { error, cause, ...(expression && { expression }) };
    this.of = of;
  }
}

/** An expression failed or returned a value that its field does not accept (specification: JSONata Runtime Errors). */
export function queryFailure(cause: string, expression?: FailedExpression): StateFailure {
  return new StateFailure('States.QueryEvaluationError', cause, 'state', expression);
}

/** A value exceeds the size or depth limit. */
export function dataLimitFailure(cause: string): StateFailure {
  return new StateFailure('States.DataLimitExceeded', cause);
}

/** Quotes and truncates an expression for a cause. */
export function quoted(text: string): string {
  return text.length > 200 ? `‘${startOf(text, 199)}…’` : `‘${text}’`;
}

/** Thrown by a function of an expression, as JSONata's own functions throw plain objects. */
export function refusal(message: string): { message: string } {
  return { message };
}
