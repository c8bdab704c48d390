import { maximumPayloadBytes } from '../../asl/index.ts';
import type { BlobStore } from '../../blobs/index.ts';
import { transact } from '../../postgres-client/index.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { Database } from '../store/database.ts';
import type { EndedExecution, Ending } from '../store/executions.ts';
import { endChild, insertThreads, type Started, type ThreadEnd } from '../store/forks.ts';
import { continueForks } from '../store/stopped-threads.ts';
import {
  assertCurrent,
  checkpoint,
  type HistoryEntry,
  type Suspension,
  storeOutcome,
  suspendThread,
  type Thread,
  type ThreadTask,
} from '../store/threads.ts';
import { currentTraceparent } from '../tracing/trace.ts';
import { endNow, endWithEvent, storeResult } from './ending.ts';
import type { HostHealth } from './host-health.ts';
import { storeLargeValues } from './large-values.ts';
import type { JsonText, StepAction, StepOutcome } from './steps/step.ts';
import type { Tasks } from './tasks/task.ts';
import { enqueueContinued } from './thread-jobs.ts';

export interface CommitDependencies {
  database: Database;
  jobs: Jobs;
  blobs: BlobStore;
  tasks: Tasks;
  hosts: HostHealth;
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

type Action<Kind extends StepAction['kind']> = Extract<StepAction, { kind: Kind }>;

/** What a step writes besides its history. */
type Decision =
  /** The thread continues in this job. */
  | { kind: 'checkpoint'; frame: JsonText }
  /** Another job continues the thread. */
  | { kind: 'suspension'; suspension: Suspension }
  /** A child thread of a fork ends. */
  | { kind: 'child_end'; parentId: string; end: ThreadEnd }
  /** The root thread ends, and so does the execution. */
  | { kind: 'ending'; ending: Ending };

export type Committed = Decision['kind'];

/**
 * Commits a step: the checkpoint, its history and the next job in one transaction.
 *
 * @param yields continue in another job, even if this one could continue
 * @returns what was written; after a `checkpoint`, `thread` is at it
 * @throws StaleCheckpointError if the thread has left its checkpoint; nothing is written
 */
export async function commit(
  dependencies: CommitDependencies,
  thread: Thread,
  { action, entries: given, write }: Step,
  { yields }: { yields: boolean },
): Promise<Committed> {
  const entries = await storeLargeValues(dependencies, thread.executionId, given);
  const decision = await decide(dependencies, thread, action, yields);
  const writeAll = async (database: Database, end: CommitDependencies['end']) => {
    await write?.(database);
    await writeDecision({ ...dependencies, database, end }, thread, decision, entries);
  };
  // One statement needs no transaction, and concurrent endings share one.
  if (!write && (decision.kind === 'checkpoint' || decision.kind === 'ending')) {
    await writeAll(dependencies.database, dependencies.end);
  } else {
    await transact(dependencies.database, (transaction) =>
      writeAll(transaction, (ending) => endWithEvent(transaction, ending)),
    );
  }
  if (action.kind === 'next' && decision.kind === 'checkpoint') {
    continueWith(thread, action);
    thread.step++;
  }
  return decision.kind;
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
 * A result is stored before the transaction that refers to it: if that is rolled back, the sweeper removes the bytes.
 */
async function decide(
  { blobs, tasks, now }: CommitDependencies,
  { executionId, parentId, step }: Thread,
  action: StepAction,
  yields: boolean,
): Promise<Decision> {
  switch (action.kind) {
    case 'end': {
      const { output } = action;
      if (parentId !== null) return { kind: 'child_end', parentId, end: { kind: 'succeeded', output } };
      const result = await storeResult(blobs, output);
      return { kind: 'ending', ending: { executionId, status: 'COMPLETED', result, now: now() } };
    }
    case 'fail': {
      const { failure } = action;
      if (parentId !== null) return { kind: 'child_end', parentId, end: { kind: 'failed', failure } };
      return { kind: 'ending', ending: { executionId, status: 'FAILED', failure, now: now() } };
    }
    case 'next':
      if (!yields) return { kind: 'checkpoint', frame: action.frame };
      return suspension({ frame: action.frame, awaiting: null });
    case 'wait':
      return suspension({ frame: action.frame, awaiting: 'wait', timeoutAt: action.until });
    case 'retry':
      return suspension({ frame: action.frame, awaiting: 'retry', timeoutAt: action.at });
    case 'fork':
      return suspension({ frame: action.frame, awaiting: 'fork', fork: action });
    case 'task': {
      const { frame, resource, timeoutSeconds, heartbeatSeconds = null } = action;
      const task = { resource, arguments: action.arguments, timeoutSeconds, heartbeatSeconds };
      const known = tasks[resource];
      // Calls run in jobs of their own; so does the request of a callback task, which then waits for the callback.
      if (known?.kind !== 'callback') return suspension({ frame, awaiting: 'call', task });
      const awaiting = known.needsRequest(action.arguments) ? 'call' : 'callback';
      return suspension({ frame, awaiting, task, callbackStep: step, ...deadlinesOf(task, now()) });
    }
  }
}

const suspension = (suspension: Suspension): Decision => ({ kind: 'suspension', suspension });

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

/** Writes a step, and adds the jobs that continue. @throws StaleCheckpointError */
async function writeDecision(
  dependencies: CommitDependencies,
  thread: Thread,
  decision: Decision,
  history: HistoryEntry[],
): Promise<void> {
  const { database, end } = dependencies;
  switch (decision.kind) {
    case 'checkpoint':
      return checkpoint(database, thread, { frame: decision.frame, history });
    case 'suspension':
      return suspend(dependencies, thread, decision.suspension, history);
    case 'child_end': {
      const childEnd = { ...decision, history, maxResultBytes: maximumPayloadBytes };
      const next = await endChild(database, thread, childEnd);
      return next && runNext(dependencies, thread, next);
    }
    case 'ending': {
      const traceparent = currentTraceparent();
      const ended = await end({ ...decision.ending, traceparent, root: { thread, history } });
      return assertCurrent(ended?.current === true);
    }
  }
}

/** Adds the job of a thread that the end of another one has started. */
async function runNext(
  { database, jobs, now }: CommitDependencies,
  { execution }: Thread,
  { threadId, turn, isStoppedFork }: Started,
): Promise<void> {
  if (!isStoppedFork) return jobs.enqueue(database, 'execution-step', { threadId, turn });
  const at = now();
  const threads = await continueForks(database, [threadId], at);
  await enqueueContinued({ database, jobs, now: at }, execution, threads);
}

/** Suspends a thread, and adds the jobs that continue. @throws StaleCheckpointError */
export async function suspend(
  { database, jobs, hosts, now }: Pick<CommitDependencies, 'database' | 'jobs' | 'hosts' | 'now'>,
  thread: Thread,
  suspension: Suspension,
  history: HistoryEntry[],
): Promise<void> {
  const { awaiting, fork, task } = suspension;
  const { organizationId, deadlineAt } = thread.execution;
  const next = { threadId: thread.id, turn: thread.turn + 1 };
  const due = earliestDeadline(suspension);
  await suspendThread(database, thread, { suspension, history });
  if (fork) {
    await insertThreads(database, thread, fork.threads);
    const ready = fork.started.map((threadId) => ({ threadId, turn: 0 }));
    await jobs.enqueueAll(database, 'execution-step', ready);
  } else if (awaiting === null) await jobs.enqueue(database, 'execution-step', next);
  else if (awaiting === 'call') {
    const failingGroup = hosts.groupOf({ organizationId, task });
    await jobs.enqueue(database, 'execution-call', { ...next, organizationId, failingGroup });
  }
  // After the deadline of the execution there is nothing to wake.
  else if (due <= deadlineAt) {
    const dueAt = awaiting === 'callback' && { dueAt: due.toISOString() };
    const delayMilliseconds = due.getTime() - now().getTime();
    await jobs.enqueue(database, 'execution-step', { ...next, ...dueAt }, { delayMilliseconds });
  }
}

/** Moves a slow step to another queue, so that it does not delay other threads. @throws StaleCheckpointError */
export async function handOver(
  { database, jobs }: Pick<CommitDependencies, 'database' | 'jobs'>,
  { id, step, turn, execution }: Thread,
  outcome: StepOutcome | JsonText | undefined,
): Promise<void> {
  await transact(database, async (transaction) => {
    // Only this job knows the outcome of a call.
    if (typeof outcome === 'object' && outcome.kind !== 'elapsed') {
      await storeOutcome(transaction, { id, step, turn }, JSON.stringify(outcome));
    }
    const { organizationId } = execution;
    await jobs.enqueue(transaction, 'execution-slow-step', { threadId: id, turn, organizationId });
  });
}

/** Fails an execution from any of its threads, without Retry and Catch. */
export async function failExecution(
  { database, now }: Pick<CommitDependencies, 'database' | 'now'>,
  { execution: { id: executionId, version } }: Pick<Thread, 'execution'>,
  cause: string,
): Promise<void> {
  const failure = { error: 'States.Runtime', cause };
  await endNow(database, { executionId, version, status: 'FAILED', failure, now: now() });
}
