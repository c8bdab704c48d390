import { randomUUID } from 'node:crypto';
import type { Action, ExecutionContext, Machine } from './actions.ts';
import type { Frame, Outcome, ScopePath } from './checkpoints.ts';
import type { Definition, Scope, State } from './definition.ts';
import { openTemplates } from './expressions.ts';
import { type Failed, StateFailure } from './failure.ts';
import type { MachineError } from './machine-error.ts';
import { catchOf, retryOf } from './recovery.ts';
import { choice, fail, pass, succeed, wait } from './states/flow.ts';
import { map, parallel } from './states/fork.ts';
import { task } from './states/task.ts';
import { type StateBehaviour, statesVariable, type Visit, variablesOf } from './visit.ts';

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

/** The sources of randomness. Numbers are in [0, 1); a jitter of 1 is the longest delay. */
export interface Randomness {
  /** For `$random`. */
  random(): number;
  /** For the delays of a Retrier with jitter. Default: `random`. */
  jitter(): number;
  /** For `$uuid`. */
  uuid(): string;
}

/**
 * Opens an interpreter of a definition that `validateDefinition` accepted. It keeps compiled expressions, so keep one
 * machine for each revision of a definition.
 *
 * The `result` of a fork's outcome has the outputs of the threads that succeeded, in order. If more threads fail than
 * are tolerated, the outcome is `failed` with the failure of the last one; a Map with a tolerance turns it into
 * `States.ExceedToleratedFailureThreshold`. A step that is repeated evaluates its expressions again.
 *
 * @param randomness replaces what is random, so that executions can be repeated
 */
export function openMachine(definition: Definition, randomness: Partial<Randomness> = {}): Machine {
  const { random = Math.random, jitter = random, uuid = randomUUID } = randomness;
  const templates = openTemplates();

  const visitOf = (path: ScopePath, frame: Frame, context: ExecutionContext, now: Date): Visit => {
    const state = stateIn(scopeAt(definition, path), frame.state);
    return {
      state,
      frame,
      now,
      jitter,
      evaluate: (template, field, values = {}) => {
        const bindings = { ...variablesOf(frame), states: statesVariable({ frame, state }, context, values) };
        return templates.evaluate(template, field, bindings, { now, random, uuid });
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
    async fail(path, frame, failed, context, now) {
      return recover(visitOf(path, frame, context, now), failed);
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
    throw new Error(`Unexpected outcome ‘${outcome.kind}’ for a ${visit.state.Type}.`);
  }
  return behaviour.succeed(visit, elapsed ? null : outcome.result);
}

async function recovering(visit: Visit, step: () => Action | Promise<Action>): Promise<Action> {
  try {
    return await step();
  } catch (error) {
    if (!(error instanceof StateFailure)) throw error;
    return recover(visit, error);
  }
}

/** Applies Retry, then Catch (specification: Error Handling). If neither matches, the thread fails. */
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
  if (!tolerant) return { failure, of: state.Type === 'Parallel' ? 'branch' : 'state' };
  const cause = `More items failed than are tolerated; the last with ${failure.error}: ${failure.cause}`;
  return { failure: { error: 'States.ExceedToleratedFailureThreshold', cause }, of: 'state' };
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
