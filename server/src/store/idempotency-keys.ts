import { sql } from 'kysely';
import { deleteInBatches, withNext } from '../../postgres-client/index.ts';
import type { Database } from './database.ts';

/** How long the first response is stored. */
const retentionHours = 24;

export interface IdempotentRequest {
  userId: string;
  key: string;
  /** Digest of operation, parameters and body; equal for equal requests. */
  sha256: Buffer;
  now: Date;
}

/**
 * - `new`: this transaction holds the key until it ends
 * - `in_use`: another transaction holds it
 * - `reused`: it was used for a different request
 * - `completed`: the first response to the same request
 */
export type IdempotencyClaim =
  | { kind: 'new' | 'in_use' | 'reused' }
  | { kind: 'completed'; status: number; body: unknown };

/**
 * Claims a key for the current transaction. The claim is a lock that ends with the transaction, so a crash leaves
 * nothing to clean up.
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
  const oldest = new Date(now.getTime() - retentionHours * 3_600_000);
  const first = await transaction
    .selectFrom('idempotency_keys')
    .select(['request_sha256', 'status', 'body'])
    .where('user_id', '=', userId)
    .where('key', '=', key)
    .where('created_at', '>', oldest)
    .executeTakeFirst();
  if (!first) return { kind: 'new' };
  if (!first.request_sha256.equals(sha256)) return { kind: 'reused' };
  return { kind: 'completed', status: first.status, body: first.body };
}

/** Whether a request with this key has been responded to. */
export async function hasResponse(
  database: Database,
  { userId, key }: Pick<IdempotentRequest, 'userId' | 'key'>,
): Promise<boolean> {
  const row = database.selectFrom('idempotency_keys').select('status');
  return (await row.where('user_id', '=', userId).where('key', '=', key).executeTakeFirst()) !== undefined;
}

/** Stores the first response, in the transaction of the change. */
export async function saveResponse(
  transaction: Database,
  { userId, key, sha256, now }: IdempotentRequest,
  { status, body }: { status: number; body: unknown },
): Promise<void> {
  const row = {
    request_sha256: sha256,
    status,
    body: body === undefined ? null : JSON.stringify(body),
    created_at: now,
  };
  await transaction
    .insertInto('idempotency_keys')
    .values({ user_id: userId, key, ...row })
    .onConflict((conflict) => conflict.columns(['user_id', 'key']).doUpdateSet(row))
    .modifyEnd(sql.raw(withNext))
    .execute();
}

/** Deletes responses past their retention. */
export async function deleteExpiredResponses(database: Database, now: Date): Promise<number> {
  const oldest = new Date(now.getTime() - retentionHours * 3_600_000);
  // The row locks keep a response that replaces an expired one at the same time.
  return deleteInBatches(
    database,
    (limit) => sql`
      with expired as materialized (
        select user_id, key from idempotency_keys where created_at <= ${oldest} limit ${limit} for update skip locked)
      delete from idempotency_keys k using expired e where k.user_id = e.user_id and k.key = e.key
    `,
  );
}
