import { randomBytes } from 'node:crypto';

export * from 'node:crypto';

/** A UUID of version 7 (RFC 9562, section 5.7): a time in milliseconds, then random. */
export function randomUUIDv7(): string {
  const time = Date.now().toString(16).padStart(12, '0');
  const random = randomBytes(10).toString('hex');
  return `${time}${random}`.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-7$3-a$4-$5');
}
