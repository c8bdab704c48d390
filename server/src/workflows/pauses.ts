import { transact } from '../../postgres-client/index.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { Database } from '../store/database.ts';
import { wakeThreads } from '../store/pauses.ts';
import { enqueueThreads } from './thread-jobs.ts';

/** Threads woken in one transaction. */
const wokenAtOnce = 1_000;

/**
 * Adds jobs for the suspended threads of definitions that were resumed, in batches: a thread is woken and its job added in
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
        const at = now();
        await enqueueThreads(transaction, jobs, threads, ({ dueAt }) => ({
          // Without it, the job waits for the deadline, which a heartbeat has moved.
          ...(dueAt && dueAt <= at && { dueAt: dueAt.toISOString() }),
        }));
        return threads.length;
      });
    }
  }
  return count;
}
