import type { JsonObject } from '../../domain/json.ts';
import type { Assignments } from './definition.ts';
import { StateFailure } from './failure.ts';
import { toPayload } from './size.ts';
import type { Values, Visit } from './visit.ts';

/**
 * The variables of the frame's scope after an Assign. All its values are evaluated before any is set (specification:
 * Using Assign). A variable of a scope around it can be read, never set: validation refuses such a definition, this
 * is for one that was never validated.
 */
export function assign(
  visit: Visit,
  assignments: Assignments | undefined,
  field: string,
  values: Values,
): JsonObject {
  if (assignments === undefined) return visit.frame.variables;
  for (const name of Object.keys(assignments)) {
    if (Object.hasOwn(visit.frame.outerVariables, name)) {
      throw new StateFailure('States.Runtime', `${field} sets $${name}, a variable of an outer scope.`);
    }
  }
  const assigned = visit.evaluate(assignments, field, values) as JsonObject;
  const variables = { ...visit.frame.variables, ...assigned };
  // What is carried from state to state is all of them, not what one state adds.
  toPayload(variables, 'The set of variables');
  return variables;
}
