import type { MachineError } from '../domain/failures.ts';
import type { Database } from '../store/database.ts';
import { type Thread, type ThreadTask, turnsOf } from '../store/threads.ts';
import type { CallbackTokens } from './callbacks.ts';
import type { StepOutcome } from './steps/step.ts';
import { attemptOf, catchFailure, type Tasks } from './tasks/task.ts';

export type Calls = ReturnType<typeof runningCalls>;

/** Upper limit of TimeoutSeconds for a call; the job that makes the call expires five minutes later. */
const maxCallSeconds = 1_500;

/** The calls that this process makes for threads. */
export function runningCalls(database: Database) {
  const running = new Map<string, { turn: number; controller: AbortController }>();
  return {
    /** Makes a call that is aborted by `signal`, or when its thread is gone. */
    async run<Result>(
      { id, turn }: Pick<Thread, 'id' | 'turn'>,
      signal: AbortSignal,
      call: (signal: AbortSignal) => Promise<Result>,
    ): Promise<Result> {
      const controller = new AbortController();
      const entry = { turn, controller };
      running.set(id, entry);
      try {
        return await call(AbortSignal.any([signal, controller.signal]));
      } finally {
        if (running.get(id) === entry) running.delete(id);
      }
    },
    /** Aborts the calls of threads that are gone: their execution has ended, or their fork was stopped. */
    async abortAbandoned() {
      // A snapshot: the query does not cover calls that start while it runs.
      const calls = [...running];
      if (calls.length === 0) return;
      const ids = calls.map(([id]) => id);
      const turns = await turnsOf(database, ids);
      for (const [id, { turn, controller }] of calls) {
        if (turns.get(id) !== turn) controller.abort(new AbandonedCallError());
      }
    },
  };
}

export class AbandonedCallError extends Error {
  override name = 'AbandonedCallError';

  constructor() {
    super('The thread does not wait for this call any more.');
  }
}

/**
 * Makes the call that a thread waits for, within its timeout.
 *
 * @param abort aborts the call without an outcome
 * @returns the outcome; `requested` if it arrives later, by callback
 */
export async function callOf(
  { tasks, tokens, now }: { tasks: Tasks; tokens: CallbackTokens; now(): Date },
  thread: Thread,
  abort: AbortSignal,
): Promise<StepOutcome | 'requested'> {
  const { id, task, callbackStep } = thread;
  const caller = task && tasks[task.resource];
  if (!caller || caller.kind === 'change') throw new Error(`There is no call ${task?.resource}.`);
  const { seconds, timeoutFailure } = limitOf(thread, caller.kind, now());
  const timeout = AbortSignal.timeout(Math.ceil(seconds * 1000));
  const signal = AbortSignal.any([abort, timeout]);
  const attempt = attemptOf(thread, now());
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
  { task, timeoutAt }: Thread,
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
