import type { Outcome } from '../domain/checkpoints.ts';
import {
  awaitsCallback,
  type CallbackStep,
  completeCallback,
  recordHeartbeat,
} from '../store/callback-steps.ts';
import type { EngineDependencies } from './run.ts';

/** `closed`: the step has been completed, or does not wait any more. */
export type CallbackOutcome = 'accepted' | 'closed';

/** How other systems complete steps that wait for a callback. */
export interface Callbacks {
  /**
   * The step of a token, without a database query.
   *
   * @returns undefined for a token that was never issued
   */
  stepOf(token: string): CallbackStep | undefined;
  isWaiting(step: CallbackStep): Promise<boolean>;
  /** Completes a step; the first callback counts. @param assertWanted called in the transaction; throws to cancel it */
  complete(
    step: CallbackStep,
    outcome: Exclude<Outcome, { kind: 'elapsed' }>,
    assertWanted: () => void,
  ): Promise<CallbackOutcome>;
  /** Restarts the step's heartbeat interval. */
  heartbeat(step: CallbackStep): Promise<CallbackOutcome>;
}

export function callbacks({
  database,
  jobs,
  tokens,
  now,
}: Pick<EngineDependencies, 'database' | 'jobs' | 'tokens' | 'now'>): Callbacks {
  return {
    stepOf: (token) => tokens.read(token),
    isWaiting: (step) => awaitsCallback(database, step),
    async complete(step, outcome, assertWanted) {
      return database.transaction().execute(async (transaction) => {
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
    heartbeat: async (step) => ((await recordHeartbeat(database, step, now())) ? 'accepted' : 'closed'),
  };
}
