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
import type { DerivedKeys } from '../domain/derived-keys.ts';
import type { SigningKey } from '../domain/webhooks.ts';
import type { Database } from '../store/database.ts';
import { addKey, currentKeys, type StoredKey } from '../store/webhook-keys.ts';

/** How long the current key is cached. */
const refreshMilliseconds = 5_000;
const nonceBytes = 12;
const tagBytes = 16;

export type SigningKeys = ReturnType<typeof signingKeys>;

interface SigningKeyOptions {
  database: Database;
  /** Of 32 bytes, derived from the server key. Private keys are stored encrypted. */
  encryptionKeys: DerivedKeys;
  now(): Date;
}

/** The keys that sign the webhooks of one environment. All processes share them through the database. */
export function signingKeys({ database, encryptionKeys, now }: SigningKeyOptions) {
  let cached: { key: Promise<SigningKey>; loadedAt: number } | undefined;

  const usable = (stored: StoredKey[]): SigningKey | undefined => {
    for (const key of stored) {
      const privateKey = decrypt(key, encryptionKeys);
      if (privateKey) return { kid: key.id, privateKey };
    }
    return undefined;
  };
  const load = async (): Promise<SigningKey> => {
    const existing = usable(await currentKeys(database));
    if (existing) return existing;
    await createSigningKey(database, encryptionKeys, {
      now: now(),
      isNeeded: (stored) => usable(stored) === undefined,
    });
    const key = usable(await currentKeys(database));
    if (!key) throw new Error('The new webhook signing key cannot be read.');
    return key;
  };

  return {
    /** The current signing key. Created if there is none that this server key decrypts. */
    current(): Promise<SigningKey> {
      if (cached && performance.now() - cached.loadedAt < refreshMilliseconds) return cached.key;
      const loading = { key: load(), loadedAt: performance.now() };
      cached = loading;
      loading.key.catch(() => {
        if (cached === loading) cached = undefined;
      });
      return loading.key;
    },
  };
}

/** Adds a new key, unless `isNeeded` returns false for those that exist. */
export async function createSigningKey(
  database: Database,
  encryptionKeys: DerivedKeys,
  { id = randomUUID(), now, isNeeded }: { id?: string; now: Date; isNeeded(current: StoredKey[]): boolean },
): Promise<void> {
  const { publicKey, privateKey } = await promisify(generateKeyPair)('ec', { namedCurve: 'P-256' });
  const key = {
    id,
    publicKeyDer: publicKey.export({ type: 'spki', format: 'der' }),
    privateKeyEncrypted: encrypt(
      id,
      privateKey.export({ type: 'pkcs8', format: 'der' }),
      encryptionKeys.current,
    ),
  };
  await addKey(database, key, now, isNeeded);
}

/** Encrypts with AES-256-GCM, bound to the key's id. The result is nonce, ciphertext and tag. */
function encrypt(id: string, privateKeyDer: Buffer, encryptionKey: KeyObject): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', encryptionKey, nonce).setAAD(Buffer.from(id));
  const text = cipher.update(privateKeyDer);
  return Buffer.concat([nonce, text, cipher.final(), cipher.getAuthTag()]);
}

/**
 * Encrypts a private key with the first of the accepted keys.
 *
 * @returns undefined if it is, or if none of them decrypts it
 */
export function reencrypt(key: StoredKey, { accepted: [first, ...others] }: DerivedKeys): Buffer | undefined {
  if (!first || decryptWith(key, first)) return undefined;
  for (const other of others) {
    const der = decryptWith(key, other);
    if (der) return encrypt(key.id, der, first);
  }
  return undefined;
}

/** Undefined if it was encrypted with another server key. */
function decrypt(key: StoredKey, { accepted }: DerivedKeys): KeyObject | undefined {
  for (const encryptionKey of accepted) {
    const der = decryptWith(key, encryptionKey);
    if (der) return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  }
  return undefined;
}

function decryptWith(
  { id, privateKeyEncrypted: encrypted }: StoredKey,
  encryptionKey: KeyObject,
): Buffer | undefined {
  const nonce = encrypted.subarray(0, nonceBytes);
  const tag = encrypted.subarray(-tagBytes);
  try {
    const decipher = createDecipheriv('aes-256-gcm', encryptionKey, nonce, { authTagLength: tagBytes })
      .setAAD(Buffer.from(id))
      .setAuthTag(tag);
    return Buffer.concat([decipher.update(encrypted.subarray(nonceBytes, -tagBytes)), decipher.final()]);
  } catch {
    return undefined;
  }
}
