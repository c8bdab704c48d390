import type { Outcome } from '../../asl/index.ts';
import { transact } from '../../postgres-client/index.ts';
import type { CallbackStep, CallbackTokens } from '../domain/callback-tokens.ts';
import type { Jobs } from '../jobs/jobs.ts';
import { awaitsCallback, completeCallback, recordHeartbeat } from '../store/callback-steps.ts';
import type { Database } from '../store/database.ts';

/** `closed`: the step has been completed, or does not wait any more. */
export type CallbackOutcome = 'accepted' | 'closed';

export type Callbacks = ReturnType<typeof callbacks>;

/** How other systems complete steps that wait for a callback. */
export function callbacks({
  database,
  jobs,
  tokens,
  now,
}: {
  database: Database;
  jobs: Jobs;
  tokens: CallbackTokens;
  now(): Date;
}) {
  return {
    /** The step of a token, without a database query; undefined for a token that was never issued. */
    stepOf: (token: string) => tokens.read(token),
    isWaiting: (step: CallbackStep) => awaitsCallback(database, step),
    /** Completes a step; the first callback counts. @param assertWanted called in the transaction; throws to cancel it */
    async complete(
      step: CallbackStep,
      outcome: Exclude<Outcome, { kind: 'elapsed' }>,
      assertWanted: () => void,
    ): Promise<CallbackOutcome> {
      return transact(database, async (transaction) => {
        assertWanted();
        const completed = await completeCallback(transaction, step, outcome);
        if (!completed) return 'closed';
        // While the request of the task is in progress, its job continues the thread.
        if (completed.awaiting === 'callback') {
          const { threadId } = step;
          await jobs.enqueue(transaction, 'execution-step', { threadId, turn: completed.turn });
        }
        return 'accepted';
      });
    },
    /** Restarts the step's heartbeat interval. */
    heartbeat: async (step: CallbackStep): Promise<CallbackOutcome> =>
      (await recordHeartbeat(database, step, now())) ? 'accepted' : 'closed',
  };
}
