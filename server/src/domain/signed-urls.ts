import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';

/** What a signed URL can refer to. */
export type SignedKind = 'attachment' | 'result';

/** What a signature covers: the file may be fetched by anyone who has the URL until then. */
export interface UrlClaim {
  kind: SignedKind;
  id: string;
  /** Unix time in whole seconds, as decimal digits. */
  expires: string;
}

/** The signature: HMAC-SHA-256 in base64url. */
export function urlSignature(key: KeyObject | Buffer, { kind, id, expires }: UrlClaim): string {
  // The first line separates these signatures from others of the same key.
  return createHmac('sha256', key).update(`${kind}-link\n${id}\n${expires}`).digest('base64url');
}

/**
 * Verifies a signature in constant time.
 *
 * - `forged`: not signed here
 * - `expired`: signed here, but the second in `expiresAt` has begun
 */
export function judgeUrl(
  key: KeyObject | Buffer,
  claim: UrlClaim,
  signature: string,
  now: Date,
): 'valid' | 'expired' | 'forged' {
  const expected = Buffer.from(urlSignature(key, claim));
  const given = Buffer.from(signature);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return 'forged';
  return now.getTime() < Number(claim.expires) * 1000 ? 'valid' : 'expired';
}
