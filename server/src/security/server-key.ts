import { createSecretKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createDurably, ifExists, reasonOf } from '../../durable-files/index.ts';
import { type Config, ConfigError } from '../config.ts';

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
