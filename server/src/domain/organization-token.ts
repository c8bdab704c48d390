import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const prefix = 'tot_';
/** How the fixed tokens of the mock (scripts/mock) begin. A random token begins so once in 15 million. */
export const mockTokenPrefix = `${prefix}Mock`;
const checksumLength = 6;
const form = /^tot_[0-9A-Za-z]{38}$/;

/**
 * Creates an organization token: `tot_`, 32 random base62 characters (190 bits) and a checksum of 6. The checksum
 * lets this server and leak scanners recognize a token without a lookup.
 */
export function newOrganizationToken(): string {
  const secret = Array.from({ length: 32 }, () => alphabet[randomInt(alphabet.length)]).join('');
  return `${prefix}${secret}${checksum(secret)}`;
}

/** Whether a string has the form and checksum of an organization token. */
export function isOrganizationToken(text: string): boolean {
  return form.test(text) && text.endsWith(checksum(text.slice(prefix.length, -checksumLength)));
}

/** The stored digest of a generated secret, whose randomness makes a slow hash unnecessary. */
export function secretDigest(secret: string): Buffer {
  // A third of the time of a digest as a buffer, which is memory outside of the heap.
  return Buffer.from(hash('sha256', secret, 'hex'), 'hex');
}

/** CRC-32 in six base62 digits (62^6 > 2^32). */
function checksum(secret: string): string {
  let rest = crc32(secret);
  let digits = '';
  for (let place = 0; place < checksumLength; place++) {
    digits = alphabet[rest % 62] + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}
