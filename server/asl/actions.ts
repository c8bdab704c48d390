import type { Json, JsonObject } from '../json/index.ts';
import type { Frame, Outcome, ScopePath } from './checkpoints.ts';
import type { Definition, State } from './definition.ts';
import type { Failed } from './failure.ts';
import type { MachineError } from './machine-error.ts';

/** The part of `$states.context` that is not in the frame. */
export interface ExecutionContext {
  execution: { id: string; input: Json; name: string; startTime: string };
  stateMachine: { id: string; name: string };
  /** The token with which another system completes a callback task; the same for each attempt of a step. */
  taskToken?: string;
}

/** What happens next with a frame. */
export type Action =
  /** The state is done: continue with `frame`, at the next state. */
  | {
      kind: 'next';
      frame: Frame;
      output: Json;
      /** The variables that its Assign set. */
      assigned?: JsonObject;
      /** The field that decided: `Choices/0/` or `Catch/0/` in the state; empty for its Next or Default. */
      via: string;
      /** What a Catcher caught. */
      failure?: MachineError;
    }
  /** At `until`, `resume` with the outcome `elapsed`. */
  | { kind: 'wait'; frame: Frame; until: Date }
  /** Run a task, then `resume` with its outcome. */
  | {
      kind: 'task';
      frame: Frame;
      resource: string;
      arguments: Json;
      /** Seconds. */
      timeoutSeconds: number;
      heartbeatSeconds: number | undefined;
    }
  /** Run the branches, at most `maxConcurrency` (0: unlimited) at a time, then `resume` with their outcome. */
  | {
      kind: 'fork';
      frame: Frame;
      branches: Branch[];
      maxConcurrency: number;
      /** More failed threads than this fail the state immediately. */
      toleratedFailures: number;
    }
  /** Run the state again at `at`, as its Retry says. */
  | { kind: 'retry'; frame: Frame; at: Date; failure: MachineError; retrier: number }
  /** The thread is done, with the variables of its scope. */
  | { kind: 'end'; output: Json; variables: JsonObject; assigned?: JsonObject }
  | { kind: 'fail'; failure: MachineError };

/** A thread of a Parallel or Map. */
export interface Branch {
  /** The scope of its states: the state of the fork, and the branch of a Parallel. */
  path: ScopePath[number];
  /** The initial frame. */
  frame: Frame;
}

/** The interpreter. It is pure, stateless, and limited in time and depth. */
export interface Machine {
  definition: Definition;
  /** The initial frame of an execution. */
  begin(input: Json, now: Date): Frame;
  /** Runs the state of a frame until it ends or waits. */
  run(scope: ScopePath, frame: Frame, context: ExecutionContext, now: Date): Promise<Action>;
  /** Continues a frame with the outcome of its task, wait or fork. */
  resume(
    scope: ScopePath,
    frame: Frame,
    outcome: Outcome,
    context: ExecutionContext,
    now: Date,
  ): Promise<Action>;
  /** Fails the state of a frame, which exceeded a limit. Its Retry and Catch apply. */
  fail(scope: ScopePath, frame: Frame, failed: Failed, context: ExecutionContext, now: Date): Promise<Action>;
  state(scope: ScopePath, name: string): State;
}
