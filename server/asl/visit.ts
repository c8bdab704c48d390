import type { Json, JsonObject } from '../json/index.ts';
import type { Action, ExecutionContext } from './actions.ts';
import type { Frame } from './checkpoints.ts';
import { contextObject } from './context.ts';
import type { State, Template } from './definition.ts';

/** The fields of `$states` besides input and context, where the specification defines them. */
export interface Values {
  /** After a Task, Parallel or Map succeeded. */
  result?: Json;
  /** In a Catcher: the failure of the state. */
  errorOutput?: { Error: string; Cause: string; Response?: JsonObject };
  /** In ItemSelector: the current item, instead of the frame's. */
  mapItem?: { Index: number; Value: Json };
}

/** A frame at its state, with what the state's behaviour needs. */
export interface Visit<S extends State = State> {
  state: S;
  frame: Frame;
  now: Date;
  /** The share of a retry's longest delay. */
  jitter: () => number;
  evaluate(template: Template, field: string, values?: Values): Json;
}

/** The behaviour of a state type. It throws StateFailure, to which the machine applies Retry and Catch. */
export interface StateBehaviour<S extends State> {
  enter(visit: Visit<S>): Action | Promise<Action>;
  /** Continues after the task, wait or fork succeeded. Not defined for states that never wait. */
  succeed?(visit: Visit<S>, result: Json): Action;
}

/** The variables that the frame's state can read. */
export function variablesOf(frame: Frame): JsonObject {
  return { ...frame.outerVariables, ...frame.variables };
}

/** `$states` (specification: Reserved "states" Variable with JSONata). */
export function statesVariable(
  { frame, state }: Pick<Visit, 'frame' | 'state'>,
  context: ExecutionContext,
  values: Values,
): JsonObject {
  const token = state.Type === 'Task' ? context.taskToken : undefined;
  return {
    input: frame.input,
    ...(values.result !== undefined && { result: values.result }),
    ...(values.errorOutput && { errorOutput: { ...values.errorOutput } }),
    context: contextObject(frame, context, token, values.mapItem ?? frame.mapItem),
  };
}

/**
 * The initial frame of a branch or iteration: it can read the variables of outer scopes and has none of its own yet
 * (specification: Variables, scope).
 */
export function innerFrame(
  { frame, now }: Visit,
  state: string,
  input: Json,
  mapItem: Frame['mapItem'] = frame.mapItem,
): Frame {
  return {
    state,
    input,
    variables: {},
    outerVariables: variablesOf(frame),
    enteredAt: now.toISOString(),
    retries: [],
    ...(mapItem && { mapItem }),
  };
}
