import { createHash, createSecretKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createDurably, ifExists, reasonOf } from '../../durable-files/index.ts';
import { type Config, ConfigError, type EnvironmentName } from '../config.ts';
import type { DerivedKeys } from '../domain/derived-keys.ts';
import { auditChange } from '../store/audit.ts';
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

/** The secret of an installation, from which all other keys are derived. */
export interface ServerKey {
  /** The key, and the previous one while it is being replaced. */
  readonly accepted: readonly Buffer[];
  /** The one of them that the database of an environment is bound to: it signs. Default: the first. */
  readonly bound: Partial<Record<EnvironmentName, Buffer>>;
}

type KeySettings = Pick<Config, 'dataDirectory'> &
  Partial<Pick<Config, 'serverKey' | 'serverKeyFile' | 'previousServerKey' | 'previousServerKeyFile'>>;

/**
 * The server key: set by the operator, or created at the first start and stored in the data directory, readable by its
 * owner only.
 *
 * @throws ConfigError if the file contains no complete key, because derived keys could be guessed, or if it cannot be
 *   read or created
 */
export async function openServerKey(settings: KeySettings): Promise<ServerKey> {
  const { dataDirectory, serverKey, serverKeyFile, previousServerKey, previousServerKeyFile } = settings;
  const file = join(dataDirectory, 'server.key');
  const key =
    (await given('SERVER_KEY_FILE', serverKey, serverKeyFile)) ??
    (await read(file)) ??
    (await make(file, dataDirectory));
  const previous = await given('SERVER_KEY_PREVIOUS_FILE', previousServerKey, previousServerKeyFile);
  if (previous?.equals(key))
    throw new ConfigError('SERVER_KEY_PREVIOUS is the server key itself: set the former one.');
  return serverKeyOf(key, ...(previous ? [previous] : []));
}

export function serverKeyOf(...accepted: Buffer[]): ServerKey {
  return { accepted, bound: {} };
}

/** The keys of a purpose (RFC 5869). */
export function deriveKey(
  { accepted, bound }: ServerKey,
  environment: EnvironmentName,
  purpose: KeyPurpose,
): DerivedKeys {
  const derived = new Map(accepted.map((key) => [key, derive(key, environment, purpose)]));
  const [first] = derived.values();
  return {
    accepted: [...derived.values()],
    get current() {
      return (derived.get(bound[environment] as Buffer) ?? first) as KeyObject;
    },
  };
}

function derive(key: Buffer, environment: string, purpose: KeyPurpose): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', key, '', `wrp ${environment} ${purpose}`, keyBytes)));
}

async function given(variable: string, text: string | undefined, file: string | undefined) {
  if (text) return Buffer.from(text, 'base64url');
  if (!file) return undefined;
  const key = await read(file);
  if (!key) throw new ConfigError(`${variable} ${file} does not exist.`);
  return key;
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
 * Binds the database of an environment to the server key, if it is not bound yet, by storing a fingerprint: processes with
 * different keys would refuse each other's tokens, links and webhook keys. The key that it is bound to signs from then on.
 *
 * @throws KeyBindingError if the database is bound to a key that is not accepted
 */
export async function bindServerKey(
  database: Database,
  environment: EnvironmentName,
  { accepted, bound }: ServerKey,
): Promise<void> {
  const [own] = accepted as [Buffer];
  const stored =
    (await findKeyFingerprint(database)) ?? (await proposeKeyFingerprint(database, fingerprintOf(own)));
  bound[environment] = boundKey(accepted, stored);
}

/** @throws KeyBindingError if none of the keys has the fingerprint */
export function boundKey(accepted: readonly Buffer[], fingerprint: Buffer): Buffer {
  const key = accepted.find((each) => fingerprintOf(each).equals(fingerprint));
  if (key) return key;
  throw new KeyBindingError(
    'The server key is not the one of this database: set SERVER_KEY or SERVER_KEY_FILE as for its other processes, or restore server.key from the backup. To replace the key, set the former one as SERVER_KEY_PREVIOUS. If it is lost, run "wrp database adopt-key": access tokens, signed URLs, single-use links and webhook keys of the lost key end.',
  );
}

/** How often a process that accepts two keys looks which of them signs. */
const followMilliseconds = 2_000;

/** Follows the replacement of the key, by which the database is bound to another one. @returns stops it */
export function followServerKey(
  databases: { name: EnvironmentName; requestDatabase: Database }[],
  serverKey: ServerKey,
): () => void {
  if (serverKey.accepted.length === 1) return () => {};
  const look = () => {
    // What cannot be read now is read later.
    for (const { name, requestDatabase } of databases)
      bindServerKey(requestDatabase, name, serverKey).catch(() => {});
  };
  const timer = setInterval(look, followMilliseconds).unref();
  return () => clearInterval(timer);
}

/** Names a key for operators and for `findProcesses`; the key cannot be derived from it. */
export const keyName = (key: Buffer) => fingerprintOf(key).toString('hex').slice(0, 8);

/** Binds the database to another key, for example because the former one is lost. */
export async function adoptServerKey(
  database: Database,
  { accepted: [key] }: ServerKey,
): Promise<'adopted' | 'was_bound'> {
  const own = fingerprintOf(key as Buffer);
  if ((await findKeyFingerprint(database))?.equals(own)) return 'was_bound';
  await replaceKeyFingerprint(database, own);
  auditChange(database, { object: { kind: 'server key', id: keyName(key as Buffer) } });
  return 'adopted';
}

/** The same in both environments. Tells nothing about the keys derived for other purposes. */
export function fingerprintOf(key: Buffer): Buffer {
  return createHash('sha256')
    .update(derive(key, 'any', 'fingerprint').export())
    .digest();
}
