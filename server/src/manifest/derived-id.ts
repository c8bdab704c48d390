import { createHash } from 'node:crypto';
import { uuidOf } from '../domain/identifiers.ts';

// RFC 9562 requires a namespace of our own. It was generated once and must never change.
const namespace = Buffer.from('5c1f8e0b7d3a4f26a9d4e2b6c8071f35', 'hex');

/**
 * Derives the id of an object for which the platform file has none: a UUIDv5 (RFC 9562) of its location and name, so
 * that the same file creates the same ids everywhere.
 */
export function derivedId(...parts: string[]): string {
  const digest = createHash('sha1').update(namespace).update(JSON.stringify(parts)).digest().subarray(0, 16);
  digest[6] = ((digest[6] as number) & 0x0f) | 0x50;
  digest[8] = ((digest[8] as number) & 0x3f) | 0x80;
  return uuidOf(digest);
}
