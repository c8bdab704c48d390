import { maximumPayloadBytes } from '../../asl/index.ts';
import { transact } from '../../postgres-client/index.ts';
import type { Ending, NewResult } from '../store/executions.ts';
import { countEnd, failFork, joinFork, lockFork, startQueued } from '../store/forks.ts';
import * as threads from '../store/threads.ts';
import { awaitCallback, deadlinesOf } from './callback-waits.ts';
import { endWithEvent } from './ending.ts';
import { continueWith } from './passed-states.ts';
import { storeResult } from './results.ts';
import type { EngineDependencies, Run, Step } from './run.ts';
import { assertCurrent } from './stale-checkpoint.ts';
import type { StepAction } from './steps/step.ts';

/**
 * Commits a step: the checkpoint, its history and the next job in one transaction.
 *
 * @param yields continue in another job, even if this one could continue
 * @returns whether the thread continues at once; `run` is then at its new checkpoint
 * @throws StaleCheckpointError if the thread has left its checkpoint; nothing is written
 */
export async function commit(
  dependencies: EngineDependencies,
  run: Run,
  { action: stepAction, entries: history, counted = 0, write }: Step,
  { yields }: { yields: boolean },
): Promise<boolean> {
  const { database, historyLimit, now } = dependencies;
  const { thread } = run;
  const action = await decisionOf(dependencies, run, stepAction);
  if (action.kind === 'next' && !yields) {
    const move = { frame: action.frame, history };
    const moved = write
      ? transact(database, async (transaction) => {
          await write(transaction);
          assertCurrent(await threads.checkpoint(transaction, thread, move));
          return true;
        })
      : threads.checkpoint(database, thread, move);
    assertCurrent(await moved);
    await historyLimit.add(thread.execution, history.length - counted);
    continueWith(thread, action);
    thread.step++;
    return true;
  }
  const isEnd = action.kind === 'complete' || (action.kind === 'fail' && thread.parentId === null);
  if (isEnd && !write) {
    const ended = await dependencies.end(rootEnding(run, action, history, now()));
    assertCurrent(ended?.current === true);
  } else {
    await transact(database, async (transaction) => {
      await write?.(transaction);
      await commitTurn({ ...dependencies, database: transaction }, run, action, history);
    });
  }
  if (isEnd) historyLimit.forget(thread.execution);
  else await historyLimit.add(thread.execution, history.length - counted);
  return false;
}

/** Stores a result before the transaction that refers to it: if that is rolled back, the sweeper removes the bytes. */
async function decisionOf(
  { blobs }: EngineDependencies,
  { thread }: Run,
  action: StepAction,
): Promise<Decision> {
  if (action.kind !== 'end' || thread.parentId) return action;
  return { kind: 'complete', result: await storeResult(blobs, action.output) };
}

/** An action; the result of a completed execution is stored already. */
type Decision = StepAction | { kind: 'complete'; result: NewResult };

type Decided<Kind extends Decision['kind']> = Extract<Decision, { kind: Kind }>;

/** Commits a step with which the job stops working on the thread. @throws StaleCheckpointError */
async function commitTurn(
  dependencies: EngineDependencies,
  run: Run,
  action: Decision,
  history: threads.HistoryEntry[],
): Promise<void> {
  const { database, jobs } = dependencies;
  const { thread } = run;
  switch (action.kind) {
    case 'next': {
      assertCurrent(await threads.park(database, thread, { frame: action.frame, awaiting: null, history }));
      return jobs.enqueue(database, 'execution-step', { threadId: thread.id, turn: thread.turn + 1 });
    }
    case 'wait':
      return wakeAt(dependencies, run, { ...action, awaiting: 'wait', at: action.until, history });
    case 'retry':
      return wakeAt(dependencies, run, { ...action, awaiting: 'retry', history });
    case 'task':
      return requestTask(dependencies, run, action, history);
    case 'fork':
      return fork(dependencies, run, action, history);
    case 'end': {
      const end = { kind: 'succeeded' as const, output: action.output, history };
      return endChild(dependencies, { ...thread, parentId: thread.parentId as string }, end);
    }
    case 'complete':
    case 'fail': {
      const { parentId } = thread;
      if (action.kind === 'fail' && parentId) {
        const end = { kind: 'failed' as const, failure: action.failure, history };
        return endChild(dependencies, { ...thread, parentId }, end);
      }
      const ended = await endWithEvent(database, rootEnding(run, action, history, dependencies.now()));
      return assertCurrent(ended?.current === true);
    }
  }
}

