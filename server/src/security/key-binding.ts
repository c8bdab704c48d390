import { createHash } from 'node:crypto';
import type { Database } from '../store/database.ts';
import {
  findKeyFingerprint,
  proposeKeyFingerprint,
  replaceKeyFingerprint,
} from '../store/key-fingerprints.ts';
import { deriveKey } from './server-key.ts';

/** The server key is not the one of the database. The message is one line that says what to do. */
export class KeyBindingError extends Error {}

/**
 * Binds the database to the server key, if it is not bound yet, by storing a fingerprint: processes with different keys
 * would refuse each other's tokens, links and webhook keys.
 *
 * @throws KeyBindingError if the database is bound to another key
 */
export async function bindServerKey(database: Database, serverKey: Buffer): Promise<void> {
  const own = fingerprintOf(serverKey);
  const stored = (await findKeyFingerprint(database)) ?? (await proposeKeyFingerprint(database, own));
  if (stored.equals(own)) return;
  throw new KeyBindingError(
    'The server key is not the one of this database: set SERVER_KEY or SERVER_KEY_FILE as for its other processes, or restore server.key from the backup. If that key is lost, run "wrp database adopt-key": access tokens, signed URLs, single-use links and webhook keys of the lost key end.',
  );
}

/** Binds the database to another key, for example because the former one is lost. */
export async function adoptServerKey(
  database: Database,
  serverKey: Buffer,
): Promise<'adopted' | 'was_bound'> {
  const own = fingerprintOf(serverKey);
  if ((await findKeyFingerprint(database))?.equals(own)) return 'was_bound';
  await replaceKeyFingerprint(database, own);
  return 'adopted';
}

/** The same in both environments. Tells nothing about the keys derived for other purposes. */
function fingerprintOf(serverKey: Buffer): Buffer {
  return createHash('sha256')
    .update(deriveKey(serverKey, 'any', 'fingerprint').export())
    .digest();
}
