import type { BlobStore } from '../blobs/blob-store.ts';
import type { JobData, Jobs } from '../jobs/jobs.ts';
import type { Database } from '../store/database.ts';
import type { EndedExecution, Ending } from '../store/executions.ts';
import { endChild, insertThreads, type ThreadEnd } from '../store/forks.ts';
import {
  assertCurrent,
  checkpoint,
  type HistoryEntry,
  type Suspension,
  suspendThread,
  type Thread,
  type ThreadTask,
} from '../store/threads.ts';
import { transact } from '../store/transact.ts';
import { endWithEvent, storeResult } from './ending.ts';
import { maximumPayloadBytes } from './machine/size.ts';
import type { StepAction } from './steps/step.ts';
import type { Tasks } from './tasks/task.ts';

export interface CommitDependencies {
  database: Database;
  jobs: Jobs;
  blobs: BlobStore;
  tasks: Tasks;
  /** Ends an execution; concurrent endings are batched. See `endInBatches`. */
  end(ending: Ending): Promise<EndedExecution | undefined>;
  now(): Date;
}

/** An action with the history entries that precede it. */
export interface Step {
  action: StepAction;
  entries: HistoryEntry[];
  /** Makes the task's change in the transaction of the checkpoint. */
  write?: ((transaction: Database) => Promise<void>) | undefined;
}

/**
 * What follows a step. `continues`: the thread, in this job. `left`: another job, if any: the thread is suspended or has
 * ended. `ended`: nothing, the execution has ended.
 */
export type Committed = 'continues' | 'left' | 'ended';

type Action<Kind extends StepAction['kind']> = Extract<StepAction, { kind: Kind }>;

/**
 * Commits a step: the checkpoint, its history and the next job in one transaction.
 *
 * @param yields continue in another job, even if this one could continue
 * @returns for `continues`, `thread` is at its new checkpoint
 * @throws StaleCheckpointError if the thread has left its checkpoint; nothing is written
 */
export async function commit(
  dependencies: CommitDependencies,
  thread: Thread,
  { action, entries: history, write }: Step,
  { yields }: { yields: boolean },
): Promise<Committed> {
  const { database } = dependencies;
  const inTransaction = (work: (transaction: Database) => Promise<void>) =>
    transact(database, async (transaction) => {
      await write?.(transaction);
      await work(transaction);
    });

  if (action.kind === 'next' && !yields) {
    const { frame } = action;
    if (write) await inTransaction((transaction) => checkpoint(transaction, thread, { frame, history }));
    else await checkpoint(database, thread, { frame, history });
    continueWith(thread, action);
    thread.step++;
    return 'continues';
  }
  if (action.kind !== 'end' && action.kind !== 'fail') {
    const suspension = { ...suspensionOf(dependencies, thread, action), history };
    await inTransaction((transaction) =>
      suspend({ ...dependencies, database: transaction }, thread, suspension),
    );
    return 'left';
  }
  const { parentId } = thread;
  if (parentId !== null) {
    const end: ThreadEnd =
      action.kind === 'end'
        ? { kind: 'succeeded', output: action.output }
        : { kind: 'failed', failure: action.failure };
    await inTransaction(async (transaction) => {
      const child = { ...thread, parentId };
      const next = await endChild(transaction, child, { end, history, maxResultBytes: maximumPayloadBytes });
      if (next) await dependencies.jobs.enqueue(transaction, 'execution-step', next);
    });
    return 'left';
  }
  const ending = await rootEnding(dependencies, thread, action, history);
  if (write) {
    await inTransaction(async (transaction) =>
      assertCurrent((await endWithEvent(transaction, ending))?.current === true),
    );
  } else assertCurrent((await dependencies.end(ending))?.current === true);
  return 'ended';
}

/** Moves a thread in memory to its next state, at the same checkpoint. */
export function continueWith(thread: Thread, { frame, state }: Action<'next'>): void {
  Object.assign(thread, { ...notWaiting, frame, state });
}

const notWaiting = {
  awaiting: null,
  outcome: null,
  task: null,
  callbackStep: null,
  timeoutAt: null,
  heartbeatUntil: null,
};

/**
 * What a thread waits for after an action. Calls run in jobs of their own; so does the request of a callback task, which
 * then waits for the callback.
 */
