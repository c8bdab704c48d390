import type { JsonObject } from '../json/index.ts';

/** An error of a workflow: `States.…` as predefined by the specification, or a name of the definition. */
export interface MachineError {
  error: string;
  cause: string;
  /** The response of an HTTP call, `{statusCode, headers, body}`, for the Error Output. Not stored with the execution. */
  response?: JsonObject;
  /** The expression that failed. Not stored with the execution. */
  expression?: FailedExpression;
}

export interface FailedExpression {
  /** Its path in the state: `Arguments/headers/x`. */
  field: string;
  /** Characters of the expression, after its `{%`, up to the part that failed, if known. */
  position?: number;
}

/** Maximum length of an error name. */
export const longestErrorName = 200;
/** Maximum length of a cause. */
export const longestCause = 32_768;

/** The failure of an execution that exceeded the TimeoutSeconds of its definition. A task's timeout has another cause. */
export const executionTimeout = {
  error: 'States.Timeout',
  cause: 'The execution took longer than the TimeoutSeconds of its definition.',
} as const satisfies MachineError;

/**
 * A failure as events and responses show it, within the limits of the contract. There an error has a name: `Fail` if a
 * Fail state gives none.
 */
export function reportedFailure(error: string | null | undefined, cause: string | null | undefined) {
  const timedOut = error === executionTimeout.error && cause === executionTimeout.cause;
  return {
    error: (error ?? '').slice(0, longestErrorName).toWellFormed() || 'Fail',
    cause: (cause ?? '').slice(0, longestCause).toWellFormed(),
    ...(timedOut && { timedOut }),
  };
}

/** Prefix of the error names reserved by Amazon States Language (appendix A). */
export function isReserved(error: string): boolean {
  return error.startsWith('States.');
}
