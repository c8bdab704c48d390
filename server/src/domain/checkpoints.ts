import type { MachineError } from './failures.ts';
import type { Json, JsonObject } from './json.ts';

/**
 * One thread of an execution at the state that it is in. The whole execution has one; each branch of a
 * Parallel and each iteration of a Map has one of its own. All of it is JSON: it is the checkpoint.
 */
export interface Frame {
  /** The state that is to run, or that waits for its outcome. */
  state: string;
  /** The state's input. */
  input: Json;
  /** Variables of this scope; those of the scopes around it stand in `outerVariables`, read-only. */
  variables: JsonObject;
  outerVariables: JsonObject;
  /** When the state was entered, ISO 8601. */
  enteredAt: string;
  /** How often each retrier of the state has been used, by its index. */
  retries: number[];
  /** For an iteration of a Map: `$states.context.Map.Item`. */
  mapItem?: { Index: number; Value: Json };
  /** The result of the evaluation that began the state's work, kept for its outcome. */
  pending?: Json;
}

/** From the top of a definition to the states of a thread: `[{state: 'Checks', branch: 1}, …]`. */
export type ScopePath = { state: string; branch: number }[];

/** How what a frame waited for came out. */
export type Outcome =
  | { kind: 'elapsed' }
  | { kind: 'succeeded'; result: Json }
  | { kind: 'failed'; failure: MachineError };
