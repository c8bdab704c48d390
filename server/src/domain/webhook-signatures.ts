import { type KeyObject, sign } from 'node:crypto';

/** The accepted difference between `iat` and the receiver's clock. */
export const signatureWindowMilliseconds = 5 * 60_000;

/** A signing key; receivers fetch its public key by `kid`. */
export interface SigningKey {
  kid: string;
  privateKey: KeyObject;
}

/**
 * Signs the body of a webhook: a detached JWS (RFC 7515, appendix F) with ES256, whose signature is 64 bytes (RFC
 * 7518, section 3.4). Decision 22.
 *
 * @param at the time of signing; the signature contains whole seconds
 * @returns the value of `Webhook-Signature`
 */
export function signWebhook(body: Buffer, { kid, privateKey }: SigningKey, at: Date): string {
  const header = { alg: 'ES256', kid, iat: Math.floor(at.getTime() / 1000) };
  const head = Buffer.from(JSON.stringify(header)).toString('base64url');
  const input = Buffer.from(`${head}.${body.toString('base64url')}`);
  const signature = sign('sha256', input, { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return `${head}..${signature.toString('base64url')}`;
}