function suspensionOf(
  { tasks, now }: Pick<CommitDependencies, 'tasks' | 'now'>,
  { step }: Thread,
  action: Action<'next' | 'wait' | 'retry' | 'task' | 'fork'>,
): Omit<Suspension, 'history'> {
  const { frame } = action;
  switch (action.kind) {
    case 'next':
      return { frame, awaiting: null };
    case 'wait':
      return { frame, awaiting: 'wait', timeoutAt: action.until };
    case 'retry':
      return { frame, awaiting: 'retry', timeoutAt: action.at };
    case 'fork':
      return { frame, awaiting: 'fork', fork: action };
    case 'task': {
      const { resource, timeoutSeconds, heartbeatSeconds = null } = action;
      const task = { resource, arguments: action.arguments, timeoutSeconds, heartbeatSeconds };
      const known = tasks[resource];
      if (known?.kind !== 'callback') return { frame, awaiting: 'call', task };
      const awaiting = known.hasRequest(action.arguments) ? 'call' : 'callback';
      return { frame, awaiting, task, callbackStep: step, ...deadlinesOf(task, now()) };
    }
  }
}

type Deadlines = Pick<Thread, 'timeoutAt' | 'heartbeatUntil'>;

/** The deadlines of a step that starts now. */
export function deadlinesOf({ timeoutSeconds, heartbeatSeconds }: ThreadTask, now: Date): Deadlines {
  const after = (seconds: number) => new Date(now.getTime() + seconds * 1000);
  return {
    timeoutAt: after(timeoutSeconds),
    heartbeatUntil: heartbeatSeconds === null ? null : after(heartbeatSeconds),
  };
}

export function earliestDeadline({ timeoutAt, heartbeatUntil }: Partial<Deadlines>): Date {
  const deadlines = [timeoutAt, heartbeatUntil].filter((at) => at instanceof Date);
  return new Date(Math.min(...deadlines.map((at) => at.getTime())));
}

/** Suspends a thread, and adds the jobs that continue. @throws StaleCheckpointError */
export async function suspend(
  dependencies: Pick<CommitDependencies, 'database' | 'jobs' | 'now'>,
  thread: Thread,
  suspension: Suspension,
): Promise<void> {
  const { database, jobs } = dependencies;
  await suspendThread(database, thread, suspension);
  const next = { threadId: thread.id, turn: thread.turn + 1 };
  switch (suspension.awaiting) {
    case null:
      return jobs.enqueue(database, 'execution-step', next);
    case 'call': {
      const { organizationId } = thread.execution;
      return jobs.enqueue(database, 'execution-call', { ...next, organizationId });
    }
    case 'fork': {
      const { threads, started } = suspension.fork as NonNullable<Suspension['fork']>;
      await insertThreads(database, thread, threads);
      const ready = started.map((threadId) => ({ threadId, turn: 0 }));
      return jobs.enqueueAll(database, 'execution-step', ready);
    }
    case 'wait':
    case 'retry':
    case 'callback': {
      const due = earliestDeadline(suspension);
      // After the deadline of the execution there is nothing to wake.
      if (due > thread.execution.deadlineAt) return;
      const dueAt = suspension.awaiting === 'callback' && { dueAt: due.toISOString() };
      return wakeAt(dependencies, due, { ...next, ...dueAt });
    }
  }
}

/** Adds a job that runs a thread, or checks the deadline of its callback, at a time. */
export async function wakeAt(
  { database, jobs, now }: Pick<CommitDependencies, 'database' | 'jobs' | 'now'>,
  at: Date,
  turn: JobData['execution-step'],
): Promise<void> {
  const delayMilliseconds = at.getTime() - now().getTime();
  await jobs.enqueue(database, 'execution-step', turn, { delayMilliseconds });
}

/**
 * The ending of an execution whose root thread ends. Stores the result before the transaction that refers to it: if that
 * is rolled back, the sweeper removes the bytes.
 */
async function rootEnding(
  { blobs, now }: CommitDependencies,
  thread: Thread,
  action: Action<'end' | 'fail'>,
  history: HistoryEntry[],
): Promise<Ending> {
  const root = { thread, history };
  const { executionId } = thread;
  if (action.kind === 'fail') {
    return { executionId, root, now: now(), status: 'FAILED', failure: action.failure };
  }
  const result = await storeResult(blobs, action.output);
  return { executionId, root, now: now(), status: 'COMPLETED', result };
}
