import { createHash, type KeyObject } from 'node:crypto';
import { idInLinkToken, linkToken } from './link-tokens.ts';

/** The path of link pages. */
export const linkPath = '/links';

export type LinkAddresses = ReturnType<typeof linkAddresses>;

/**
 * The URLs of single-use links of one environment.
 *
 * @param baseUrl the URL before the slash and the token, such as `https://go.example.com`
 */
export function linkAddresses({ key, baseUrl }: { key: KeyObject; baseUrl: string }) {
  return {
    baseUrl,
    /** The URL of a link, recomputed from its identifier. */
    of: (linkId: string) => `${baseUrl}/${linkToken(key, 'start', linkId)}`,
    /** The identifier in a link URL. @throws if it is not a link URL */
    idIn(address: string) {
      const id = idInLinkToken(tokenIn(address));
      if (!id) throw new Error('This is no address of a link.');
      return id;
    },
    /** The digest of a link's secret; nothing else of the secret is stored. */
    digestOf: (linkId: string) => linkDigest(linkToken(key, 'start', linkId)),
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
