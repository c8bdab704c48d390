import type { Ending, NewResult } from '../store/executions.ts';
import * as threads from '../store/threads.ts';
import { assertHere } from './elsewhere.ts';
import { endAndTell } from './ending.ts';
import type { EngineDependencies, Run } from './engine.ts';
import { endBelowFork } from './joining.ts';
import type { StepAction } from './steps/step.ts';
import { awaitAnswer, deadlinesOf } from './waiting.ts';

/** An action, where the end of an execution has its result stored already. */
export type Decision = StepAction | { kind: 'complete'; result: NewResult };

type Decided<Kind extends Decision['kind']> = Extract<Decision, { kind: Kind }>;

/** Writes down what ends a job's work on a thread. @throws Elsewhere */
export async function writeDown(
  dependencies: EngineDependencies,
  run: Run,
  action: Decision,
  history: threads.HistoryEntry[],
): Promise<void> {
  const { database, jobs } = dependencies;
  const { thread } = run;
  switch (action.kind) {
    case 'next': {
      assertHere(await threads.park(database, thread, { frame: action.frame, awaiting: null, history }));
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
      return assertHere(ended?.current === true);
    }
  }
}

async function wakeAt(
  { database, jobs, now }: EngineDependencies,
  { thread }: Run,
  { at, ...parking }: threads.Parking & { at: Date },
): Promise<void> {
  assertHere(await threads.park(database, thread, { ...parking, timeoutAt: at }));
  // Beyond the end of the execution there is nobody to wake.
  if (at > thread.execution.deadlineAt) return;
  const data = { threadId: thread.id, turn: thread.turn + 1 };
  await jobs.enqueue(database, 'execution-step', data, { delayMilliseconds: at.getTime() - now().getTime() });
}

/** Calls are made by jobs of their own; so is the request of a callback task, which then waits for its answer. */
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
  assertHere(await threads.park(database, thread, { ...parking, awaiting: 'call' }));
  await jobs.enqueue(database, 'execution-call', { threadId: thread.id, turn: thread.turn + 1 });
}

async function fork(
  { database, jobs }: EngineDependencies,
  { thread }: Run,
  { frame, threads: inner, count, begun, toleratedFailures }: Decided<'fork'>,
  history: threads.HistoryEntry[],
): Promise<void> {
  const counts = { threads: count, begun: begun.length, tolerated: toleratedFailures };
  assertHere(await threads.park(database, thread, { frame, awaiting: 'fork', fork: counts, history }));
  await threads.insertThreads(database, thread, inner);
  const ready = begun.map((threadId) => ({ threadId, turn: 0 }));
  await jobs.enqueueAll(database, 'execution-step', ready);
}

/** How an execution ends with its root thread. */
export function rootEnding(
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
