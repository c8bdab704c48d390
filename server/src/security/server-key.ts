import { createHash, createSecretKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createDurably, ifExists, reasonOf } from '../../durable-files/index.ts';
import { type Config, ConfigError } from '../config.ts';
import type { Database } from '../store/database.ts';
import {
  findKeyFingerprint,
  proposeKeyFingerprint,
  replaceKeyFingerprint,
} from '../store/key-fingerprints.ts';

/** Purposes of derived keys; each purpose and environment has its own key. */
export type KeyPurpose =
  | 'bearer-tokens'
  | 'signed-links'
  | 'links'
  | 'webhook-keys'
  | 'callbacks'
  | 'fingerprint';

/** The output size of HKDF with SHA-256. */
const keyBytes = 32;

/**
 * The secret of an installation, from which all other keys are derived: set by the operator, or created at the
 * first start and stored in the data directory, readable by its owner only.
 *
 * @throws ConfigError if the file contains no complete key, because derived keys could be guessed, or if it cannot be
 *   read or created
 */
export async function openServerKey({
  dataDirectory,
  serverKey,
  serverKeyFile,
}: Pick<Config, 'dataDirectory'> & Partial<Pick<Config, 'serverKey' | 'serverKeyFile'>>): Promise<Buffer> {
  if (serverKey) return Buffer.from(serverKey, 'base64url');
  if (serverKeyFile) {
    const key = await read(serverKeyFile);
    if (!key) throw new ConfigError(`SERVER_KEY_FILE ${serverKeyFile} does not exist.`);
    return key;
  }
  const file = join(dataDirectory, 'server.key');
  return (await read(file)) ?? make(file, dataDirectory);
}

/** RFC 5869. */
export function deriveKey(serverKey: Buffer, environment: string, purpose: KeyPurpose): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', serverKey, '', `wrp ${environment} ${purpose}`, 32)));
}

async function read(file: string): Promise<Buffer | undefined> {
  const text = await ifExists(readFile(file, 'utf8')).catch((error) => {
    throw new ConfigError(`The server key ${file} cannot be read: ${reasonOf(error)}.`);
  });
  if (text === undefined) return undefined;
  const key = Buffer.from(text.trim(), 'base64url');
  if (key.length >= keyBytes) return key;
  throw new ConfigError(
    `${file} holds no whole key. Restore it from a backup, or delete it: then access tokens, signed URLs, single-use links and webhook keys end.`,
  );
}

/** If two processes start at once, one key wins. Synced to disk, or a power loss could lead to another key. */
async function make(file: string, dataDirectory: string): Promise<Buffer> {
  try {
    await mkdir(dataDirectory, { recursive: true });
    await createDurably(file, `${randomBytes(keyBytes).toString('base64url')}\n`);
  } catch (error) {
    throw new ConfigError(`The server key ${file} cannot be created: ${reasonOf(error)}.`);
  }
  return (await read(file)) as Buffer;
}

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
