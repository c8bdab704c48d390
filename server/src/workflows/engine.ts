import type { MachineError } from '../domain/failures.ts';
import type { JobData, RunningJob } from '../jobs/jobs.ts';
import { batch } from '../store/batch.ts';
import { keepOutcome, loadThreads } from '../store/threads.ts';
import { answerOrWait, unanswered } from './callback-waits.ts';
import { type Calls, CallUnwanted, runningCalls } from './calls.ts';
import { commit, type Step } from './commit.ts';
import { endAndTell } from './ending.ts';
import type { EngineDependencies, Run } from './run.ts';
import { assertCurrent, StaleCheckpointError } from './stale-checkpoint.ts';
import type { StepEntry } from './steps/entries.ts';
import type { JsonText, StepOutcome, StepResult } from './steps/step.ts';
import { type Lane, SlowStepError } from './steps/stepper.ts';
import { attempted, attemptOf, callOf } from './tasks/attempt.ts';
import { TaskFailure } from './tasks/task.ts';

/** Runs executions, thread by thread, from checkpoint to checkpoint. */
export interface Engine {
  /** Takes a thread on until it waits or ends. */
  step(data: JobData['execution-step']): Promise<void>;
  /** The same for a thread whose step takes long. */
  slowStep(data: JobData['execution-slow-step']): Promise<void>;
  /** Does the work outside that a thread waits for, and takes it on. */
  call(data: JobData['execution-call'], job: Pick<RunningJob, 'signal'>): Promise<void>;
  calls: Calls;
}

type Wanted = Parameters<typeof loadThreads>[1][number];
type Waited = StepOutcome | JsonText | undefined;

/** Milliseconds after which a thread that neither waits nor ends lets others have their turn. */
const turnMilliseconds = 1_000;

export function executionEngine(dependencies: EngineDependencies): Engine {
  const { database, jobs, tasks, tokens, stepper, historyLimit, logger, now } = dependencies;
  const calls = runningCalls(database);
  const load = batch((wanted: Wanted[]) => loadThreads(database, wanted), { most: 40, concurrency: 2 });

  return {
    calls,
    step: (data) => step(data, 'fast'),
    slowStep: (data) => step(data, 'slow'),

    async call({ threadId, turn }, { signal }) {
      const thread = await load({ threadId, turn });
      if (!thread) return;
      const run: Run = { thread, lane: 'fast' };
      // The call was over and the thread had gone on when a crash came: this job has it still.
      if (thread.awaiting !== 'call') return takeOn(run, undefined);
      try {
        // An answer that came before its request was over counts: the request need not be made again.
        const outcome =
          thread.outcome ?? (await calls.run(thread, signal, (stop) => callOf(dependencies, run, stop)));
        const isCallback = outcome === 'requested' || thread.callbackStep !== null;
        const settled = isCallback ? await answerOrWait(dependencies, run, outcome) : outcome;
        if (settled) await takeOn(run, settled);
      } catch (error) {
        if (!(error instanceof CallUnwanted || error instanceof StaleCheckpointError)) throw error;
      }
    },
  };

  async function step({ threadId, turn, dueAt }: JobData['execution-step'], lane: Lane): Promise<void> {
    const thread = await load({ threadId, turn });
    if (!thread) return;
    const { outcome, awaiting } = thread;
    if (outcome !== null || awaiting !== 'callback') {
      return takeOn({ thread, lane }, outcome ?? (awaiting === 'wait' ? { kind: 'elapsed' } : undefined));
    }
    const missed = await unanswered(dependencies, thread, dueAt);
    if (missed) await takeOn({ thread, lane }, missed);
  }

  async function takeOn(run: Run, first: Waited): Promise<void> {
    const until = performance.now() + turnMilliseconds;
    let outcome = first;
    try {
      for (;;) {
        if (historyLimit.isReached(run.thread.execution)) return await endAtHistoryLimit(run);
        const taken = await withTaskDone(run, await next(run, outcome));
        const yields = performance.now() > until;
        const goesOn = await commit(dependencies, run, taken, { yields }).catch(async (error) => {
          if (!(error instanceof TaskFailure)) throw error;
          const [done] = taken.entries;
          return commit(dependencies, run, await withTaskFailed(run, done as StepEntry, error.failure), {
            yields,
          });
        });
        if (!goesOn) return;
        outcome = undefined;
      }
    } catch (error) {
      if (error instanceof SlowStepError) await handOver(run, outcome);
      else if (!(error instanceof StaleCheckpointError)) throw error;
    }
  }

  /** A step that takes long goes on in another queue, so that it holds up no other thread of this one. */
  async function handOver({ thread }: Run, outcome: Waited): Promise<void> {
    const { id: threadId, turn, execution } = thread;
    await database.transaction().execute(async (transaction) => {
      // What came out of a call is known to this job alone.
      if (typeof outcome === 'object' && outcome.kind !== 'elapsed') {
        assertCurrent(await keepOutcome(transaction, thread, JSON.stringify(outcome)));
      }
      const { organizationId } = execution;
      await jobs.enqueue(transaction, 'execution-slow-step', { threadId, turn, organizationId });
    });
  }

  /** Runs the thread's state, or goes on with it once an outcome is known. */
  async function next({ thread, lane }: Run, outcome: Waited): Promise<StepResult> {
    const { execution, frame, state, scope, label, callbackStep } = thread;
    const request = {
      ...{ scope, frame, label, outcome, now: now() },
      execution: {
        ...{ id: execution.id, definitionId: execution.definitionId, name: execution.name },
        ...{ parameters: execution.parameters, resultOrigin: execution.resultOrigin },
        ...{ createdAt: execution.createdAt, locale: execution.locale, recordId: execution.recordId },
      },
      taskToken: tokens.of({ threadId: thread.id, step: callbackStep ?? thread.step }),
    };
    const place = { revisionId: execution.revisionId, state: state ?? undefined };
    const result = await stepper.take(place, request, lane);
    if (result.fault) logger.error({ fault: result.fault, executionId: execution.id, state }, 'interpreter');
    return result;
  }

  async function endAtHistoryLimit({ thread: { executionId } }: Run): Promise<void> {
    const failure = { error: 'States.Runtime', cause: historyLimit.cause };
    await database
      .transaction()
      .execute((transaction) =>
        endAndTell(transaction, { executionId, status: 'FAILED', failure, now: now() }),
      );
  }

  /** A change of ours is made at once, together with the checkpoint that follows it. */
  async function withTaskDone(run: Run, { action, entry }: StepResult): Promise<Step> {
    const task = action.kind === 'task' ? tasks[action.resource] : undefined;
    if (action.kind !== 'task' || task?.kind !== 'change') return { action, entries: [entry] };
    run.thread.frame = action.frame;
    const prepared = await attempted(action.arguments, (given) => task.prepare(given, attemptOf(run, now())));
    if (prepared.kind === 'failed') return withTaskFailed(run, entry, prepared.failure);
    const { result, write } = prepared.value;
    const after = await next(run, { kind: 'succeeded', result });
    return { action: after.action, entries: [entry, after.entry], write };
  }

  /** A task that failed before its change was written, or as it was: nothing of it was kept. */
  async function withTaskFailed(run: Run, done: StepEntry, failure: MachineError): Promise<Step> {
    const { action, entry } = await next(run, { kind: 'failed', failure });
    return { action, entries: [done, entry] };
  }
}
