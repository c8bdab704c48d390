import {
  createCipheriv,
  createDecipheriv,
  createPrivateKey,
  generateKeyPair,
  type KeyObject,
  randomBytes,
  randomUUID,
} from 'node:crypto';
import { promisify } from 'node:util';
import type { SigningKey } from '../domain/webhook-signatures.ts';
import type { Database } from '../store/database.ts';
import { addKey, currentKeys, type StoredKey } from '../store/webhook-keys.ts';

/** How long a process signs with a key before it asks again whether that is still the one. */
const refreshMilliseconds = 5_000;
const nonceBytes = 12;
const tagBytes = 16;

export interface SigningKeys {
  /** The key to sign with now. It is made when there is none, or none that this server key opens. */
  current(): Promise<SigningKey>;
}

/**
 * The keys that webhooks of one environment are signed with, shared by all processes through the database. Private
 * keys are stored encrypted.
 *
 * @param encryptionKey 32 bytes, derived from the server key
 */
export function signingKeys({
  database,
  encryptionKey,
  now,
}: {
  database: Database;
  encryptionKey: KeyObject;
  now(): Date;
}): SigningKeys {
  let held: { key: Promise<SigningKey>; askedAt: number } | undefined;

  const usable = (stored: StoredKey[]): SigningKey | undefined => {
    for (const key of stored) {
      const privateKey = opened(key, encryptionKey);
      if (privateKey) return { kid: key.id, privateKey };
    }
    return undefined;
  };
  const load = async (): Promise<SigningKey> => {
    const present = usable(await currentKeys(database));
    if (present) return present;
    const made = await newKey(encryptionKey);
    await addKey(database, made, now(), (stored) => usable(stored) === undefined);
    const key = usable(await currentKeys(database));
    if (!key) throw new Error('No key to sign webhooks with could be made.');
    return key;
  };

  return {
    current() {
      // Not the platform's clock: it is about what this process holds, not about what is valid.
      if (held && performance.now() - held.askedAt < refreshMilliseconds) return held.key;
      const asked = { key: load(), askedAt: performance.now() };
      held = asked;
      asked.key.catch(() => {
        if (held === asked) held = undefined;
      });
      return asked.key;
    },
  };
}

async function newKey(encryptionKey: KeyObject): Promise<StoredKey> {
  const id = randomUUID();
  const { publicKey, privateKey } = await promisify(generateKeyPair)('ec', { namedCurve: 'P-256' });
  return {
    id,
    publicKeyDer: publicKey.export({ type: 'spki', format: 'der' }),
    privateKeyEncrypted: closed(id, privateKey, encryptionKey),
  };
}

/** AES-256-GCM, bound to the key's identifier: nonce, ciphertext, tag. */
function closed(id: string, privateKey: KeyObject, encryptionKey: KeyObject): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', encryptionKey, nonce).setAAD(Buffer.from(id));
  const text = cipher.update(privateKey.export({ type: 'pkcs8', format: 'der' }));
  return Buffer.concat([nonce, text, cipher.final(), cipher.getAuthTag()]);
}

/** Undefined where another server key closed it: then a key of our own is made beside it. */
function opened(
  { id, privateKeyEncrypted: whole }: StoredKey,
  encryptionKey: KeyObject,
): KeyObject | undefined {
  const nonce = whole.subarray(0, nonceBytes);
  const tag = whole.subarray(-tagBytes);
  try {
    const decipher = createDecipheriv('aes-256-gcm', encryptionKey, nonce, { authTagLength: tagBytes })
      .setAAD(Buffer.from(id))
      .setAuthTag(tag);
    const der = Buffer.concat([decipher.update(whole.subarray(nonceBytes, -tagBytes)), decipher.final()]);
    return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  } catch {
    return undefined;
  }
}
