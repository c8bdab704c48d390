import * as threads from '../store/threads.ts';
import type { EngineDependencies, Run } from './run.ts';
import { assertCurrent } from './stale-checkpoint.ts';
import type { JsonText, StepOutcome } from './steps/step.ts';

type Deadlines = Pick<threads.Thread, 'timeoutAt' | 'heartbeatUntil'>;

function earliestDeadline({ timeoutAt, heartbeatUntil }: Deadlines): Date {
  const deadlines = [timeoutAt, heartbeatUntil].filter((at) => at !== null);
  return new Date(Math.min(...deadlines.map((at) => at.getTime())));
}

/** The deadlines of a step that starts now. */
export function deadlinesOf({ timeoutSeconds, heartbeatSeconds }: threads.ThreadTask, now: Date): Deadlines {
  const after = (seconds: number) => new Date(now.getTime() + seconds * 1000);
  return {
    timeoutAt: after(timeoutSeconds),
    heartbeatUntil: heartbeatSeconds === null ? null : after(heartbeatSeconds),
  };
}

/** Parks a thread until its step's callback arrives or a deadline passes. @throws StaleCheckpointError */
export async function awaitCallback(
  dependencies: Pick<EngineDependencies, 'database' | 'jobs' | 'now'>,
  { thread }: Run,
  parking: Omit<threads.Parking, 'awaiting'> & Deadlines,
): Promise<void> {
  assertCurrent(await threads.park(dependencies.database, thread, { ...parking, awaiting: 'callback' }));
  const due = earliestDeadline(parking);
  // After the deadline of the execution there is nothing to wake.
  if (due > thread.execution.deadlineAt) return;
  await checkDeadlineAt(dependencies, due, { threadId: thread.id, turn: thread.turn + 1 });
}

async function checkDeadlineAt(
  { database, jobs, now }: Pick<EngineDependencies, 'database' | 'jobs' | 'now'>,
  due: Date,
  turn: { threadId: string; turn: number },
): Promise<void> {
  const delayMilliseconds = Math.max(due.getTime() - now().getTime(), 1);
  await jobs.enqueue(
    database,
    'execution-step',
    { ...turn, dueAt: due.toISOString() },
    { delayMilliseconds },
  );
}

/**
 * Continues after the request of a callback task. If the callback has already arrived, it is the outcome, whatever the
 * request's. Otherwise a failed request is the outcome, and no callback is accepted any more; after a successful
 * request the thread waits for the callback. The deadlines have been running since before the request.
 *
 * @returns the outcome; undefined if the thread waits for the callback
 * @throws StaleCheckpointError
 */
export async function afterRequest(
  dependencies: EngineDependencies,
  run: Run,
  request: StepOutcome | JsonText | 'requested',
): Promise<StepOutcome | JsonText | undefined> {
  const { id, step, frame, task, callbackStep } = run.thread;
  return dependencies.database.transaction().execute(async (database) => {
    const current = await threads.lockThread(database, { id, step });
    assertCurrent(current !== undefined);
    if (current.outcome) return current.outcome;
    if (request !== 'requested') {
      const outcome = typeof request === 'string' ? request : JSON.stringify(request);
      await threads.storeOutcome(database, { id, step }, outcome);
      return request;
    }
    const { timeoutAt, heartbeatUntil } = current.timeoutAt
      ? current
      : deadlinesOf(task as threads.ThreadTask, dependencies.now());
    // A thread with a task has a frame.
    const parking = { frame: frame as string, task, callbackStep, timeoutAt, heartbeatUntil, history: [] };
    await awaitCallback({ ...dependencies, database }, run, parking);
    return undefined;
  });
}

/**
 * Fails a step whose callback has not arrived by `dueAt`. If a heartbeat has moved the deadline since, the same turn
 * continues to wait.
 *
 * @returns the outcome; undefined if the thread continues to wait
 */
export async function checkDeadline(
  dependencies: EngineDependencies,
  thread: threads.Thread,
  dueAt: string | undefined,
): Promise<StepOutcome | undefined> {
  const due = earliestDeadline(thread);
  if (dueAt === undefined || due > new Date(dueAt)) {
    await checkDeadlineAt(dependencies, due, { threadId: thread.id, turn: thread.turn });
    return undefined;
  }
  const isHeartbeat = thread.timeoutAt === null || thread.timeoutAt > due;
  const failure = isHeartbeat
    ? { error: 'States.HeartbeatTimeout', cause: 'No heartbeat arrived before the deadline.' }
    : { error: 'States.Timeout', cause: 'No callback arrived before the deadline.' };
  return { kind: 'failed', failure };
}
