import { transact } from '../../postgres-client/index.ts';
import type { CallbackTokens } from '../domain/callback-tokens.ts';
import type { Database } from '../store/database.ts';
import {
  beginTurn,
  lockThread,
  storeOutcome,
  type Thread,
  type ThreadTask,
  turnsOf,
} from '../store/threads.ts';
import { type CommitDependencies, deadlinesOf, earliestDeadline, suspend } from './commit.ts';
import type { JsonText, StepOutcome } from './steps/step.ts';
import { attemptOf, catchFailure } from './tasks/task.ts';
import { callLimitOf, missedBy } from './tasks/timeouts.ts';

interface CallDependencies extends CommitDependencies {
  tokens: CallbackTokens;
}

export type Calls = ReturnType<typeof runningCalls>;

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
 * Makes the call that a thread waits for, unless its outcome is stored: if the callback arrived before its request ended,
 * the request is not repeated.
 *
 * @returns the outcome; undefined if the thread waits for a callback
 * @throws AbandonedCallError or StaleCheckpointError if the thread does not wait for the call any more
 */
export async function outcomeOfCall(
  dependencies: CallDependencies,
  calls: Calls,
  thread: Thread,
  signal: AbortSignal,
): Promise<StepOutcome | JsonText | undefined> {
  const { outcome: stored, callbackStep } = thread;
  const outcome = stored ?? (await calls.run(thread, signal, (abort) => callOf(dependencies, thread, abort)));
  const isCallback = outcome === 'requested' || callbackStep !== null;
  return isCallback ? afterRequest(dependencies, thread, outcome) : outcome;
}

/**
 * Moves a call whose host fails to the group of such calls.
 *
 * @returns false if its host does not fail, or its outcome is stored
 * @throws StaleCheckpointError if another job has continued the thread
 */
export async function moveToFailing(
  { database, jobs, hosts }: CallDependencies,
  { id, turn, outcome, task, execution: { organizationId } }: Thread,
): Promise<boolean> {
  const failingGroup = outcome === null ? hosts.groupOf({ organizationId, task }) : undefined;
  if (failingGroup === undefined) return false;
  await transact(database, async (transaction) => {
    await beginTurn(transaction, { id, turn });
    const next = { threadId: id, turn: turn + 1, organizationId, failingGroup };
    await jobs.enqueue(transaction, 'execution-call', next);
  });
  return true;
}

/**
 * Makes the call that a thread waits for, within its timeout.
 *
 * @param abort aborts the call without an outcome
 * @returns the outcome; `requested` if it arrives later, by callback
 */
async function callOf(
  { tasks, tokens, hosts, now }: CallDependencies,
  thread: Thread,
  abort: AbortSignal,
): Promise<StepOutcome | 'requested'> {
  const { id, task, callbackStep } = thread;
  const caller = task && tasks[task.resource];
  if (!caller || caller.kind === 'change') throw new Error(`There is no call ${task?.resource}.`);
  const { seconds, timeoutFailure } = callLimitOf(thread, caller.kind, now());
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
  const { organizationId } = thread.execution;
  hosts.record({ organizationId, task }, result.kind === 'failed' ? result.failure : undefined);
  if (result.kind === 'done') return result.value;
  return timeout.aborted ? { kind: 'failed', failure: timeoutFailure } : result;
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
  dependencies: CommitDependencies,
  thread: Thread,
  request: StepOutcome | JsonText | 'requested',
): Promise<StepOutcome | JsonText | undefined> {
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
    const suspension = {
      frame,
      awaiting: 'callback' as const,
      task,
      callbackStep,
      timeoutAt,
      heartbeatUntil,
    };
    await suspend({ ...dependencies, database }, thread, suspension, []);
    return undefined;
  });
}

/**
 * The outcome with which a thread continues when its job starts. A step whose callback has not arrived by `dueAt` fails.
 * If a heartbeat has moved the deadline since, the same turn continues to wait.
 *
 * @returns undefined for a thread that waited for nothing; `none_yet` if it continues to wait
 */
export async function outcomeOfWait(
  { database, jobs, now }: CommitDependencies,
  thread: Thread,
  dueAt: string | undefined,
): Promise<StepOutcome | JsonText | undefined | 'none_yet'> {
  const { id: threadId, turn, outcome, awaiting, timeoutAt } = thread;
  if (outcome !== null) return outcome;
  if (awaiting !== 'callback') return awaiting === 'wait' ? { kind: 'elapsed' } : undefined;
  const due = earliestDeadline(thread);
  if (dueAt === undefined || due > new Date(dueAt)) {
    const later = { threadId, turn, dueAt: due.toISOString() };
    const delayMilliseconds = due.getTime() - now().getTime();
    await jobs.enqueue(database, 'execution-step', later, { delayMilliseconds });
    return 'none_yet';
  }
  return {
    kind: 'failed',
    failure: missedBy(timeoutAt === null || timeoutAt > due ? 'heartbeat' : 'callback'),
  };
}
