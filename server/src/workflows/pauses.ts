import { transact } from '../../postgres-client/index.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { Database } from '../store/database.ts';
import { type WokenThread, wakeThreads } from '../store/pauses.ts';

/** Threads woken in one transaction. */
const wokenAtOnce = 1_000;

/**
 * Adds jobs for the parked threads of definitions that were resumed, in batches: a thread is woken and its job added in
 * one transaction, so that both happen or neither, once. Several processes may do this at once.
 *
 * @param isStopped whether to stop after the present batch; the rest is for another process
 * @returns the number of threads
 */
export async function wakeResumed(
  { database, jobs, now }: { database: Database; jobs: Jobs; now(): Date },
  definitionIds: string[],
  isStopped = () => false,
): Promise<number> {
  let count = 0;
  for (const definitionId of definitionIds) {
    for (let woken = wokenAtOnce; woken === wokenAtOnce && !isStopped(); count += woken) {
      woken = await transact(database, async (transaction) => {
        const threads = await wakeThreads(transaction, definitionId, wokenAtOnce);
        await addJobs(transaction, jobs, threads, now());
        return threads.length;
      });
    }
  }
  return count;
}

/** The jobs that the threads had when they were parked. */
async function addJobs(transaction: Database, jobs: Jobs, threads: WokenThread[], now: Date): Promise<void> {
  const isCall = ({ awaiting, hasOutcome }: WokenThread) => awaiting === 'call' && !hasOutcome;
  const calls = threads.filter(isCall);
  const steps = threads.filter((thread) => !isCall(thread));
  await jobs.enqueueAll(
    transaction,
    'execution-call',
    calls.map(({ threadId, turn, organizationId }) => ({ threadId, turn, organizationId })),
  );
  await jobs.enqueueAll(
    transaction,
    'execution-step',
    steps.map(({ threadId, turn, dueAt }) => ({
      threadId,
      turn,
      // Without it, the job waits for the deadline, which a heartbeat has moved.
      ...(dueAt && dueAt <= now && { dueAt: dueAt.toISOString() }),
    })),
  );
}
