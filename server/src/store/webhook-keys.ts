import { sql } from 'kysely';
import { signatureWindowMilliseconds } from '../domain/webhooks.ts';
import { auditChange } from './audit.ts';
import type { Database } from './database.ts';

/**
 * How long a retired key is still used for signing. Processes reload the keys every few seconds, so all of them have
 * switched by then.
 */
const overlapMilliseconds = 60_000;
/** Signatures are valid for one window; the second one allows for receivers whose clocks are slow. */
const servedAfterRetirement = 2 * signatureWindowMilliseconds;
// Arbitrary, but unique among the advisory locks of the database; combined with the schema.
const creationLock = 7_203_120;

export interface StoredKey {
  id: string;
  /** SubjectPublicKeyInfo. */
  publicKeyDer: Buffer;
  privateKeyEncrypted: Buffer;
}

/** A public key for receivers. */
export interface ServedKey {
  publicKeyDer: Buffer;
  /** Undefined: the key is not retired. */
  servedUntil: Date | undefined;
}

/** @returns undefined for a key that no valid signature can name */
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

/** The keys used for signing, newest first. */
export async function currentKeys(database: Database): Promise<StoredKey[]> {
  return database
    .selectFrom('webhook_keys')
    .select(['id', 'public_key_der as publicKeyDer', 'private_key_encrypted as privateKeyEncrypted'])
    .where('retired_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();
}

/** Adds a key, unless `isNeeded` returns false because another process has added one. */
export async function addKey(
  database: Database,
  key: StoredKey,
  now: Date,
  isNeeded: (current: StoredKey[]) => boolean,
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    await lockCreation(transaction);
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

function lockCreation(transaction: Database) {
  return sql`select pg_advisory_xact_lock(${sql.lit(creationLock)}, hashtext(current_schema()))`.execute(
    transaction,
  );
}

/**
 * Stores private keys encrypted anew, in a transaction.
 *
 * @param reencrypt returns undefined for a key that stays as it is
 * @returns how many keys were encrypted anew
 */
export async function reencryptKeys(
  transaction: Database,
  reencrypt: (key: StoredKey) => Buffer | undefined,
): Promise<number> {
  await lockCreation(transaction);
  let count = 0;
  for (const key of await currentKeys(transaction)) {
    const encrypted = reencrypt(key);
    if (!encrypted) continue;
    count += 1;
    await transaction
      .updateTable('webhook_keys')
      .set({ private_key_encrypted: encrypted })
      .where('id', '=', key.id)
      .execute();
  }
  return count;
}

/**
 * Retires every key used for signing. The next signature uses a new key; existing ones can be verified until they leave
 * their window.
 *
 * @returns the retired keys
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
  for (const { id } of rows) auditChange(database, { object: { kind: 'webhook key', id } });
  return rows.map(({ id }) => ({ id, servedUntil }));
}

/** Deletes retired keys that no valid signature can name. */
export async function deleteExpiredKeys(database: Database, now: Date): Promise<void> {
  await database
    .deleteFrom('webhook_keys')
    .where('retired_at', '<=', new Date(now.getTime() - servedAfterRetirement))
    .execute();
}
