import type { JobData, RunningJob } from '../jobs/jobs.ts';
import { batch } from '../store/batch.ts';
import {
  loadThreads,
  lockThread,
  StaleCheckpointError,
  storeOutcome,
  type Thread,
  type ThreadTask,
} from '../store/threads.ts';
import { AbandonedCallError, callOf, runningCalls } from './calls.ts';
import { deadlinesOf, earliestDeadline, suspend, wakeAt } from './commit.ts';
import { type AwaitedOutcome, type RunDependencies, runThread } from './run.ts';
import type { JsonText, StepOutcome } from './steps/step.ts';
import type { Lane } from './steps/stepper.ts';

type Turn = Parameters<typeof loadThreads>[1][number];

/**
 * Runs the threads of executions from checkpoint to checkpoint. A job loads a thread with the outcome that it waited for;
 * `run.ts` takes steps from there, and `commit.ts` writes each.
 */
export function executionEngine(dependencies: RunDependencies) {
  const { database } = dependencies;
  const calls = runningCalls(database);
  const load = batch((turns: Turn[]) => loadThreads(database, turns), { max: 40, concurrency: 2 });

  const step = async ({ threadId, turn, dueAt }: JobData['execution-step'], lane: Lane) => {
    const thread = await load({ threadId, turn });
    if (!thread) return;
    const { outcome, awaiting } = thread;
    if (outcome === null && awaiting === 'callback') {
      const timeout = await checkDeadline(dependencies, thread, dueAt);
      if (timeout) await runThread(dependencies, { thread, lane }, timeout);
    } else {
      const elapsed = awaiting === 'wait' ? { kind: 'elapsed' as const } : undefined;
      await runThread(dependencies, { thread, lane }, outcome ?? elapsed);
    }
  };

  return {
    calls,
    /** Runs a thread until it waits or ends. */
    step: (data: JobData['execution-step']) => step(data, 'fast'),
    /** The same, for a thread whose next step is slow. */
    slowStep: (data: JobData['execution-slow-step']) => step(data, 'slow'),

    /** Makes the call that a thread waits for, then runs the thread. */
    async call({ threadId, turn }: JobData['execution-call'], { signal }: Pick<RunningJob, 'signal'>) {
      const thread = await load({ threadId, turn });
      if (!thread) return;
      // A crash interrupted this job after the call, when the thread had already continued.
      if (thread.awaiting !== 'call') return runThread(dependencies, { thread, lane: 'fast' }, undefined);
      try {
        // If the callback arrived before its request ended, the request is not repeated.
        const outcome =
          thread.outcome ?? (await calls.run(thread, signal, (abort) => callOf(dependencies, thread, abort)));
        const isCallback = outcome === 'requested' || thread.callbackStep !== null;
        const final = isCallback ? await afterRequest(dependencies, thread, outcome) : outcome;
        if (final) await continueAfterCall(dependencies, thread, final);
      } catch (error) {
        if (!(error instanceof AbandonedCallError || error instanceof StaleCheckpointError)) throw error;
      }
    },
  };
}

/** If the thread cannot continue now, the next job does, with this outcome: the call is not repeated. */
async function continueAfterCall(
  dependencies: RunDependencies,
  thread: Thread,
  outcome: StepOutcome | JsonText,
): Promise<void> {
  const { id, step } = thread;
  try {
    await runThread(dependencies, { thread, lane: 'fast' }, outcome);
  } catch (error) {
    // One that is text was loaded from there.
    if (typeof outcome === 'object')
      await storeOutcome(dependencies.database, { id, step }, JSON.stringify(outcome)).catch(() => {});
    throw error;
  }
}

/**
 * Continues after the request of a callback task. If the callback has already arrived, it is the outcome, whatever the
 * request's. Otherwise a failed request is the outcome, and no callback is accepted any more; after a successful
 * request the thread waits for the callback. The deadlines have been running since before the request.
 *
 * @returns the outcome; undefined if the thread waits for the callback
 * @throws StaleCheckpointError
 */
async function afterRequest(
  dependencies: RunDependencies,
  thread: Thread,
  request: StepOutcome | JsonText | 'requested',
): Promise<AwaitedOutcome> {
  return dependencies.database.transaction().execute(async (database) => {
    const current = await lockThread(database, thread);
    if (current.outcome) return current.outcome;
    if (request !== 'requested') {
      const outcome = typeof request === 'string' ? request : JSON.stringify(request);
      await storeOutcome(database, thread, outcome);
      return request;
    }
    // A thread with a task has a frame.
    const { frame, task, callbackStep } = thread as Thread & { frame: JsonText; task: ThreadTask };
    const { timeoutAt, heartbeatUntil } = current.timeoutAt ? current : deadlinesOf(task, dependencies.now());
    await suspend({ ...dependencies, database }, thread, {
      frame,
      awaiting: 'callback',
      task,
      callbackStep,
      timeoutAt,
      heartbeatUntil,
      history: [],
    });
    return undefined;
  });
}

/**
 * Fails a step whose callback has not arrived by `dueAt`. If a heartbeat has moved the deadline since, the same turn
 * continues to wait.
 *
 * @returns the outcome; undefined if the thread continues to wait
 */
async function checkDeadline(
  dependencies: RunDependencies,
  thread: Thread,
  dueAt: string | undefined,
): Promise<StepOutcome | undefined> {
  const due = earliestDeadline(thread);
  if (dueAt === undefined || due > new Date(dueAt)) {
    const { id: threadId, turn } = thread;
    await wakeAt(dependencies, due, { threadId, turn, dueAt: due.toISOString() });
    return undefined;
  }
  const isHeartbeat = thread.timeoutAt === null || thread.timeoutAt > due;
  const failure = isHeartbeat
    ? { error: 'States.HeartbeatTimeout', cause: 'No heartbeat arrived before the deadline.' }
    : { error: 'States.Timeout', cause: 'No callback arrived before the deadline.' };
  return { kind: 'failed', failure };
}
