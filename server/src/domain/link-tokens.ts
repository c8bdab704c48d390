import { createHash, createHmac, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto';
import type { DerivedKeys } from './derived-keys.ts';
import { uuidOf } from './identifiers.ts';

/**
 * What a token permits: to start a workflow once, or to follow the execution. A token for one use is invalid for
 * the other.
 */
export type LinkTokenUse = 'start' | 'progress';

const idBytes = 16;

/** The form of a token: 16 bytes of identifier and 32 bytes of HMAC, base64url. */
export const linkTokenPattern = /^[A-Za-z0-9_-]{64}$/;

/**
 * Creates the token of an object: its identifier and an HMAC-SHA-256 of it. It can be recomputed at any time, so
 * it is not stored.
 *
 * @param id a UUID
 */
export function linkToken(key: KeyObject, use: LinkTokenUse, id: string): string {
  const bytes = Buffer.from(id.replaceAll('-', ''), 'hex');
  if (bytes.length !== idBytes) throw new Error(`not a UUID: ${id}`);
  // The first line separates the uses of the key.
  const secret = createHmac('sha256', key).update(`link-${use}\n`).update(bytes).digest();
  return Buffer.concat([bytes, secret]).toString('base64url');
}

/** The identifier in a token, unverified; undefined if it is malformed. */
export function idInLinkToken(token: string): string | undefined {
  if (!linkTokenPattern.test(token)) return undefined;
  return uuidOf(Buffer.from(token, 'base64url'));
}

/** The verified identifier of a token; undefined unless it was created here for this use. Takes constant time. */
export function verifiedId({ accepted }: DerivedKeys, use: LinkTokenUse, token: string): string | undefined {
  const id = idInLinkToken(token);
  if (!id) return undefined;
  const given = Buffer.from(token);
  return accepted.some((key) => timingSafeEqual(given, Buffer.from(linkToken(key, use, id))))
    ? id
    : undefined;
}

/**
 * The token in the form of a link page: identifies the view of the page and proves that this server rendered it
 * for this link.
 */
export function formToken(
  key: KeyObject,
  linkId: string,
  view = randomBytes(16).toString('base64url'),
): string {
  const proof = createHmac('sha256', key).update(`link-form\n${linkId}\n${view}`).digest('base64url');
  return `${view}.${proof}`;
}

/** The view that a form was submitted from; undefined if its token is not valid for this link. */
export function viewOfForm({ accepted }: DerivedKeys, linkId: string, token: string): string | undefined {
  const [, view] = /^([A-Za-z0-9_-]{22})\.[A-Za-z0-9_-]{43}$/.exec(token) ?? [];
  if (!view) return undefined;
  const given = Buffer.from(token);
  return accepted.some((key) => timingSafeEqual(given, Buffer.from(formToken(key, linkId, view))))
    ? view
    : undefined;
}

/** The path of link pages. */
export const linkPath = '/links';

export type LinkAddresses = ReturnType<typeof linkAddresses>;

/**
 * The URLs of single-use links of one environment.
 *
 * @param baseUrl the URL before the slash and the token, such as `https://go.example.com`
 */
export function linkAddresses({ keys, baseUrl }: { keys: DerivedKeys; baseUrl: string }) {
  return {
    baseUrl,
    /** The URL of a new link. */
    create: (linkId: string) => `${baseUrl}/${linkToken(keys.current, 'start', linkId)}`,
    /** The URL of a link, recomputed from its identifier. @returns undefined if the digest is that of another key */
    of(linkId: string, digest: Buffer): string | undefined {
      const tokens = keys.accepted.map((key) => linkToken(key, 'start', linkId));
      const token = tokens.find((each) => linkDigest(each).equals(digest));
      return token && `${baseUrl}/${token}`;
    },
    /** The digest of the secret in a link URL; nothing else of the secret is stored. */
    digestOf: (address: string) => linkDigest(tokenIn(address)),
  };
}

/** The stored digest of a token, from which it cannot be recovered. */
export function linkDigest(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** The token in a URL, or the string itself if it is no URL. */
export function tokenIn(address: string): string {
  const path = address.replace(/[?#].*$/s, '').replace(/\/+$/, '');
  return path.slice(path.lastIndexOf('/') + 1);
}
