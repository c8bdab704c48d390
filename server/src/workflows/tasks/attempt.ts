import type { MachineError } from '../../domain/failures.ts';
import type { Json, JsonObject } from '../../domain/json.ts';
import type { ThreadTask } from '../../store/threads.ts';
import type { EngineDependencies, Run } from '../run.ts';
import type { StepOutcome } from '../steps/step.ts';
import { type Attempt, TaskFailure } from './task.ts';

/** The longest that one call may take, whatever its TimeoutSeconds; the job that makes it has five minutes more. */
const longestCallSeconds = 1_500;

export function attemptOf({ thread }: Run, now: Date): Attempt {
  return { execution: thread.execution, idempotencyKey: `${thread.id}-${thread.step}`, now };
}

/** How something that may fail came out. @throws what is no failure of the task: the job is run again then */
export async function attempted<Value>(
  given: Json,
  work: (given: JsonObject) => Promise<Value>,
): Promise<{ kind: 'done'; value: Value } | { kind: 'failed'; failure: MachineError }> {
  try {
    if (typeof given !== 'object' || given === null || Array.isArray(given)) {
      throw new TaskFailure('Wrp.InvalidArguments', 'Arguments must be an object.');
    }
    return { kind: 'done', value: await work(given) };
  } catch (error) {
    if (!(error instanceof TaskFailure)) throw error;
    return { kind: 'failed', failure: error.failure };
  }
}

/**
 * Makes the call that a thread waits for, within its time.
 *
 * @param stop ends it without an outcome
 * @returns its outcome; `requested` where the answer is yet to come, by the task's token
 */
export async function callOf(
  { tasks, tokens, now }: EngineDependencies,
  run: Run,
  stop: AbortSignal,
): Promise<StepOutcome | 'requested'> {
  const { id, task, callbackStep } = run.thread;
  const known = task && tasks[task.resource];
  if (!known || known.kind === 'change') throw new Error(`There is no call ${task?.resource}.`);
  const { seconds, over } = limitOf(run.thread, known.kind, now());
  const timeout = AbortSignal.timeout(Math.ceil(seconds * 1000));
  const signal = AbortSignal.any([stop, timeout]);
  const attempt = attemptOf(run, now());
  const result = await attempted(task.arguments, async (given) => {
    if (known.kind === 'call') return known.call(given, attempt, signal);
    await known.request(given, attempt, {
      signal,
      token: tokens.of({ threadId: id, step: callbackStep as number }),
    });
    return 'requested' as const;
  }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
    return { kind: 'failed' as const, failure: over };
  });
  // What was stopped is nobody's failure: the job is run again, or the thread is gone.
  if (stop.aborted) throw stop.reason;
  if (result.kind === 'done') return result.value;
  return timeout.aborted ? { kind: 'failed', failure: over } : result;
}

/**
 * How long a call may take. It cannot beat, so that HeartbeatSeconds is a limit too. The request of a callback has
 * what is left of the step's time; any other call begins anew where its job is run again.
 */
function limitOf(
  { task, timeoutAt }: Run['thread'],
  kind: 'call' | 'callback',
  now: Date,
): { seconds: number; over: MachineError } {
  const { timeoutSeconds, heartbeatSeconds } = task as ThreadTask;
  if (kind === 'call' && heartbeatSeconds !== null && heartbeatSeconds < longestCallSeconds) {
    const cause = `No heartbeat came within ${heartbeatSeconds} seconds.`;
    return { seconds: heartbeatSeconds, over: { error: 'States.HeartbeatTimeout', cause } };
  }
  const left =
    kind === 'callback' && timeoutAt ? (timeoutAt.getTime() - now.getTime()) / 1000 : timeoutSeconds;
  const cause = `The call did not end within ${Math.min(timeoutSeconds, longestCallSeconds)} seconds.`;
  const seconds = Math.min(Math.max(left, 0), longestCallSeconds);
  return { seconds, over: { error: 'States.Timeout', cause } };
}
