import type { Logger } from 'pino';
import type { MachineError } from '../../asl/index.ts';
import { isDataException } from '../../postgres-client/index.ts';
import type { CallbackTokens } from '../domain/callback-tokens.ts';
import { deleteStopped, hasStoppedThreads } from '../store/stopped-threads.ts';
import { type HistoryEntry, lockThread, StaleCheckpointError, type Thread } from '../store/threads.ts';
import { note, noteAmong } from '../tracing/trace.ts';
import {
  type CommitDependencies,
  type Committed,
  commit,
  continueWith,
  failExecution,
  handOver,
  type Step,
} from './commit.ts';
import type { HistoryLimit } from './history-limit.ts';
import type { JsonText, StepAction, StepOutcome, StepResult } from './steps/step.ts';
import { type Lane, SlowStepError, type Stepper } from './steps/stepper.ts';
import { attemptOf, catchFailure, TaskFailure } from './tasks/task.ts';

export interface RunDependencies extends CommitDependencies {
  tokens: CallbackTokens;
  stepper: Stepper;
  historyLimit: HistoryLimit;
  logger: Logger;
}

/** A thread that a job runs. */
export interface Run {
  thread: Thread;
  lane: Lane;
}

/** What a thread waited for; undefined if it is at the beginning of a state. */
export type AwaitedOutcome = StepOutcome | JsonText | undefined;

/** Milliseconds after which a thread that neither waits nor ends yields to other threads. */
const turnMilliseconds = 1_000;

/** Runs a thread until it waits or ends. A step that PostgreSQL refuses fails the execution: so would each retry. */
export async function runThread(
  dependencies: RunDependencies,
  run: Run,
  outcome: AwaitedOutcome,
): Promise<void> {
  try {
    await runStates(dependencies, run, outcome);
  } catch (error) {
    if (error instanceof StaleCheckpointError) return;
    if (!isDataException(error)) throw error;
    const { executionId } = run.thread;
    dependencies.logger.error({ err: error, executionId }, 'a step cannot be stored');
    const cause = 'A value of the step cannot be stored; see the log of the platform.';
    await failExecution(dependencies, run.thread, cause);
  }
}

/**
 * Runs a thread from state to state. States without an effect are committed together, with the next effect: after a
 * crash, only computation is repeated.
 */
async function runStates(dependencies: RunDependencies, run: Run, first: AwaitedOutcome): Promise<void> {
  const { historyLimit } = dependencies;
  const { thread } = run;
  const until = performance.now() + turnMilliseconds;
  const passed = passedStates();
  const commitPassed = async () => {
    if (passed.last) await commit(dependencies, thread, passed.last, { yields: false });
  };
  let outcome = first;
  try {
    for (;;) {
      if (historyLimit.isReached(thread.execution)) {
        await commitPassed();
        return await failExecution(dependencies, thread, historyLimit.cause);
      }
      const step = await nextStep(dependencies, run, outcome);
      const yields = performance.now() > until;
      if (!yields && !historyLimit.isNear(thread.execution) && passed.add(step)) {
        await historyLimit.add(thread.execution, step.entries.length);
        continueWith(thread, step.action as Passed['action']);
      } else {
        const before = passed.take();
        const committed = await commitStep(dependencies, run, step, { before, yields });
        if (committed !== 'checkpoint') return;
      }
      outcome = undefined;
    }
  } catch (error) {
    if (!(error instanceof SlowStepError)) throw error;
    await commitPassed();
    await handOver(dependencies, thread, outcome);
  }
}

/** A state that led to another one without an effect. */
type Passed = Step & { action: Extract<StepAction, { kind: 'next' }>; write?: undefined };

/** How long a state may wait for its commit: the history shows it then, and a cancellation takes effect. */
const maxPassedMilliseconds = 100;
const maxPassedEntries = 100;
/** Characters of all frames together, which bounds the memory that the entries take. */
const maxPassedLength = 256 * 1024;

/** The states of a thread that are not committed yet. */
function passedStates() {
  let passed: Passed | undefined;
  let frameLength = 0;
  let until = 0;
  return {
    /** All of them as one step. */
    get last() {
      return passed;
    },
    /** @returns false if the step must be committed */
    add(step: Step): boolean {
      if (!isPassed(step)) return false;
      const now = performance.now();
      if (!passed) until = now + maxPassedMilliseconds;
      frameLength += step.action.frame.length;
      const entries = [...(passed?.entries ?? []), ...step.entries];
      if (now > until || entries.length > maxPassedEntries || frameLength > maxPassedLength) return false;
      passed = { action: step.action, entries };
      return true;
    },
    /** Forgets them. @returns their entries, to be committed with the next step */
    take(): HistoryEntry[] {
      const entries = passed?.entries ?? [];
      passed = undefined;
      frameLength = 0;
      return entries;
    },
  };
}

