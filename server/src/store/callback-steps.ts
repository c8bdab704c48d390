import { sql } from 'kysely';
import type { Outcome } from '../../asl/index.ts';
import type { CallbackStep } from '../domain/callback-tokens.ts';
import type { Database } from './database.ts';
import type { Awaiting } from './schema.ts';

/** Whether a step still waits for its callback. */
export async function awaitsCallback(database: Database, { threadId, step }: CallbackStep): Promise<boolean> {
  const { rows } = await sql`
    select from threads where id = ${threadId} and callback_step = ${step} and outcome is null`.execute(
    database,
  );
  return rows.length > 0;
}

/**
 * Stores the outcome of a callback; the first one counts. A waiting thread becomes ready, in a new turn. If the request
 * of the task is still in progress, its job continues with the outcome.
 *
 * @returns what the thread waited for, and its current turn; undefined if the step does not wait any more
 */
export async function completeCallback(
  database: Database,
  { threadId, step }: CallbackStep,
  outcome: Outcome,
): Promise<{ awaiting: Awaiting; turn: number } | undefined> {
  const { rows } = await sql<{ awaiting: Awaiting; turn: number }>`
    update threads set outcome = ${JSON.stringify(outcome)},
      status = case awaiting when 'callback' then 'ready' else status end,
      step = step + case awaiting when 'callback' then 1 else 0 end,
      turn = turn + case awaiting when 'callback' then 1 else 0 end,
      parked_for = case awaiting when 'callback' then null else parked_for end
    where id = ${threadId} and callback_step = ${step} and outcome is null returning awaiting, turn
  `.execute(database);
  return rows[0];
}

/** Restarts a step's heartbeat interval, if it has one. @returns false if the step does not wait any more */
export async function recordHeartbeat(
  database: Database,
  { threadId, step }: CallbackStep,
  now: Date,
): Promise<boolean> {
  const { rows } = await sql`
    update threads set heartbeat_until = case when heartbeat_until is null then null
      else ${now}::timestamptz + heartbeat_seconds * interval '1 second' end
    where id = ${threadId} and callback_step = ${step} and outcome is null returning id
  `.execute(database);
  return rows.length > 0;
}
