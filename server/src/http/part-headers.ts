import type { Writable } from 'node:stream';

/** The headers of one part of a form: names in lower case, values as they came, in Latin-1. */
export type PartHeaders = Readonly<Record<string, readonly string[]>>;

interface Parser extends Writable {
  _hparser: HeaderParser | null;
  _bparser: { matches: number };
}
interface HeaderParser {
  cb(headers: PartHeaders): void;
}

/** What the parser has met so far. */
export interface PartCount {
  /** Boundaries, the last one included. */
  boundaries(): number;
  /** Parts whose headers were well-formed. */
  parts: number;
}

/**
 * Shows the headers of each part before busboy reads them. busboy tells of a part its name and half of its
 * media type; it drops what it cannot read (a part without a name, text behind a boundary) without a word,
 * and turns a malformed media type into text/plain. It has no seam for this, so its parser is watched from
 * inside; busboy 1.6.0 is its last release, and `test/files/uploads.test.ts` notices if this moves.
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