async function wakeAt(
  { database, jobs, now }: EngineDependencies,
  { thread }: Run,
  { at, ...parking }: threads.Parking & { at: Date },
): Promise<void> {
  assertCurrent(await threads.park(database, thread, { ...parking, timeoutAt: at }));
  // After the deadline of the execution there is nothing to wake.
  if (at > thread.execution.deadlineAt) return;
  const data = { threadId: thread.id, turn: thread.turn + 1 };
  await jobs.enqueue(database, 'execution-step', data, { delayMilliseconds: at.getTime() - now().getTime() });
}

/** Calls run in jobs of their own; so does the request of a callback task, which then waits for the callback. */
async function requestTask(
  dependencies: EngineDependencies,
  run: Run,
  action: Decided<'task'>,
  history: threads.HistoryEntry[],
): Promise<void> {
  const { database, jobs, tasks, now } = dependencies;
  const { thread } = run;
  const known = tasks[action.resource];
  const task = {
    resource: action.resource,
    arguments: action.arguments,
    timeoutSeconds: action.timeoutSeconds,
    heartbeatSeconds: action.heartbeatSeconds ?? null,
  };
  const callbackStep = known?.kind === 'callback' ? thread.step : null;
  const deadlines = known?.kind === 'callback' ? deadlinesOf(task, now()) : undefined;
  const parking = { frame: action.frame, task, callbackStep, ...deadlines, history };
  if (deadlines && known?.kind === 'callback' && !known.hasRequest(action.arguments)) {
    return awaitCallback(dependencies, run, { ...parking, ...deadlines });
  }
  assertCurrent(await threads.park(database, thread, { ...parking, awaiting: 'call' }));
  const { organizationId } = thread.execution;
  await jobs.enqueue(database, 'execution-call', {
    threadId: thread.id,
    turn: thread.turn + 1,
    organizationId,
  });
}

async function fork(
  { database, jobs }: EngineDependencies,
  { thread }: Run,
  { frame, threads: children, count, started, toleratedFailures }: Decided<'fork'>,
  history: threads.HistoryEntry[],
): Promise<void> {
  const counts = { threads: count, started: started.length, tolerated: toleratedFailures };
  assertCurrent(await threads.park(database, thread, { frame, awaiting: 'fork', fork: counts, history }));
  await threads.insertThreads(database, thread, children);
  const ready = started.map((threadId) => ({ threadId, turn: 0 }));
  await jobs.enqueueAll(database, 'execution-step', ready);
}

/**
 * Ends a child thread of a fork. The fork's lock serializes the ends of its child threads: each end starts a queued
 * thread, joins the fork if it is the last one, or fails the fork if it is one failure too many.
 *
 * @throws StaleCheckpointError if the fork or the thread has moved on
 */
async function endChild(
  { database, jobs }: Pick<EngineDependencies, 'database' | 'jobs'>,
  thread: threads.Position & { parentId: string },
  end: threads.ThreadEnd,
): Promise<void> {
  const { parentId } = thread;
  const fork = await lockFork(database, parentId);
  assertCurrent(fork !== undefined && (await threads.endThread(database, thread, end)));
  if (!fork) return;
  const open = fork.open - 1;
  const failed = fork.failed + (end.kind === 'failed' ? 1 : 0);
  if (end.kind === 'failed' && failed > fork.tolerated) {
    const turn = await failFork(database, parentId, end.failure);
    return jobs.enqueue(database, 'execution-step', { threadId: parentId, turn });
  }
  if (open === 0) {
    const turn = await joinFork(database, { threadId: parentId, maxResultBytes: maximumPayloadBytes });
    return jobs.enqueue(database, 'execution-step', { threadId: parentId, turn });
  }
  const started = await startQueued(database, parentId, fork.next);
  await countEnd(database, { threadId: parentId, open, failed, next: fork.next + (started ? 1 : 0) });
  if (started) await jobs.enqueue(database, 'execution-step', { threadId: started.id, turn: started.turn });
}

/** The ending of an execution whose root thread ends. */
function rootEnding(
  { thread }: Run,
  action: Decided<'complete' | 'fail'>,
  history: threads.HistoryEntry[],
  now: Date,
): Ending {
  const ending = { executionId: thread.executionId, root: { thread, history }, now };
  return action.kind === 'complete'
    ? { ...ending, status: 'COMPLETED', result: action.result }
    : { ...ending, status: 'FAILED', failure: action.failure };
}
