import { batch } from '../../postgres-client/index.ts';
import type { JobData, RunningJob } from '../jobs/jobs.ts';
import { suspendForPause } from '../store/pauses.ts';
import { loadThreads, StaleCheckpointError, storeOutcome, type Thread } from '../store/threads.ts';
import { joinTrace, note } from '../tracing/trace.ts';
import { AbandonedCallError, moveToFailing, outcomeOfCall, outcomeOfWait, runningCalls } from './calls.ts';
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
  /** @returns undefined for a job that has nothing to do: it is obsolete, or the definition is paused */
  const loadTraced = async (turn: Turn): Promise<Thread | undefined> => {
    const thread = await load(turn);
    if (!thread) return undefined;
    const { id: threadId, executionId, step, execution } = thread;
    joinTrace(execution.traceparent, { executionId, threadId, step });
    if (!execution.isPaused) return thread;
    const { definitionId } = execution;
    if (!(await suspendForPause(database, { ...turn, definitionId }))) return loadTraced(turn);
    note({ outcome: 'paused' });
    return undefined;
  };

  const run = (thread: Thread, lane: Lane, outcome: AwaitedOutcome) =>
    runThread(dependencies, { thread, lane }, outcome);

  /** If the thread cannot continue now, the next job does, with this outcome: the call is not repeated. */
  const runAfterCall = async (thread: Thread, outcome: StepOutcome | JsonText) => {
    const { id, step, turn } = thread;
    try {
      await run(thread, 'fast', outcome);
    } catch (error) {
      // One that is text was loaded from there.
      if (typeof outcome === 'object')
        await storeOutcome(database, { id, step, turn }, JSON.stringify(outcome)).catch(() => {});
      throw error;
    }
  };

  const step = async ({ threadId, turn, dueAt }: JobData['execution-step'], lane: Lane) => {
    const thread = await loadTraced({ threadId, turn });
    if (!thread) return;
    const outcome = await outcomeOfWait(dependencies, thread, dueAt);
    if (outcome !== 'none_yet') await run(thread, lane, outcome);
  };

  return {
    calls,
    /** Runs a thread until it waits or ends. */
    step: (data: JobData['execution-step']) => step(data, 'fast'),
    /** The same, for a thread whose next step is slow. */
    slowStep: (data: JobData['execution-slow-step']) => step(data, 'slow'),

    /** Makes the call that a thread waits for, then runs the thread. */
    async call(
      { threadId, turn, failingGroup }: JobData['execution-call'],
      { signal }: Pick<RunningJob, 'signal'>,
    ) {
      const thread = await loadTraced({ threadId, turn });
      if (!thread) return;
      // A crash interrupted this job after the call, when the thread had already continued.
      if (thread.awaiting !== 'call') return run(thread, 'fast', undefined);
      try {
        if (failingGroup === undefined && (await moveToFailing(dependencies, thread))) return;
        const outcome = await outcomeOfCall(dependencies, calls, thread, signal);
        note({ resource: thread.task?.resource, call: callResult(outcome) });
        if (outcome) await runAfterCall(thread, outcome);
      } catch (error) {
        if (!(error instanceof AbandonedCallError || error instanceof StaleCheckpointError)) throw error;
      }
    },
  };
}

/** For the log: whether a call succeeded, or the name of its error. */
function callResult(outcome: StepOutcome | JsonText | undefined): string {
  if (outcome === undefined) return 'requested';
  if (typeof outcome === 'string') return 'stored';
  return 'failure' in outcome ? outcome.failure.error : 'succeeded';
}
