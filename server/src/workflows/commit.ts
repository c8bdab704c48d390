import type { Database } from '../store/database.ts';
import type { Ending, NewResult } from '../store/executions.ts';
import * as threads from '../store/threads.ts';
import { awaitAnswer, deadlinesOf } from './callback-waits.ts';
import { endAndTell } from './ending.ts';
import { endBelowFork } from './joining.ts';
import { storeResult } from './results.ts';
import type { EngineDependencies, Run } from './run.ts';
import { assertCurrent } from './stale-checkpoint.ts';
import type { StepEntry } from './steps/entries.ts';
import type { StepAction } from './steps/step.ts';

/** What a step came to: an action and the history entries before it. */
export interface Step {
  action: StepAction;
  entries: StepEntry[];
  /** Writes the task's change in the transaction of the checkpoint. */
  write?: ((transaction: Database) => Promise<void>) | undefined;
}

/**
 * Commits a step: the checkpoint, its history and the next job in one transaction.
 *
 * @param yields continue in another job, even if this one could
 * @returns whether the thread continues at once; `run` is then at its new checkpoint
 * @throws StaleCheckpointError if the thread was past its checkpoint; nothing is written
 */
export async function commit(
  dependencies: EngineDependencies,
  run: Run,
  { action: given, entries, write }: Step,
  { yields }: { yields: boolean },
): Promise<boolean> {
  const { database, historyLimit, now } = dependencies;
  const { thread } = run;
  const action = await decisionOf(dependencies, run, given);
  const history = entries.map((entry) => ({ ...entry, at: now() }));
  if (action.kind === 'next' && !yields) {
    const move = { frame: action.frame, history };
    const moved = write
      ? database.transaction().execute(async (transaction) => {
          await write(transaction);
          assertCurrent(await threads.checkpoint(transaction, thread, move));
          return true;
        })
      : threads.checkpoint(database, thread, move);
    assertCurrent(await moved);
    await historyLimit.add(thread.execution, history.length);
    Object.assign(thread, {
      ...arrived,
      ...{ frame: action.frame, state: action.state, step: thread.step + 1 },
    });
    return true;
  }
  const isEnd = action.kind === 'complete' || (action.kind === 'fail' && thread.parentId === null);
  if (isEnd && !write) {
    const ended = await dependencies.end(rootEnding(run, action, history, now()));
    assertCurrent(ended?.current === true);
  } else {
    await database.transaction().execute(async (transaction) => {
      await write?.(transaction);
      await commitTurn({ ...dependencies, database: transaction }, run, action, history);
    });
  }
  if (isEnd) historyLimit.forget(thread.execution);
  else await historyLimit.add(thread.execution, history.length);
  return false;
}

/** Cleared once a thread is past what it waited for. */
const arrived = {
  ...{ awaiting: null, outcome: null, task: null, callbackStep: null, timeoutAt: null, heartbeatUntil: null },
};

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
      return ask(dependencies, run, action, history);
    case 'fork':
      return fork(dependencies, run, action, history);
    case 'end': {
      const end = { kind: 'succeeded' as const, output: action.output, history };
      return endBelowFork(dependencies, { ...thread, parentId: thread.parentId as string }, end);
    }
    case 'complete':
    case 'fail': {
      const { parentId } = thread;
      if (action.kind === 'fail' && parentId) {
        const end = { kind: 'failed' as const, failure: action.failure, history };
        return endBelowFork(dependencies, { ...thread, parentId }, end);
      }
      const ended = await endAndTell(database, rootEnding(run, action, history, dependencies.now()));
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
async function ask(
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
    return awaitAnswer(dependencies, run, { ...parking, ...deadlines });
  }
  assertCurrent(await threads.park(database, thread, { ...parking, awaiting: 'call' }));
  await jobs.enqueue(database, 'execution-call', { threadId: thread.id, turn: thread.turn + 1 });
}

async function fork(
  { database, jobs }: EngineDependencies,
  { thread }: Run,
  { frame, threads: inner, count, begun, toleratedFailures }: Decided<'fork'>,
  history: threads.HistoryEntry[],
): Promise<void> {
  const counts = { threads: count, begun: begun.length, tolerated: toleratedFailures };
  assertCurrent(await threads.park(database, thread, { frame, awaiting: 'fork', fork: counts, history }));
  await threads.insertThreads(database, thread, inner);
  const ready = begun.map((threadId) => ({ threadId, turn: 0 }));
  await jobs.enqueueAll(database, 'execution-step', ready);
}

/** How an execution ends with its root thread. */
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
