import type { JobData, Jobs } from '../jobs/jobs.ts';
import type { Database } from '../store/database.ts';
import type { WokenThread } from '../store/pauses.ts';
import type { Continued } from '../store/stopped-threads.ts';
import type { ThreadExecution } from '../store/threads.ts';

/** A thread that continues. */
type ContinuingThread = Pick<WokenThread, 'threadId' | 'turn' | 'awaiting' | 'hasOutcome' | 'organizationId'>;

interface StepJob {
  dueAt?: string;
  delayMilliseconds?: number;
}

/**
 * Adds the jobs of threads that continue, in a statement for each type of job: the call that a thread waits for, otherwise
 * its step.
 *
 * @param stepOf the job of a step; undefined: there is nothing to wake
 */
export async function enqueueThreads<Thread extends ContinuingThread>(
  transaction: Database,
  jobs: Pick<Jobs, 'enqueueAll'>,
  threads: Thread[],
  stepOf: (thread: Thread) => StepJob | undefined,
): Promise<void> {
  const calls: JobData['execution-call'][] = [];
  const steps: JobData['execution-step'][] = [];
  const delays: number[] = [];
  for (const thread of threads) {
    const { threadId, turn, awaiting, hasOutcome, organizationId } = thread;
    if (awaiting === 'call' && !hasOutcome) {
      calls.push({ threadId, turn, organizationId });
      continue;
    }
    const step = stepOf(thread);
    if (!step) continue;
    const { delayMilliseconds = 0, ...due } = step;
    steps.push({ threadId, turn, ...due });
    delays.push(delayMilliseconds);
  }
  await jobs.enqueueAll(transaction, 'execution-call', calls);
  await jobs.enqueueAll(transaction, 'execution-step', steps, delays);
}

/** Adds the jobs of threads that continue after a retry; those that wait are due when their wait ends. */
export function enqueueContinued(
  { database, jobs, now }: { database: Database; jobs: Pick<Jobs, 'enqueueAll'>; now: Date },
  { organizationId, deadlineAt }: Pick<ThreadExecution, 'organizationId' | 'deadlineAt'>,
  threads: Continued[],
): Promise<void> {
  const continuing = threads.map((thread) => ({ ...thread, threadId: thread.id, organizationId }));
  return enqueueThreads(database, jobs, continuing, ({ hasOutcome, timeoutAt }) => {
    if (hasOutcome || timeoutAt === null) return {};
    // After the deadline of the execution there is nothing to wake.
    if (timeoutAt > deadlineAt) return undefined;
    return { delayMilliseconds: Math.max(timeoutAt.getTime() - now.getTime(), 0) };
  });
}
