import { createHash } from 'node:crypto';
import { uuidOf } from '../domain/identifiers.ts';

// RFC 9562 wants a namespace that is the deriver's own: this one was drawn once and must never change.
const namespace = Buffer.from('5c1f8e0b7d3a4f26a9d4e2b6c8071f35', 'hex');

/**
 * The identifier of a thing that the platform file gives none: a UUID of version 5 (RFC 9562) over where the thing is
 * and what it is called, so that the same file means the same rows everywhere.
 */
export function derivedId(...place: string[]): string {
  const digest = createHash('sha1').update(namespace).update(JSON.stringify(place)).digest().subarray(0, 16);
  digest[6] = ((digest[6] as number) & 0x0f) | 0x50;
  digest[8] = ((digest[8] as number) & 0x3f) | 0x80;
  return uuidOf(digest);
}
