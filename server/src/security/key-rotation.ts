import type { EnvironmentName } from '../config.ts';
import { accessTokenSeconds, refreshIdleSeconds } from '../domain/bearer-tokens.ts';
import { resultMinutes } from '../http/signed-urls.ts';
import { auditChange } from '../store/audit.ts';
import { databaseTime } from '../store/clock.ts';
import type { Database } from '../store/database.ts';
import { findKeyFingerprint, replaceKeyFingerprint } from '../store/key-fingerprints.ts';
import { lastEnds, processesOf } from '../store/key-rotation.ts';
import { reencryptKeys } from '../store/webhook-keys.ts';
import { reencrypt } from '../webhooks/signing-keys.ts';
import { retentionMilliseconds } from '../workflows/ending.ts';
import { boundKey, deriveKey, fingerprintOf, keyName, type ServerKey } from './server-key.ts';

/** When the last of each kind ends that the previous key has signed; null: there is none. */
export type PreviousEnds = Record<
  'accessTokens' | 'signedUrls' | 'refreshTokens' | 'links' | 'callbacks' | 'progressPages',
  Date | null
>;

export type KeyRotation =
  | { kind: 'rotated'; webhookKeys: number; ends: PreviousEnds }
  | { kind: 'was_rotated'; webhookKeys: number };

/** Processes of the platform that would refuse what the new key signs. */
export async function processesWithoutKey(database: Database, key: Buffer): Promise<string[]> {
  return (await processesOf(database)).filter((name) => !name.includes(keyName(key)));
}

/**
 * Binds the database of an environment to the server key in place of the previous one: what is stored encrypted is
 * encrypted with it, and within seconds all processes sign with it. They still accept the previous one.
 *
 * @throws KeyBindingError if the database is bound to neither
 */
export async function rotateServerKey(
  transaction: Database,
  environment: EnvironmentName,
  serverKey: ServerKey,
  { attachmentLinkMinutes }: { attachmentLinkMinutes: number },
): Promise<KeyRotation> {
  const [key] = serverKey.accepted as [Buffer];
  const stored = await findKeyFingerprint(transaction);
  const wasRotated = stored !== undefined && boundKey(serverKey.accepted, stored) === key;
  const encryptionKeys = deriveKey(serverKey, environment, 'webhook-keys');
  const webhookKeys = await reencryptKeys(transaction, (each) => reencrypt(each, encryptionKeys));
  if (wasRotated) return { kind: 'was_rotated', webhookKeys };
  await replaceKeyFingerprint(transaction, fingerprintOf(key));
  auditChange(transaction, { object: { kind: 'server key', id: keyName(key) } });
  const now = await databaseTime(transaction);
  const after = (seconds: number) => new Date(now.getTime() + seconds * 1000);
  const ends = {
    accessTokens: after(accessTokenSeconds),
    signedUrls: after(Math.max(attachmentLinkMinutes, resultMinutes) * 60),
    refreshTokens: after(refreshIdleSeconds),
    ...(await lastEnds(transaction, now, retentionMilliseconds)),
  };
  return { kind: 'rotated', webhookKeys, ends };
}
