import type { Json, JsonObject } from '../json/index.ts';
import type { MachineError } from './machine-error.ts';

/**
 * The position of one thread of an execution. The execution has one; each branch of a Parallel and each iteration
 * of a Map has its own. It is JSON, and is stored as the checkpoint.
 */
export interface Frame {
  /** The state to run, or the state that waits for its outcome. */
  state: string;
  /** The state's input. */
  input: Json;
  /** Variables of this scope; those of enclosing scopes are in `outerVariables`, read-only. */
  variables: JsonObject;
  outerVariables: JsonObject;
  /** When the state was entered, ISO 8601. */
  enteredAt: string;
  /** Number of uses of each retrier of the state, by index. */
  retries: number[];
  /** For an iteration of a Map: `$states.context.Map.Item`. */
  mapItem?: { Index: number; Value: Json };
}

/** The path from the definition to the states of a thread: `[{state: 'Checks', branch: 1}, …]`. */
export type ScopePath = { state: string; branch: number }[];

/** The outcome of what a frame waited for. */
export type Outcome =
  | { kind: 'elapsed' }
  | { kind: 'succeeded'; result: Json }
  | { kind: 'failed'; failure: MachineError };
