import type { ChoiceState } from '../definition.ts';
import { isExpression } from '../expressions.ts';
import { queryFailure, StateFailure } from '../failure.ts';
import { shown } from '../fields.ts';
import { leave } from '../leave.ts';
import type { StateBehaviour, Visit } from '../visit.ts';

/**
 * Specification: Choice State. The rules are tried in order, and none after the one that holds; its Assign and Output
 * are used, those of the state itself when no rule holds and Default is taken.
 */
export const choice: StateBehaviour<ChoiceState> = {
  enter(visit) {
    const { Choices, Default, Assign, Output } = visit.state;
    const common = { values: {}, otherwise: visit.frame.input };
    for (const [index, rule] of Choices.entries()) {
      if (holds(visit, rule.Condition, `Choices/${index}/Condition`)) {
        return leave(visit, { ...rule, ...common, place: `Choices/${index}/` });
      }
    }
    if (Default === undefined) {
      throw new StateFailure('States.NoChoiceMatched', 'No rule holds, and there is no Default.');
    }
    return leave(visit, {
      ...common,
      Next: Default,
      place: '',
      ...(Assign && { Assign }),
      ...(Output !== undefined && { Output }),
    });
  },
};

function holds(visit: Visit, condition: string | boolean, field: string): boolean {
  const value = isExpression(condition) ? visit.evaluate(condition, field) : condition;
  if (typeof value === 'boolean') return value;
  throw queryFailure(`${field} takes true or false, not ${shown(value)}.`);
}
