import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';

/** What a link can be to. */
export type SignedKind = 'attachment' | 'result';

/** What a signature vouches for: this may be fetched by whoever has the link until then. */
export interface UrlClaim {
  kind: SignedKind;
  id: string;
  /** Unix time in whole seconds, as decimal digits. */
  expires: string;
}

/** The signature of a link: HMAC-SHA-256 in base64url. */
export function urlSignature(key: KeyObject | Buffer, { kind, id, expires }: UrlClaim): string {
  // The first line keeps what is signed here apart from anything else signed with the same key.
  return createHmac('sha256', key).update(`${kind}-link\n${id}\n${expires}`).digest('base64url');
}

/**
 * Judges a link that was presented, in time that does not depend on the signature.
 *
 * - `forged`: we never signed this
 * - `expired`: we did, and its time is over (the second that it names is the first without it)
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
