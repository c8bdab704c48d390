import type { MachineError } from '../../asl/index.ts';
import { batch, isDataException, transact } from '../../postgres-client/index.ts';
import type { JobData, RunningJob } from '../jobs/jobs.ts';
import { type HistoryEntry, loadThreads, storeOutcome } from '../store/threads.ts';
import { afterRequest, checkDeadline } from './callback-waits.ts';
import { AbandonedCallError, type Calls, runningCalls } from './calls.ts';
import { commit } from './commit.ts';
import { endWithEvent } from './ending.ts';
import { continueWith, type Passed, passedStates } from './passed-states.ts';
import type { EngineDependencies, Run, Step } from './run.ts';
import { assertCurrent, StaleCheckpointError } from './stale-checkpoint.ts';
import type { JsonText, StepOutcome, StepResult } from './steps/step.ts';
import { type Lane, SlowStepError } from './steps/stepper.ts';
import { attemptOf, callOf, catchFailure } from './tasks/attempt.ts';
import { TaskFailure } from './tasks/task.ts';

/** Runs the threads of executions from checkpoint to checkpoint. */
export interface Engine {
  /** Runs a thread until it waits or ends. */
  step(data: JobData['execution-step']): Promise<void>;
  /** The same, for a thread whose next step is slow. */
  slowStep(data: JobData['execution-slow-step']): Promise<void>;
  /** Makes the call that a thread waits for, then runs the thread. */
  call(data: JobData['execution-call'], job: Pick<RunningJob, 'signal'>): Promise<void>;
  calls: Calls;
}

type Turn = Parameters<typeof loadThreads>[1][number];
type AwaitedOutcome = StepOutcome | JsonText | undefined;
type TimedResult = Omit<StepResult, 'entry'> & { entry: HistoryEntry };

/** Milliseconds after which a thread that neither waits nor ends yields to other threads. */
const turnMilliseconds = 1_000;

