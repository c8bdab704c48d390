import { hash } from 'node:crypto';

/** The strong entity tag of a JSON representation (RFC 9110, section 8.8.3): a digest of its text. */
export function entityTag(text: string): string {
  return `"${hash('sha256', text, 'base64url')}"`;
}

/**
 * The precondition of an `If-Match` header (RFC 9110, section 13.1.1: strong comparison): whether a representation is one
 * that it names.
 */
export function ifMatch(header: string): (representation: unknown) => boolean {
  const tags = tagsOf(header);
  return (representation) => tags === '*' || tags.includes(entityTag(JSON.stringify(representation)));
}

/** Why an `If-Match` header matches no version at all, as a sentence; undefined if it can match one. */
export function ifMatchMistake(header: string): string | undefined {
  const tags = tagsOf(header);
  if (tags === '*' || tags.some((tag) => !tag.startsWith('W/'))) return undefined;
  return tags.length === 0
    ? 'If-Match must be an ETag in double quotes, as sent in the response.'
    : 'If-Match must be a strong ETag: send the ETag of the response without W/.';
}

/** Whether an `If-None-Match` header names this version (RFC 9110, section 13.1.2: weak comparison). */
export function isAmong(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  const tags = tagsOf(header);
  return tags === '*' || tags.some((tag) => tag.replace(/^W\//, '') === etag);
}

const tag = '(?:W/)?"[!#-~\\x80-\\uffff]*"';
const list = new RegExp(`^[ \\t]*(?:${tag}[ \\t]*)?(?:,[ \\t]*(?:${tag}[ \\t]*)?)*$`);
const tags = new RegExp(tag, 'g');

/** The tags of a list, whose elements may be empty (RFC 9110, section 5.6.1). A malformed list has none. */
function tagsOf(header: string): '*' | readonly string[] {
  if (header === '*') return header;
  return list.test(header) ? (header.match(tags) ?? []) : [];
}
