import type { MachineError } from '../../../asl/index.ts';
import type { Json, JsonObject } from '../../../json/index.ts';
import type { ThreadTask } from '../../store/threads.ts';
import type { EngineDependencies, Run } from '../run.ts';
import type { StepOutcome } from '../steps/step.ts';
import { type Attempt, TaskFailure } from './task.ts';

/** Upper limit of TimeoutSeconds for a call; the job that makes the call expires five minutes later. */
const maxCallSeconds = 1_500;

export function attemptOf({ thread }: Run, now: Date): Attempt {
  return { execution: thread.execution, idempotencyKey: `${thread.id}-${thread.step}`, now };
}

/** Catches TaskFailure. Other errors are thrown, and the job is retried. */
export async function catchFailure<Value>(
  args: Json,
  attempt: (args: JsonObject) => Promise<Value>,
): Promise<{ kind: 'done'; value: Value } | { kind: 'failed'; failure: MachineError }> {
  try {
    if (typeof args !== 'object' || args === null || Array.isArray(args)) {
      throw new TaskFailure('Wrp.InvalidArguments', 'Arguments must be an object.');
    }
    return { kind: 'done', value: await attempt(args) };
  } catch (error) {
    if (!(error instanceof TaskFailure)) throw error;
    return { kind: 'failed', failure: error.failure };
  }
}

/**
 * Makes the call that a thread waits for, within its timeout.
 *
 * @param abort aborts the call without an outcome
 * @returns the outcome; `requested` if it arrives later, by callback
 */
export async function callOf(
  { tasks, tokens, now }: EngineDependencies,
  run: Run,
  abort: AbortSignal,
): Promise<StepOutcome | 'requested'> {
  const { id, task, callbackStep } = run.thread;
  const caller = task && tasks[task.resource];
  if (!caller || caller.kind === 'change') throw new Error(`There is no call ${task?.resource}.`);
  const { seconds, timeoutFailure } = limitOf(run.thread, caller.kind, now());
  const timeout = AbortSignal.timeout(Math.ceil(seconds * 1000));
  const signal = AbortSignal.any([abort, timeout]);
  const attempt = attemptOf(run, now());
  const result = await catchFailure(task.arguments, async (args) => {
    if (caller.kind === 'call') return caller.call(args, attempt, signal);
    const token = tokens.of({ threadId: id, step: callbackStep as number });
    await caller.request(args, attempt, { signal, token });
    return 'requested' as const;
  }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
    return { kind: 'failed' as const, failure: timeoutFailure };
  });
  // An aborted call has no outcome: the job is retried, or the thread is gone.
  if (abort.aborted) throw abort.reason;
  if (result.kind === 'done') return result.value;
  return timeout.aborted ? { kind: 'failed', failure: timeoutFailure } : result;
}

/**
 * The timeout of a call. HeartbeatSeconds is a limit too, because a call cannot send heartbeats. The request of a
 * callback task has the remaining time of the step; the timeout of any other call restarts when its job is retried.
 */
function limitOf(
  { task, timeoutAt }: Run['thread'],
  kind: 'call' | 'callback',
  now: Date,
): { seconds: number; timeoutFailure: MachineError } {
  const { timeoutSeconds, heartbeatSeconds } = task as ThreadTask;
  if (kind === 'call' && heartbeatSeconds !== null && heartbeatSeconds < maxCallSeconds) {
    const cause = `No heartbeat arrived within ${heartbeatSeconds} seconds.`;
    return { seconds: heartbeatSeconds, timeoutFailure: { error: 'States.HeartbeatTimeout', cause } };
  }
  const left =
    kind === 'callback' && timeoutAt ? (timeoutAt.getTime() - now.getTime()) / 1000 : timeoutSeconds;
  const cause = `The call did not end within ${Math.min(timeoutSeconds, maxCallSeconds)} seconds.`;
  const seconds = Math.min(Math.max(left, 0), maxCallSeconds);
  return { seconds, timeoutFailure: { error: 'States.Timeout', cause } };
}