export function executionEngine(dependencies: EngineDependencies): Engine {
  const { database, jobs, tasks, tokens, stepper, historyLimit, logger, now } = dependencies;
  const calls = runningCalls(database);
  const load = batch((turns: Turn[]) => loadThreads(database, turns), { max: 40, concurrency: 2 });

  return {
    calls,
    step: (data) => step(data, 'fast'),
    slowStep: (data) => step(data, 'slow'),

    async call({ threadId, turn }, { signal }) {
      const thread = await load({ threadId, turn });
      if (!thread) return;
      const run: Run = { thread, lane: 'fast' };
      // A crash interrupted this job after the call, when the thread had already continued.
      if (thread.awaiting !== 'call') return runThread(run, undefined);
      try {
        // If the callback arrived before its request ended, the request is not repeated.
        const outcome =
          thread.outcome ?? (await calls.run(thread, signal, (abort) => callOf(dependencies, run, abort)));
        const isCallback = outcome === 'requested' || thread.callbackStep !== null;
        const final = isCallback ? await afterRequest(dependencies, run, outcome) : outcome;
        if (final) await continueAfterCall(run, final);
      } catch (error) {
        if (!(error instanceof AbandonedCallError || error instanceof StaleCheckpointError)) throw error;
      }
    },
  };

  /** If the thread cannot continue now, the next job does, with this outcome: the call is not repeated. */
  async function continueAfterCall(run: Run, outcome: StepOutcome | JsonText): Promise<void> {
    const { id, step } = run.thread;
    try {
      await runThread(run, outcome);
    } catch (error) {
      // One that is text was loaded from there.
      if (typeof outcome === 'object')
        await storeOutcome(database, { id, step }, JSON.stringify(outcome)).catch(() => {});
      throw error;
    }
  }

  async function step({ threadId, turn, dueAt }: JobData['execution-step'], lane: Lane): Promise<void> {
    const thread = await load({ threadId, turn });
    if (!thread) return;
    const { outcome, awaiting } = thread;
    if (outcome !== null || awaiting !== 'callback') {
      return runThread({ thread, lane }, outcome ?? (awaiting === 'wait' ? { kind: 'elapsed' } : undefined));
    }
    const timeout = await checkDeadline(dependencies, thread, dueAt);
    if (timeout) await runThread({ thread, lane }, timeout);
  }

  /** Runs a thread until it waits or ends. A step that PostgreSQL refuses fails the execution: so would each retry. */
  async function runThread(run: Run, first: AwaitedOutcome): Promise<void> {
    try {
      await runStates(run, first);
    } catch (error) {
      if (!isDataException(error)) throw error;
      logger.error({ err: error, executionId: run.thread.executionId }, 'a step cannot be stored');
      await failExecution(run, 'A value of the step cannot be stored; see the log of the platform.');
    }
  }

  /**
   * Runs a thread from state to state. States without an effect are committed together, with the next effect: after a
   * crash, only computation is repeated.
   */
  async function runStates(run: Run, first: AwaitedOutcome): Promise<void> {
    const until = performance.now() + turnMilliseconds;
    let outcome = first;
    const passed = passedStates();
    try {
      for (;;) {
        if (historyLimit.isReached(run.thread.execution)) {
          if (passed.last) await commit(dependencies, run, passed.last, { yields: false });
          return await failExecution(run, historyLimit.cause);
        }
        const current = await withChange(run, await next(run, outcome));
        const yields = performance.now() > until;
        if (!yields && !historyLimit.isNear(run.thread.execution) && passed.add(current)) {
          await historyLimit.add(run.thread.execution, current.entries.length);
          continueWith(run.thread, current.action as Passed['action']);
          outcome = undefined;
          continue;
        }
        const entries = passed.take();
        const after = (step: Step) => ({
          ...step,
          entries: [...entries, ...step.entries],
          counted: entries.length,
        });
        const continues = await commit(dependencies, run, after(current), { yields }).catch(async (error) => {
          if (!(error instanceof TaskFailure)) throw error;
          const failed = await withFailedTask(run, current.entries[0] as HistoryEntry, error.failure);
          return commit(dependencies, run, after(failed), { yields });
        });
        if (!continues) return;
        outcome = undefined;
      }
    } catch (error) {
      if (error instanceof SlowStepError) {
        if (passed.last) await commit(dependencies, run, passed.last, { yields: false });
        await handOver(run, outcome);
      } else if (!(error instanceof StaleCheckpointError)) throw error;
    }
  }

  /** Moves a slow step to another queue, so that it does not delay other threads. */
  async function handOver({ thread }: Run, outcome: AwaitedOutcome): Promise<void> {
    const { id: threadId, turn, execution } = thread;
    await transact(database, async (transaction) => {
      // Only this job knows the outcome of a call.
      if (typeof outcome === 'object' && outcome.kind !== 'elapsed') {
        assertCurrent(await storeOutcome(transaction, thread, JSON.stringify(outcome)));
      }
      const { organizationId } = execution;
      await jobs.enqueue(transaction, 'execution-slow-step', { threadId, turn, organizationId });
    });
  }

  /** Runs the thread's state, or resumes it with the outcome that it waited for. */
  async function next({ thread, lane }: Run, outcome: AwaitedOutcome): Promise<TimedResult> {
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
    const { entry, ...result } = await stepper.take({ revisionId, state: state ?? undefined }, request, lane);
    if (result.stack) logger.error({ stack: result.stack, executionId: id, state }, 'interpreter error');
    return { ...result, entry: { ...entry, at: now() } };
  }

  async function failExecution({ thread: { executionId } }: Run, cause: string): Promise<void> {
    const failure = { error: 'States.Runtime', cause };
    await database
      .transaction()
      .execute((transaction) =>
        endWithEvent(transaction, { executionId, status: 'FAILED', failure, now: now() }),
      );
  }

  /** A change of the platform's own data is made in this step, together with the checkpoint that follows it. */
  async function withChange(run: Run, { action, entry }: TimedResult): Promise<Step> {
    const task = action.kind === 'task' ? tasks[action.resource] : undefined;
    if (action.kind !== 'task' || task?.kind !== 'change') return { action, entries: [entry] };
    run.thread.frame = action.frame;
    const prepared = await catchFailure(action.arguments, (args) =>
      task.prepare(args, attemptOf(run, now())),
    );
    if (prepared.kind === 'failed') return withFailedTask(run, entry, prepared.failure);
    const { result, write } = prepared.value;
    const after = await next(run, { kind: 'succeeded', result });
    return { action: after.action, entries: [entry, after.entry], write };
  }

  /** The task failed before or while its change was written; none of the change was committed. */
  async function withFailedTask(run: Run, taskEntry: HistoryEntry, failure: MachineError): Promise<Step> {
    const { action, entry } = await next(run, { kind: 'failed', failure });
    return { action, entries: [taskEntry, entry] };
  }
}
