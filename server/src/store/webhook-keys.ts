import { sql } from 'kysely';
import { signatureWindowMilliseconds } from '../domain/webhook-signatures.ts';
import type { Database } from './database.ts';

/**
 * How long a key is still signed with once a newer one is to take its place: a process asks every few seconds which
 * key to use, so by then all have changed over.
 */
const overlapMilliseconds = 60_000;
/** A signature can be valid for its window; as much again for receivers whose clocks are late. */
const servedAfterRetirement = 2 * signatureWindowMilliseconds;
// Any number that nothing else in the database locks by, with the schema's own beside it.
const makingLock = 7_203_120;

export interface StoredKey {
  id: string;
  /** SubjectPublicKeyInfo. */
  publicKeyDer: Buffer;
  privateKeyEncrypted: Buffer;
}

/** A public key as receivers may have it, and until when it is theirs to have; undefined: with no end in sight. */
export interface ServedKey {
  publicKeyDer: Buffer;
  servedUntil: Date | undefined;
}

/** A key that a valid signature can name; undefined for all others. */
export async function findServedKey(
  database: Database,
  id: string,
  now: Date,
): Promise<ServedKey | undefined> {
  const row = await database
    .selectFrom('webhook_keys')
    .select(['public_key_der', 'retired_at'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row) return undefined;
  const servedUntil = row.retired_at && new Date(row.retired_at.getTime() + servedAfterRetirement);
  if (servedUntil && servedUntil <= now) return undefined;
  return { publicKeyDer: row.public_key_der, servedUntil: servedUntil ?? undefined };
}

/** The keys to sign with, the newest first. */
export async function currentKeys(database: Database): Promise<StoredKey[]> {
  const rows = await database
    .selectFrom('webhook_keys')
    .select(['id', 'public_key_der', 'private_key_encrypted'])
    .where('retired_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    publicKeyDer: row.public_key_der,
    privateKeyEncrypted: row.private_key_encrypted,
  }));
}

/** Keeps a new key, unless `isNeeded` finds that another process was quicker. */
export async function addKey(
  database: Database,
  key: StoredKey,
  now: Date,
  isNeeded: (current: StoredKey[]) => boolean,
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(${sql.lit(makingLock)}, hashtext(current_schema()))`.execute(
      transaction,
    );
    if (!isNeeded(await currentKeys(transaction))) return;
    await transaction
      .insertInto('webhook_keys')
      .values({
        id: key.id,
        public_key_der: key.publicKeyDer,
        private_key_encrypted: key.privateKeyEncrypted,
        created_at: now,
      })
      .execute();
  });
}

/**
 * Retires every key that is signed with: the next signature is made with a new one, and those made with the old ones
 * stay verifiable until they are out of their window.
 *
 * @returns the retired ones
 */
export async function retireKeys(
  database: Database,
  now: Date,
): Promise<{ id: string; servedUntil: string }[]> {
  const retiredAt = new Date(now.getTime() + overlapMilliseconds);
  const servedUntil = new Date(retiredAt.getTime() + servedAfterRetirement).toISOString();
  const rows = await database
    .updateTable('webhook_keys')
    .set({ retired_at: retiredAt })
    .where('retired_at', 'is', null)
    .returning('id')
    .execute();
  return rows.map(({ id }) => ({ id, servedUntil }));
}

/** Deletes keys that no valid signature can name any more. */
export async function forgetKeys(database: Database, now: Date): Promise<void> {
  await database
    .deleteFrom('webhook_keys')
    .where('retired_at', '<=', new Date(now.getTime() - servedAfterRetirement))
    .execute();
}
