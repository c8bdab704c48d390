import type { Writable } from 'node:stream';

/** The headers of a part: names in lower case, values in Latin-1 as sent. */
export type PartHeaders = Readonly<Record<string, readonly string[]>>;

interface Parser extends Writable {
  _hparser: HeaderParser | null;
  _bparser: { matches: number };
}
interface HeaderParser {
  cb(headers: PartHeaders): void;
}

/** What the parser has found so far. */
export interface PartCount {
  /** Boundaries, including the last. */
  boundaries(): number;
  /** Parts with well-formed headers. */
  parts: number;
}

/**
 * Reports the headers of each part before busboy interprets them. busboy passes on the name and half of the media
 * type only, silently drops a part without a name and text after a boundary, and replaces a malformed media type
 * by text/plain. It has no hook for this, so this code wraps its internal parser. busboy 1.6.0 is its last
 * release, and test/files/uploads.test.ts fails if the internals change.
 *
 * @param show must not throw
 */
export function watchPartHeaders(busboy: Writable, show: (headers: PartHeaders) => void): PartCount {
  const parser = busboy as Parser;
  const search = parser._bparser;
  const count: PartCount = { boundaries: () => search.matches, parts: 0 };
  const watch = (headerParser: HeaderParser) => {
    const read = headerParser.cb;
    headerParser.cb = (headers) => {
      count.parts++;
      show(headers);
      read(headers);
    };
  };
  let watched = false;
  let current: HeaderParser | null = null;
  Object.defineProperty(parser, '_hparser', {
    get: () => current,
    set: (next: HeaderParser | null) => {
      if (next && !watched) watch(next);
      watched ||= next !== null;
      current = next;
    },
  });
  return count;
}
