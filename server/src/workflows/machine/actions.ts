import type { Frame, Outcome, ScopePath } from '../../domain/checkpoints.ts';
import type { MachineError } from '../../domain/failures.ts';
import type { Json } from '../../domain/json.ts';
import type { Definition, State } from './definition.ts';

/** What an expression sees as `$states.context`, besides what the frame says. */
export interface ExecutionContext {
  execution: { id: string; input: Json; name: string; startTime: string };
  stateMachine: { id: string; name: string };
  /** The token with which an outside system answers a callback task; the same for each attempt of a step. */
  taskToken?: string;
}

/** What is to happen next with a frame. */
export type Action =
  /** The state is done: go on with `frame`, at the next state. */
  | { kind: 'next'; frame: Frame; output: Json }
  /** Nothing happens before `until`; then `resume` with outcome `elapsed`. */
  | { kind: 'wait'; frame: Frame; until: Date }
  /** Work to be done outside; then `resume` with its outcome. */
  | {
      kind: 'task';
      frame: Frame;
      resource: string;
      arguments: Json;
      /** Seconds. */
      timeoutSeconds: number;
      heartbeatSeconds: number | undefined;
    }
  /** Threads to be run, at most `maxConcurrency` (0: any number) at a time; then `resume` with their outcomes. */
  | {
      kind: 'fork';
      frame: Frame;
      branches: Branch[];
      maxConcurrency: number;
      /** More failed threads than this fail the state at once. */
      toleratedFailures: number;
    }
  /** The same state again at `at`, as a Retry says. */
  | { kind: 'retry'; frame: Frame; at: Date; failure: MachineError }
  /** The thread is done. */
  | { kind: 'end'; output: Json }
  | { kind: 'fail'; failure: MachineError };

/** A thread of a Parallel or Map to be begun: its definition is found by `path`, its first frame is given. */
export interface Branch {
  /** Where its states stand: the fork's state, and which branch of a Parallel. */
  path: ScopePath[number];
  frame: Frame;
}

/** The interpreter: pure, bounded in time and depth, with no state of its own. */
export interface Machine {
  definition: Definition;
  /** The first frame of an execution. */
  begin(input: Json, now: Date): Frame;
  /** Runs the state of a frame up to where it ends or needs something from outside. */
  run(scope: ScopePath, frame: Frame, context: ExecutionContext, now: Date): Promise<Action>;
  /** Goes on with a frame whose task, wait or fork came out. */
  resume(
    scope: ScopePath,
    frame: Frame,
    outcome: Outcome,
    context: ExecutionContext,
    now: Date,
  ): Promise<Action>;
  /** Fails the state of a frame, which had to be stopped: its Retry and Catch apply. */
  fail(
    scope: ScopePath,
    frame: Frame,
    failure: MachineError,
    context: ExecutionContext,
    now: Date,
  ): Promise<Action>;
  state(scope: ScopePath, name: string): State;
}
