import { sql } from 'kysely';
import type { Outcome } from '../domain/checkpoints.ts';
import type { Database } from './database.ts';
import type { Awaiting } from './schema.ts';

/** The step of a thread that waits for an answer. */
export interface AnsweredStep {
  threadId: string;
  step: number;
}

/** Whether a step still takes an answer. */
export async function awaitsAnswer(database: Database, { threadId, step }: AnsweredStep): Promise<boolean> {
  const { rows } = await sql`
    select from threads where id = ${threadId} and callback_step = ${step} and outcome is null`.execute(
    database,
  );
  return rows.length > 0;
}

/**
 * Writes an answer down; the first one counts. A thread that waits for it is ready, in a turn of its own; one whose
 * request is still being made goes on with the answer by itself.
 *
 * @returns what the thread waited for, and its turn now; undefined where the step waits no more
 */
export async function takeAnswer(
  database: Database,
  { threadId, step }: AnsweredStep,
  outcome: Outcome,
): Promise<{ awaiting: Awaiting; turn: number } | undefined> {
  const { rows } = await sql<{ awaiting: Awaiting; turn: number }>`
    update threads set outcome = ${JSON.stringify(outcome)},
      status = case awaiting when 'callback' then 'ready' else status end,
      step = step + case awaiting when 'callback' then 1 else 0 end,
      turn = turn + case awaiting when 'callback' then 1 else 0 end
    where id = ${threadId} and callback_step = ${step} and outcome is null returning awaiting, turn
  `.execute(database);
  return rows[0];
}

/** Begins a step's heartbeat interval anew, where it has one. @returns false where the step waits no more */
export async function beat(
  database: Database,
  { threadId, step }: AnsweredStep,
  now: Date,
): Promise<boolean> {
  const { rows } = await sql`
    update threads set heartbeat_until = case when heartbeat_until is null then null
      else ${now}::timestamptz + heartbeat_seconds * interval '1 second' end
    where id = ${threadId} and callback_step = ${step} and outcome is null returning id
  `.execute(database);
  return rows.length > 0;
}
