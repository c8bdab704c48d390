import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const form = /^tot_([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/;

/**
 * Makes an organization token: `tot_`, 32 base62 characters of randomness (190 bits) and a checksum of 6.
 * The checksum lets a leak scanner, and this server, tell a token from a look-alike without asking anyone.
 */
export function newOrganizationToken(): string {
  const secret = Array.from({ length: 32 }, () => alphabet[randomInt(alphabet.length)]).join('');
  return `tot_${secret}${checksum(secret)}`;
}

/** Whether a text has the form of an organization token, its checksum included. */
export function isOrganizationToken(text: string): boolean {
  const parts = form.exec(text);
  return parts !== null && checksum(parts[1] as string) === parts[2];
}

/** What is stored of a secret that this platform made itself: enough randomness needs no slow hash. */
export function secretDigest(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

/** CRC-32 in six base62 digits: 62^6 holds all of its 2^32 values. */
function checksum(secret: string): string {
  let rest = crc32(secret);
  let digits = '';
  for (let place = 0; place < 6; place++) {
    digits = alphabet[rest % 62] + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}
