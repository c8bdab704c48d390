import type { Frame } from '../../domain/checkpoints.ts';
import type { Json, JsonObject } from '../../domain/json.ts';
import type { Action, ExecutionContext } from './actions.ts';
import type { State, Template } from './definition.ts';

/** What `$states` holds besides the input and the context, where the specification has it. */
export interface Values {
  /** Of a Task, Parallel or Map that has succeeded. */
  result?: Json;
  /** In a Catcher: what the state failed with. */
  errorOutput?: { Error: string; Cause: string };
  /** For ItemSelector: the item at hand, instead of the one that the frame is about. */
  mapItem?: { Index: number; Value: Json };
}

/** One frame at its state, with what the state's type needs to go on. */
export interface Visit<S extends State = State> {
  state: S;
  frame: Frame;
  now: Date;
  random: () => number;
  evaluate(template: Template, field: string, values?: Values): Json;
}

/** How a type of state runs. A state's failures are thrown as StateFailure; the machine turns to Retry and Catch. */
export interface StateBehaviour<S extends State> {
  enter(visit: Visit<S>): Action | Promise<Action>;
  /** What it waited for came out well. States that never wait have none. */
  succeed?(visit: Visit<S>, result: Json): Action;
}

/** Every variable that a state of the frame can read; of equal names, the inner one. */
export function variablesOf(frame: Frame): JsonObject {
  return { ...frame.outerVariables, ...frame.variables };
}

/**
 * `$states` (specification: Reserved "states" Variable with JSONata). The fields of the Context Object are those that
 * AWS Step Functions documents, as far as they mean something here.
 */
export function statesVariable(
  { frame, state }: Pick<Visit, 'frame' | 'state'>,
  context: ExecutionContext,
  values: Values,
): JsonObject {
  const mapItem = values.mapItem ?? frame.mapItem;
  return {
    input: frame.input,
    ...(values.result !== undefined && { result: values.result }),
    ...(values.errorOutput && { errorOutput: { ...values.errorOutput } }),
    context: {
      Execution: {
        Id: context.execution.id,
        Input: context.execution.input,
        Name: context.execution.name,
        StartTime: context.execution.startTime,
      },
      State: {
        EnteredTime: frame.enteredAt,
        Name: frame.state,
        RetryCount: frame.retries.reduce((sum, count) => sum + (count ?? 0), 0),
      },
      StateMachine: { Id: context.stateMachine.id, Name: context.stateMachine.name },
      ...(state.Type === 'Task' && context.taskToken !== undefined && { Task: { Token: context.taskToken } }),
      ...(mapItem && { Map: { Item: { Index: mapItem.Index, Value: mapItem.Value } } }),
    },
  };
}