function isPassed(step: Step): step is Passed {
  return step.action.kind === 'next' && step.write === undefined;
}

/**
 * Runs the thread's state, or resumes it with its outcome. If that leads to a change of the platform's own data, the
 * change is made in this step, together with the checkpoint that follows it.
 */
async function nextStep(dependencies: RunDependencies, run: Run, outcome: AwaitedOutcome): Promise<Step> {
  const { tasks, now } = dependencies;
  const { action, entry } = await interpret(dependencies, run, outcome);
  const task = action.kind === 'task' ? tasks[action.resource] : undefined;
  if (action.kind !== 'task' || task?.kind !== 'change') {
    const write = action.kind !== 'fail' && afterFailedFork(run.thread);
    return { action, entries: [entry], ...(write && { write }) };
  }
  run.thread.frame = action.frame;
  const prepared = await catchFailure(action.arguments, (args) =>
    task.prepare(args, attemptOf(run.thread, now())),
  );
  if (prepared.kind === 'failed') return failTask(dependencies, run, entry, prepared.failure);
  const { result, write } = prepared.value;
  const after = await interpret(dependencies, run, { kind: 'succeeded', result });
  return { action: after.action, entries: [entry, after.entry], write };
}

/** Until a thread continues after its fork failed, the child threads are kept for a retry of the execution. */
function afterFailedFork(thread: Thread): Step['write'] {
  if (!hasStoppedThreads(thread)) return undefined;
  return async (transaction) => {
    // Parents are locked first.
    await lockThread(transaction, thread);
    await deleteStopped(transaction, thread.id);
  };
}

/** The task failed before or while its change was written; none of the change was committed. */
async function failTask(
  dependencies: RunDependencies,
  run: Run,
  taskEntry: HistoryEntry,
  failure: MachineError,
): Promise<Step> {
  const { action, entry } = await interpret(dependencies, run, { kind: 'failed', failure });
  return { action, entries: [taskEntry, entry] };
}

/** Runs the interpreter once: from the thread's state, or from the outcome that it waited for. */
async function interpret(
  { stepper, tokens, logger, now }: RunDependencies,
  { thread, lane }: Run,
  outcome: AwaitedOutcome,
): Promise<{ action: StepAction; entry: HistoryEntry }> {
  const { execution, frame, state, scope, label, callbackStep } = thread;
  const { id, definitionId, revisionId, name, parameters, resultOrigin, createdAt, locale, recordId } =
    execution;
  const request = {
    scope,
    frame,
    label,
    outcome,
    now: now(),
    execution: { id, definitionId, name, parameters, resultOrigin, createdAt, locale, recordId },
    // Only tasks see it, and signing takes longer than most other states.
    get taskToken() {
      return tokens.of({ threadId: thread.id, step: callbackStep ?? thread.step });
    },
  };
  const place = { revisionId, state: state ?? undefined };
  const { action, entry, stack }: StepResult = await stepper.take(place, request, lane);
  if (stack) logger.error({ stack, executionId: id, state }, 'interpreter error');
  noteAmong('states', entry.state);
  const { error, failure } = entry.detail as { error?: string; failure?: { error: string } };
  const result = { outcome: action.kind, error: error ?? failure?.error };
  note(result);
  logger.debug({ ...result, state: entry.state }, 'state completed');
  return { action, entry: { ...entry, at: now() } };
}

/** Commits a step with the entries of the states before it. A change that is refused fails its task. */
async function commitStep(
  dependencies: RunDependencies,
  run: Run,
  step: Step,
  { before, yields }: { before: HistoryEntry[]; yields: boolean },
): Promise<Committed> {
  const { historyLimit } = dependencies;
  const { thread } = run;
  const entries = [...before, ...step.entries];
  try {
    const committed = await commit(dependencies, thread, { ...step, entries }, { yields });
    if (committed === 'ending') historyLimit.forget(thread.execution);
    else await historyLimit.add(thread.execution, step.entries.length);
    return committed;
  } catch (error) {
    if (!(error instanceof TaskFailure)) throw error;
    const failed = await failTask(dependencies, run, step.entries[0] as HistoryEntry, error.failure);
    return commitStep(dependencies, run, failed, { before, yields });
  }
}
