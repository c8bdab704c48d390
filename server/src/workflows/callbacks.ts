import type { Outcome } from '../domain/checkpoints.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { Database } from '../store/database.ts';
import { awaitsAnswer, beat, takeAnswer } from '../store/thread-answers.ts';
import type { CallbackAddress, CallbackTokens } from './callback-tokens.ts';

/** `closed`: the step has been answered, or no longer waits. */
export type CallbackOutcome = 'taken' | 'closed';

/** How outside systems answer steps that wait for them. */
export interface Callbacks {
  /**
   * The step that a token is for, without asking the database.
   *
   * @returns undefined for a token that was not made here
   */
  stepOf(token: string): CallbackAddress | undefined;
  isWaiting(step: CallbackAddress): Promise<boolean>;
  /** The first answer counts. */
  answer(step: CallbackAddress, outcome: Exclude<Outcome, { kind: 'elapsed' }>): Promise<CallbackOutcome>;
  /** Begins the step's heartbeat interval anew. */
  heartbeat(step: CallbackAddress): Promise<CallbackOutcome>;
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
    stepOf: (token) => tokens.read(token),

    isWaiting: (step) => awaitsAnswer(database, step),

    async answer(step, outcome) {
      return database.transaction().execute(async (transaction) => {
        const taken = await takeAnswer(transaction, step, outcome);
        if (!taken) return 'closed';
        // While its request is still being made, the job that makes it goes on with the answer.
        if (taken.awaiting === 'callback') {
          await jobs.enqueue(transaction, 'execution-step', { threadId: step.threadId, turn: taken.turn });
        }
        return 'taken';
      });
    },

    async heartbeat(step) {
      return (await beat(database, step, now())) ? 'taken' : 'closed';
    },
  };
}
