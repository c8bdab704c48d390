import * as threads from '../store/threads.ts';
import { assertHere } from './elsewhere.ts';
import type { EngineDependencies, Run } from './engine.ts';
import type { Outcome } from './machine/actions.ts';

/** When the wait for an answer is over, unless a heartbeat or the answer comes before. */
export function dueOf({
  timeoutAt,
  heartbeatUntil,
}: Pick<threads.Thread, 'timeoutAt' | 'heartbeatUntil'>): Date {
  const due = [timeoutAt, heartbeatUntil].filter((at) => at !== null);
  return new Date(Math.min(...due.map((at) => at.getTime())));
}

/** Puts a thread aside until somebody answers its step's token, or nobody does in time. @throws Elsewhere */
export async function awaitAnswer(
  { database, jobs, now }: EngineDependencies,
  { thread }: Run,
  parking: Pick<threads.Parking, 'frame' | 'history'> & {
    task: threads.ThreadTask;
    callbackStep: number | null;
  },
): Promise<void> {
  const { timeoutSeconds, heartbeatSeconds } = parking.task;
  const at = now().getTime();
  const timeoutAt = new Date(at + timeoutSeconds * 1000);
  const heartbeatUntil = heartbeatSeconds === null ? undefined : new Date(at + heartbeatSeconds * 1000);
  assertHere(
    await threads.park(database, thread, { ...parking, awaiting: 'callback', timeoutAt, heartbeatUntil }),
  );
  const due = dueOf({ timeoutAt, heartbeatUntil: heartbeatUntil ?? null });
  // Beyond the end of the execution there is nobody to wake.
  if (due > thread.execution.deadlineAt) return;
  const data = { threadId: thread.id, turn: thread.turn + 1, dueAt: due.toISOString() };
  await jobs.enqueue(database, 'execution-step', data, { delayMilliseconds: due.getTime() - at });
}

/**
 * The request of a callback task is made: waits for its answer, unless that has come already.
 *
 * @returns the answer, or undefined where it is waited for now
 * @throws Elsewhere
 */
export async function answerOrWait(dependencies: EngineDependencies, run: Run): Promise<Outcome | undefined> {
  const { id, step, frame, task, callbackStep } = run.thread;
  return dependencies.database.transaction().execute(async (database) => {
    const held = await threads.lockThread(database, { id, step });
    assertHere(held !== undefined);
    if (held?.outcome) return held.outcome;
    const parking = { frame, task: task as threads.ThreadTask, callbackStep, history: [] };
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
): Promise<Outcome | undefined> {
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

function failed(error: string, cause: string): Outcome {
  return { kind: 'failed', failure: { error, cause } };
}
