import type { Frame } from '../../domain/checkpoints.ts';
import type { Json } from '../../domain/json.ts';
import type { Action } from './actions.ts';
import { assign } from './assign.ts';
import type { Assignments, Template } from './definition.ts';
import type { Values, Visit } from './visit.ts';

export interface Exit {
  Output?: Template;
  Assign?: Assignments;
  Next?: string;
  /** Where the fields above stand in the state: '' or `Catch/0/`. */
  place: string;
  /** What the expressions of Output and Assign see besides input and context. */
  values: Values;
  /** The state's output when there is no Output: the result of Task, Parallel and Map, else the input. */
  otherwise: Json;
}

/**
 * Ends a visit. Output and Assign see the same values: those of before, so that a new variable is first seen by the
 * next state (specification: Using Assign). A state without Next ends its thread.
 */
export function leave(visit: Visit, exit: Exit): Action {
  const output =
    exit.Output === undefined
      ? exit.otherwise
      : visit.evaluate(exit.Output, `${exit.place}Output`, exit.values);
  const variables = assign(visit, exit.Assign, `${exit.place}Assign`, exit.values);
  if (exit.Next === undefined) return { kind: 'end', output };
  const frame: Frame = { ...visit.frame, input: output, variables };
  return { kind: 'next', frame: entered(frame, exit.Next, visit.now), output };
}

/** The frame at the beginning of a state: nothing retried, nothing pending. */
export function entered({ pending: _, ...frame }: Frame, state: string, now: Date): Frame {
  return { ...frame, state, enteredAt: now.toISOString(), retries: [] };
}
