import type { Json, JsonObject } from '../json/index.ts';
import type { Action } from './actions.ts';
import type { Assignments, MapState, ParallelState, TaskState, Template } from './definition.ts';
import { StateFailure } from './failure.ts';
import type { MachineError } from './machine-error.ts';
import { toPayload } from './size.ts';
import type { Values, Visit } from './visit.ts';

interface Exit {
  Output?: Template;
  Assign?: Assignments;
  Next?: string;
  /** The path of the fields above in the state: '' or `Catch/0/`. */
  path: string;
  /** What the expressions of Output and Assign can read besides input and context. */
  values: Values;
  /** The output without an Output field: the result of a Task, Parallel or Map, otherwise the input. */
  otherwise: Json;
  /** What a Catcher caught. */
  failure?: MachineError;
}

/**
 * Ends a visit. Output and Assign read the variables as they were before, so the next state is the first that sees new
 * values (specification: Using Assign). A state without Next ends its thread.
 */
export function leave(visit: Visit, exit: Exit): Action {
  const output =
    exit.Output === undefined
      ? exit.otherwise
      : visit.evaluate(exit.Output, `${exit.path}Output`, exit.values);
  const assigned = assignedBy(visit, exit.Assign, `${exit.path}Assign`, exit.values);
  const variables = withAssigned(visit, assigned);
  const done = { output, ...(assigned && { assigned }) };
  if (exit.Next === undefined) return { kind: 'end', ...done, variables };
  const enteredAt = visit.now.toISOString();
  const frame = { ...visit.frame, state: exit.Next, input: output, variables, enteredAt, retries: [] };
  return { kind: 'next', frame, ...done, via: exit.path, ...(exit.failure && { failure: exit.failure }) };
}

/** Ends a visit of a Task, Parallel or Map that succeeded. */
export function leaveWithResult(visit: Visit<TaskState | ParallelState | MapState>, value: Json): Action {
  const result = resultOf(value);
  return leave(visit, { ...visit.state, path: '', values: { result }, otherwise: result });
}

/** @throws StateFailure of the result if it is too large */
function resultOf(value: Json): Json {
  try {
    return toPayload(value, 'The result');
  } catch (error) {
    if (!(error instanceof StateFailure)) throw error;
    throw new StateFailure(error.failure.error, error.failure.cause, 'result');
  }
}

/**
 * The variables that an Assign sets. All values are evaluated before any variable is set (specification: Using Assign).
 * Variables of outer scopes are read-only; validation reports this too, unless it was skipped.
 */
function assignedBy(
  visit: Visit,
  assignments: Assignments | undefined,
  field: string,
  values: Values,
): JsonObject | undefined {
  if (assignments === undefined) return undefined;
  for (const name of Object.keys(assignments)) {
    if (Object.hasOwn(visit.frame.outerVariables, name)) {
      throw new StateFailure('States.Runtime', `${field} sets $${name}, a variable of an outer scope.`);
    }
  }
  return visit.evaluate(assignments, field, values) as JsonObject;
}

/** The variables of the frame's scope after an Assign. The size limit applies to all of them together. */
function withAssigned({ frame }: Visit, assigned: JsonObject | undefined): JsonObject {
  if (!assigned) return frame.variables;
  const variables = { ...frame.variables, ...assigned };
  toPayload(variables, 'The set of variables');
  return variables;
}
