import { createECDH, createPrivateKey, createPublicKey, hkdfSync, type KeyObject } from 'node:crypto';
import type { SigningKey } from '../../server/src/domain/webhooks.ts';

/** A key whose public half the mock serves. */
export interface MockWebhookKey extends SigningKey {
  publicKey: KeyObject;
}

/**
 * The keys that `npm run mock:webhook` signs with. They are derived from constants, so that it and every mock have the
 * same ones. They are not secret, and no platform knows them.
 */
export const webhookKeys = {
  current: keyNamed('6d6f636b-0000-4000-8000-000000000001'),
  /** What receivers see after the platform has rotated its keys. */
  rotated: keyNamed('6d6f636b-0000-4000-8000-000000000002'),
};

/** A key that the mock does not serve: for the receiver it does not exist. */
export const unservedKey = keyNamed('6d6f636b-0000-4000-8000-0000000000ff');

/**
 * What the key endpoint returns for one of these keys, in the contract's two formats.
 *
 * @returns undefined for any other key
 */
export function servedWebhookKey(kid: string): { der: string; pem: string } | undefined {
  const key = Object.values(webhookKeys).find((one) => one.kid === kid.toLowerCase());
  if (!key) return undefined;
  return {
    der: key.publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
    pem: key.publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  };
}

function keyNamed(kid: string): MockWebhookKey {
  const curve = createECDH('prime256v1');
  // Any 32 bytes below the order of the curve are a private key, and nearly all are.
  curve.setPrivateKey(Buffer.from(hkdfSync('sha256', 'wrp mock', '', `webhook key ${kid}`, 32)));
  const [x, y] = [curve.getPublicKey().subarray(1, 33), curve.getPublicKey().subarray(33)];
  const d = curve.getPrivateKey();
  const text = (bytes: Buffer) => bytes.toString('base64url');
  const key = { kty: 'EC', crv: 'P-256', d: text(d), x: text(x), y: text(y) };
  const privateKey = createPrivateKey({ format: 'jwk', key });
  return { kid, privateKey, publicKey: createPublicKey(privateKey) };
}
