import { createHmac, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto';
import { uuidOf } from './identifiers.ts';

/**
 * What a token lets its holder do: start a workflow once, or follow the execution that was started. A token
 * of one use is none of the other.
 */
export type LinkTokenUse = 'start' | 'progress';

const idBytes = 16;

/** What a token looks like: 16 bytes of identifier and 32 of secret as base64url. */
export const linkTokenPattern = /^[A-Za-z0-9_-]{64}$/;

/**
 * The token of an object: its identifier, and 256 bits that only we can make of it (HMAC-SHA-256). It can be
 * made again at any time, so nobody has to keep it.
 *
 * @param id a UUID
 */
export function linkToken(key: KeyObject, use: LinkTokenUse, id: string): string {
  const bytes = Buffer.from(id.replaceAll('-', ''), 'hex');
  if (bytes.length !== idBytes) throw new Error(`not a UUID: ${id}`);
  // The first line keeps the uses apart, whatever else the key is used for.
  const secret = createHmac('sha256', key).update(`link-${use}\n`).update(bytes).digest();
  return Buffer.concat([bytes, secret]).toString('base64url');
}

/** The identifier that a token claims; undefined where it is no token at all. Proves nothing. */
export function idInLinkToken(token: string): string | undefined {
  if (!linkTokenPattern.test(token)) return undefined;
  return uuidOf(Buffer.from(token, 'base64url'));
}

/** The identifier that a token is for; undefined unless we made it for this use. Takes the same time always. */
export function verifiedId(key: KeyObject, use: LinkTokenUse, token: string): string | undefined {
  const id = idInLinkToken(token);
  if (!id) return undefined;
  const expected = Buffer.from(linkToken(key, use, id));
  return timingSafeEqual(Buffer.from(token), expected) ? id : undefined;
}

/**
 * What a page of a link carries in its form: which view of the page it is, and the proof that we made it for
 * this link. A form without it was not made by us.
 */
export function formToken(
  key: KeyObject,
  linkId: string,
  view = randomBytes(16).toString('base64url'),
): string {
  const proof = createHmac('sha256', key).update(`link-form\n${linkId}\n${view}`).digest('base64url');
  return `${view}.${proof}`;
}

/** The view of the page that a form was on; undefined where its token was not made for this link. */
export function viewOfForm(key: KeyObject, linkId: string, token: string): string | undefined {
  const [, view] = /^([A-Za-z0-9_-]{22})\.[A-Za-z0-9_-]{43}$/.exec(token) ?? [];
  if (!view) return undefined;
  return timingSafeEqual(Buffer.from(token), Buffer.from(formToken(key, linkId, view))) ? view : undefined;
}
