import { sql } from 'kysely';
import type { Jobs } from '../jobs/jobs.ts';
import type { Database } from '../store/database.ts';
import type { CallbackAddress, CallbackTokens } from './callback-tokens.ts';
import type { Outcome } from './machine/actions.ts';

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
      const { rows } = await sql`
        update threads set heartbeat_until = case when heartbeat_until is null then null
          else ${now()}::timestamptz + heartbeat_seconds * interval '1 second' end
        where id = ${address.threadId} and callback_step = ${address.step} and outcome is null returning id
      `.execute(database);
      return rows.length > 0 ? 'taken' : 'closed';
    },
  };
}

async function takeAnswer(
  database: Database,
  { threadId, step }: CallbackAddress,
  outcome: Outcome,
): Promise<{ awaiting: string; turn: number } | undefined> {
  const { rows } = await sql<{ awaiting: string; turn: number }>`
    update threads set outcome = ${JSON.stringify(outcome)},
      status = case awaiting when 'callback' then 'ready' else status end,
      step = step + case awaiting when 'callback' then 1 else 0 end,
      turn = turn + case awaiting when 'callback' then 1 else 0 end
    where id = ${threadId} and callback_step = ${step} and outcome is null returning awaiting, turn
  `.execute(database);
  return rows[0];
}
