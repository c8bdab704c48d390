import type { Frame, Outcome, ScopePath } from '../../domain/checkpoints.ts';
import type { MachineError } from '../../domain/failures.ts';
import type { Action, ExecutionContext, Machine } from './actions.ts';
import { catchOf } from './catch.ts';
import type { Definition, Scope, State } from './definition.ts';
import type { Failed } from './error-names.ts';
import { openTemplates } from './expressions.ts';
import { StateFailure } from './failure.ts';
import { retryOf } from './retry.ts';
import { choice } from './states/choice.ts';
import { fail } from './states/fail.ts';
import { map } from './states/map.ts';
import { parallel } from './states/parallel.ts';
import { pass } from './states/pass.ts';
import { succeed } from './states/succeed.ts';
import { task } from './states/task.ts';
import { wait } from './states/wait.ts';
import { type StateBehaviour, statesVariable, type Visit, variablesOf } from './visit.ts';

/** Each type's behaviour under its own name; which one a visit's state needs, its Type says. */
const behaviours = {
  Task: task,
  Pass: pass,
  Choice: choice,
  Wait: wait,
  Succeed: succeed,
  Fail: fail,
  Parallel: parallel,
  Map: map,
} satisfies { [Type in State['Type']]: StateBehaviour<Extract<State, { Type: Type }>> };

/**
 * The interpreter of a definition that `validateDefinition` accepted. Compiled expressions are kept for as long as
 * the machine is, so keep one for each revision of a definition.
 *
 * What is to be known of its outcomes: a fork's `result` has the outputs of the threads that succeeded, in their
 * order, those that failed and were tolerated left out. When more fail than are tolerated, the fork's outcome is
 * `failed` with what the last of them failed with: a Map that says what it tolerates makes
 * `States.ExceedToleratedFailureThreshold` of it. A step that is repeated evaluates its expressions again.
 *
 * @param random what `$random` and the jitter of retries draw from: numbers from 0 up to 1.
 */
export function openMachine(definition: Definition, random: () => number = Math.random): Machine {
  const templates = openTemplates();

  const visitOf = (path: ScopePath, frame: Frame, context: ExecutionContext, now: Date): Visit => {
    const state = stateIn(scopeAt(definition, path), frame.state);
    return {
      state,
      frame,
      now,
      random,
      evaluate: (template, field, values = {}) => {
        const bindings = { ...variablesOf(frame), states: statesVariable({ frame, state }, context, values) };
        return templates.evaluate(template, field, bindings, { now, random });
      },
    };
  };

  return {
    definition,
    begin: (input, now) => ({
      state: definition.StartAt,
      input,
      variables: {},
      outerVariables: {},
      enteredAt: now.toISOString(),
      retries: [],
    }),
    async run(path, frame, context, now) {
      const visit = visitOf(path, frame, context, now);
      return await recovering(visit, () => behaviourOf(visit.state).enter(visit));
    },
    async resume(path, frame, outcome, context, now) {
      const visit = visitOf(path, frame, context, now);
      if (outcome.kind === 'failed') return recover(visit, failedOutcome(visit.state, outcome.failure));
      return await recovering(visit, () => succeeded(visit, outcome));
    },
    async fail(path, frame, failure, context, now) {
      return recover(visitOf(path, frame, context, now), { failure, ofBranch: false });
    },
    state: (path, name) => stateIn(scopeAt(definition, path), name),
  };
}

function behaviourOf(state: State): StateBehaviour<State> {
  return behaviours[state.Type] as StateBehaviour<State>;
}

function succeeded(visit: Visit, outcome: Exclude<Outcome, { kind: 'failed' }>): Action {
  const behaviour = behaviourOf(visit.state);
  const elapsed = outcome.kind === 'elapsed';
  if (!behaviour.succeed || elapsed !== (visit.state.Type === 'Wait')) {
    throw new Error(`A ${visit.state.Type} does not wait for the outcome ‘${outcome.kind}’.`);
  }
  return behaviour.succeed(visit, elapsed ? null : outcome.result);
}

async function recovering(visit: Visit, step: () => Action | Promise<Action>): Promise<Action> {
  try {
    return await step();
  } catch (error) {
    if (!(error instanceof StateFailure)) throw error;
    return recover(visit, { failure: error.failure, ofBranch: false });
  }
}

/** Retry before Catch (specification: Error Handling); what neither takes up fails the thread. */
function recover(visit: Visit, failed: Failed): Action {
  try {
    return retryOf(visit, failed) ?? catchOf(visit, failed) ?? { kind: 'fail', failure: failed.failure };
  } catch (error) {
    if (!(error instanceof StateFailure)) throw error;
    return { kind: 'fail', failure: error.failure };
  }
}

function failedOutcome(state: State, failure: MachineError): Failed {
  const tolerant =
    state.Type === 'Map' &&
    (state.ToleratedFailureCount !== undefined || state.ToleratedFailurePercentage !== undefined);
  if (!tolerant) return { failure, ofBranch: state.Type === 'Parallel' };
  const cause = `More items failed than are tolerated; the last with ${failure.error}: ${failure.cause}`;
  return { failure: { error: 'States.ExceedToleratedFailureThreshold', cause }, ofBranch: false };
}

function scopeAt(definition: Definition, path: ScopePath): Scope {
  let scope: Scope = definition;
  for (const { state: name, branch } of path) {
    const state = stateIn(scope, name);
    const inner = state.Type === 'Map' ? state.ItemProcessor : branchOf(state, branch);
    if (!inner) throw new Error(`The state ‘${name}’ has no branch ${branch}.`);
    scope = inner;
  }
  return scope;
}

function branchOf(state: State, branch: number): Scope | undefined {
  return state.Type === 'Parallel' ? state.Branches[branch] : undefined;
}

function stateIn(scope: Scope, name: string): State {
  const state = Object.hasOwn(scope.States, name) ? scope.States[name] : undefined;
  if (!state) throw new Error(`There is no state ‘${name}’ in this scope.`);
  return state;
}
