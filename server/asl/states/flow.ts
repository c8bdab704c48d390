import type { ChoiceState, FailState, PassState, SucceedState, WaitState } from '../definition.ts';
import { isExpression } from '../expressions.ts';
import { queryFailure, StateFailure } from '../failure.ts';
import { bounds, longestRun, maximumSeconds, numberOf, parseTimestamp, shown, stringOf } from '../fields.ts';
import { leave } from '../leave.ts';
import { isReserved } from '../machine-error.ts';
import type { StateBehaviour, Visit } from '../visit.ts';

/** Specification: Pass State. */
export const pass: StateBehaviour<PassState> = {
  enter: passOn,
};

/**
 * Specification: Choice State. The first rule whose Condition is true decides, with its own Assign and Output.
 * Otherwise Default applies, with the Assign and Output of the state.
 */
export const choice: StateBehaviour<ChoiceState> = {
  enter(visit) {
    const { Choices, Default, Assign, Output } = visit.state;
    const common = { values: {}, otherwise: visit.frame.input };
    for (const [index, rule] of Choices.entries()) {
      if (holds(visit, rule.Condition, `Choices/${index}/Condition`)) {
        return leave(visit, { ...rule, ...common, path: `Choices/${index}/` });
      }
    }
    if (Default === undefined) {
      throw new StateFailure('States.NoChoiceMatched', 'No rule matches, and there is no Default.');
    }
    return leave(visit, {
      ...common,
      Next: Default,
      path: '',
      ...(Assign && { Assign }),
      ...(Output !== undefined && { Output }),
    });
  },
};

function holds(visit: Visit, condition: string | boolean, field: string): boolean {
  const value = isExpression(condition) ? visit.evaluate(condition, field) : condition;
  if (typeof value === 'boolean') return value;
  throw queryFailure(`${field} must be true or false, not ${shown(value)}.`, { field });
}

/** Specification: Wait State. A time in the past ends the wait immediately. */
export const wait: StateBehaviour<WaitState> = {
  enter(visit) {
    const until = endOf(visit);
    return until > visit.now ? { kind: 'wait', frame: visit.frame, until } : passOn(visit);
  },
  succeed: passOn,
};

function passOn(visit: Visit<PassState | WaitState>) {
  return leave(visit, { ...visit.state, path: '', values: {}, otherwise: visit.frame.input });
}

function endOf(visit: Visit<WaitState>): Date {
  const { Seconds, Timestamp } = visit.state;
  if (Timestamp === undefined) {
    const seconds = numberOf(visit, Seconds ?? 0, 'Seconds', bounds.waitSeconds);
    return new Date(visit.now.getTime() + seconds * 1_000);
  }
  const text = stringOf(visit, Timestamp, 'Timestamp');
  const until = parseTimestamp(text);
  const field = 'Timestamp';
  if (!until) throw queryFailure(`${field} must be an RFC 3339 timestamp, not ${shown(text)}.`, { field });
  if (until.getTime() - visit.now.getTime() > maximumSeconds * 1_000) {
    throw queryFailure(`${field} must be within ${longestRun}, not ${shown(text)}.`, { field });
  }
  return until;
}

/** Specification: Succeed State. */
export const succeed: StateBehaviour<SucceedState> = {
  enter({ state, frame, evaluate }) {
    return {
      kind: 'end',
      output: state.Output === undefined ? frame.input : evaluate(state.Output, 'Output'),
      variables: frame.variables,
    };
  },
};

/** Specification: Fail State. An Error or Cause that is left out is the empty string. */
export const fail: StateBehaviour<FailState> = {
  enter(visit) {
    const { Error: name = '', Cause: cause = '' } = visit.state;
    const error = stringOf(visit, name, 'Error');
    if (isReserved(error)) throw queryFailure(`Error must not be a reserved name such as ${error}.`);
    return { kind: 'fail', failure: { error, cause: stringOf(visit, cause, 'Cause') } };
  },
};
