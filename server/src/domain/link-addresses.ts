import { createHash, type KeyObject } from 'node:crypto';
import { idInLinkToken, linkToken } from './link-tokens.ts';

/** Where the pages of links are on the server itself. */
export const linkPath = '/links';

/** Where the links of one environment lead. */
export interface LinkAddresses {
  /** What comes before the token and a slash. */
  baseUrl: string;
  /** The address of a link, made anew out of its identifier each time. */
  of(linkId: string): string;
  /** The identifier of the link that an address is of. @throws where it is no address of a link */
  idIn(address: string): string;
  /** The only thing that is stored of a link's secret. */
  digestOf(linkId: string): Buffer;
}

/** @param baseUrl what comes before the token and a slash, such as `https://go.example.com` */
export function linkAddresses({ key, baseUrl }: { key: KeyObject; baseUrl: string }): LinkAddresses {
  return {
    baseUrl,
    of: (linkId) => `${baseUrl}/${linkToken(key, 'start', linkId)}`,
    idIn(address) {
      const id = idInLinkToken(tokenIn(address));
      if (!id) throw new Error('This is no address of a link.');
      return id;
    },
    digestOf: (linkId) => linkDigest(linkToken(key, 'start', linkId)),
  };
}

/** What is stored of a token: it cannot be told back from this. */
export function linkDigest(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** The token at the end of an address, or the text itself where it is none. */
export function tokenIn(address: string): string {
  const path = address.replace(/[?#].*$/s, '').replace(/\/+$/, '');
  return path.slice(path.lastIndexOf('/') + 1);
}
