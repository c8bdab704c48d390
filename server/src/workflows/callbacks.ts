import type { Outcome } from '../domain/checkpoints.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { Database } from '../store/database.ts';
import { beat, takeAnswer } from '../store/thread-answers.ts';
import type { CallbackTokens } from './callback-tokens.ts';

/**
 * - `unknown`: no step was ever given this token
 * - `closed`: its step has been answered, or waits no more
 */
export type CallbackOutcome = 'taken' | 'unknown' | 'closed';

/** How outside systems answer steps that wait for them. */
export interface Callbacks {
  /** The first answer counts. */
  answer(token: string, outcome: Exclude<Outcome, { kind: 'elapsed' }>): Promise<CallbackOutcome>;
  /** Begins the step's heartbeat interval anew. */
  heartbeat(token: string): Promise<CallbackOutcome>;
}

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
}): Callbacks {
  return {
    async answer(token, outcome) {
      const address = tokens.read(token);
      if (!address) return 'unknown';
      return database.transaction().execute(async (transaction) => {
        const taken = await takeAnswer(transaction, address, outcome);
        if (!taken) return 'closed';
        // While its request is still being made, the job that makes it goes on with the answer.
        if (taken.awaiting === 'callback') {
          await jobs.enqueue(transaction, 'execution-step', { threadId: address.threadId, turn: taken.turn });
        }
        return 'taken';
      });
    },

    async heartbeat(token) {
      const address = tokens.read(token);
      if (!address) return 'unknown';
      return (await beat(database, address, now())) ? 'taken' : 'closed';
    },
  };
}
