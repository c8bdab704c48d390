import * as threads from '../store/threads.ts';
import type { EngineDependencies, Run } from './run.ts';
import { assertCurrent } from './stale-checkpoint.ts';
import type { JsonText, StepOutcome } from './steps/step.ts';

/** When the wait for an answer is over, unless a heartbeat or the answer comes before. */
function dueOf({ timeoutAt, heartbeatUntil }: Pick<threads.Thread, 'timeoutAt' | 'heartbeatUntil'>): Date {
  const due = [timeoutAt, heartbeatUntil].filter((at) => at !== null);
  return new Date(Math.min(...due.map((at) => at.getTime())));
}

/** By when a step that begins now must have been answered, and heard of. */
export function deadlinesOf(
  { timeoutSeconds, heartbeatSeconds }: threads.ThreadTask,
  now: Date,
): Pick<threads.Thread, 'timeoutAt' | 'heartbeatUntil'> {
  const after = (seconds: number) => new Date(now.getTime() + seconds * 1000);
  return {
    timeoutAt: after(timeoutSeconds),
    heartbeatUntil: heartbeatSeconds === null ? null : after(heartbeatSeconds),
  };
}

/** Puts a thread aside until somebody answers its step's token, or nobody does in time. @throws StaleCheckpointError */
export async function awaitAnswer(
  { database, jobs, now }: EngineDependencies,
  { thread }: Run,
  parking: Omit<threads.Parking, 'awaiting'> & Pick<threads.Thread, 'timeoutAt' | 'heartbeatUntil'>,
): Promise<void> {
  assertCurrent(await threads.park(database, thread, { ...parking, awaiting: 'callback' }));
  const due = dueOf(parking);
  // Beyond the end of the execution there is nobody to wake.
  if (due > thread.execution.deadlineAt) return;
  const data = { threadId: thread.id, turn: thread.turn + 1, dueAt: due.toISOString() };
  await jobs.enqueue(database, 'execution-step', data, {
    delayMilliseconds: Math.max(due.getTime() - now().getTime(), 1),
  });
}

/**
 * The request of a callback task is over. An answer that has come meanwhile counts, whatever became of the request;
 * else a failed request is the outcome, after which no answer is taken any more, and a good one is waited upon. Its
 * time has run since before the request.
 *
 * @returns the outcome, or undefined where it is waited for now
 * @throws StaleCheckpointError
 */
export async function answerOrWait(
  dependencies: EngineDependencies,
  run: Run,
  request: StepOutcome | JsonText | 'requested',
): Promise<StepOutcome | JsonText | undefined> {
  const { id, step, frame, task, callbackStep } = run.thread;
  return dependencies.database.transaction().execute(async (database) => {
    const held = await threads.lockThread(database, { id, step });
    assertCurrent(held !== undefined);
    if (held.outcome) return held.outcome;
    if (request !== 'requested') {
      await threads.keepOutcome(database, { id, step }, textOf(request));
      return request;
    }
    const { timeoutAt, heartbeatUntil } = held.timeoutAt
      ? held
      : deadlinesOf(task as threads.ThreadTask, dependencies.now());
    // A thread that has a task is past its beginning.
    const parking = { frame: frame as string, task, callbackStep, timeoutAt, heartbeatUntil, history: [] };
    await awaitAnswer({ ...dependencies, database }, run, parking);
    return undefined;
  });
}

/**
 * Nobody has answered by `dueAt`. A heartbeat may have put that off since: then the same turn goes on waiting.
 *
 * @returns how the step came out, or undefined where the wait goes on
 */
export async function unanswered(
  { database, jobs, now }: EngineDependencies,
  thread: threads.Thread,
  dueAt: string | undefined,
): Promise<StepOutcome | undefined> {
  const due = dueOf(thread);
  if (dueAt === undefined || due > new Date(dueAt)) {
    const data = { threadId: thread.id, turn: thread.turn, dueAt: due.toISOString() };
    const delayMilliseconds = Math.max(due.getTime() - now().getTime(), 1);
    await jobs.enqueue(database, 'execution-step', data, { delayMilliseconds });
    return undefined;
  }
  const inTime = thread.timeoutAt === null || thread.timeoutAt > due;
  return inTime
    ? failed('States.HeartbeatTimeout', 'No heartbeat came in time.')
    : failed('States.Timeout', 'No answer came in time.');
}

function failed(error: string, cause: string): StepOutcome {
  return { kind: 'failed', failure: { error, cause } };
}

function textOf(outcome: StepOutcome | JsonText): JsonText {
  return typeof outcome === 'string' ? outcome : JSON.stringify(outcome);
}
