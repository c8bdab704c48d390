import { sql } from 'kysely';
import { deleteInBatches } from './batches.ts';
import type { Database } from './database.ts';

/** Hours that a first answer is kept for. */
const keptHours = 24;

export interface IdempotentRequest {
  userId: string;
  key: string;
  /** What makes two requests the same: operation, parameters and body. */
  sha256: Buffer;
  now: Date;
}

/**
 * - `new`: this transaction holds the key until it ends
 * - `in_use`: another transaction holds it
 * - `reused`: it was used for another request
 * - `answered`: the first answer to this very request
 */
export type IdempotencyClaim =
  | { kind: 'new' | 'in_use' | 'reused' }
  | { kind: 'answered'; status: number; body: unknown };

/**
 * Claims a key for the transaction at hand. The claim is a lock that ends with the transaction, so a crash
 * leaves nothing to clean up: the key is then free, and nothing of the first try was kept.
 */
export async function claimIdempotencyKey(
  transaction: Database,
  { userId, key, sha256, now }: IdempotentRequest,
): Promise<IdempotencyClaim> {
  const { rows } = await sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(
      hashtextextended(current_schema() || ${` idempotency ${userId} ${key}`}::text, 0)) as locked
  `.execute(transaction);
  if (!rows[0]?.locked) return { kind: 'in_use' };
  const oldest = new Date(now.getTime() - keptHours * 3_600_000);
  const first = await transaction
    .selectFrom('idempotency_keys')
    .select(['request_sha256', 'status', 'body'])
    .where('user_id', '=', userId)
    .where('key', '=', key)
    .where('created_at', '>', oldest)
    .executeTakeFirst();
  if (!first) return { kind: 'new' };
  if (!first.request_sha256.equals(sha256)) return { kind: 'reused' };
  return { kind: 'answered', status: first.status, body: first.body };
}

/** Keeps the first answer, in the transaction of the change that it tells of. */
export async function keepAnswer(
  transaction: Database,
  { userId, key, sha256, now }: IdempotentRequest,
  answer: { status: number; body: unknown },
): Promise<void> {
  const row = {
    request_sha256: sha256,
    status: answer.status,
    body: answer.body === undefined ? null : JSON.stringify(answer.body),
    created_at: now,
  };
  await transaction
    .insertInto('idempotency_keys')
    .values({ user_id: userId, key, ...row })
    .onConflict((conflict) => conflict.columns(['user_id', 'key']).doUpdateSet(row))
    .execute();
}

/** Forgets answers that are no longer given. */
export async function forgetAnswers(database: Database, now: Date): Promise<number> {
  const oldest = new Date(now.getTime() - keptHours * 3_600_000);
  // Locked, so that an answer that takes an old one's place meanwhile stays.
  return deleteInBatches(
    database,
    (limit) => sql`
      with forgotten as materialized (
        select user_id, key from idempotency_keys where created_at <= ${oldest} limit ${limit} for update skip locked)
      delete from idempotency_keys k using forgotten f where k.user_id = f.user_id and k.key = f.key
    `,
  );
}
