import type { Writable } from 'node:stream';
import { decodeExtended } from 'content-disposition';
import { parseMediaType, parseParameters, unknownMediaType } from './media-types.ts';

/** The headers of a part: names in lower case, values in Latin-1 as sent. */
export type PartHeaders = Readonly<Record<string, readonly string[]>>;

/** A part of a form, as its headers describe it. */
export interface Part {
  name: string;
  /** Undefined if it is no file, null if its bytes are not UTF-8. */
  fileName: string | null | undefined;
  /** As declared. */
  contentType: string | undefined;
  /** The label of the charset of a text. Default: UTF-8 (RFC 7578, section 5.1.2). */
  charset: string;
}

/**
 * Reads the headers of a part.
 *
 * @returns with the part, the same headers in the one form that busboy reads unambiguously: it refuses empty parameters
 *   and an unreadable `filename*`, and decodes texts by tables of its own. Texts stay bytes, as Latin-1. Undefined if
 *   the part is not described as part of a form.
 */
export function readPart(headers: PartHeaders): { part: Part; plain: PartHeaders } | undefined {
  const disposition = parseParameters(headers['content-disposition']?.[0]?.trim() ?? '');
  if (disposition?.value !== 'form-data') return undefined;
  const { parameters } = disposition;
  const [name = '', fileName] = [parameters.get('name'), fileNameOf(parameters)];
  if (fileName === undefined && parameters.has('filename*')) return undefined;
  const contentType = headers['content-type']?.[0]?.trim();
  const type = parseMediaType(contentType ?? '');
  const charset = type?.parameters.get('charset') ?? 'utf-8';
  const isFile = fileName !== undefined || type?.value === unknownMediaType;
  const named = `form-data; name="${name.replaceAll(/["\\]/g, '\\$&')}"`;
  return {
    part: { name: withoutEscapes(utf8(name) ?? name), fileName, contentType, charset },
    plain: {
      'content-disposition': [
        fileName === undefined ? named : `${named}; filename="${fileName === '' ? '' : 'file'}"`,
      ],
      'content-type': [isFile ? unknownMediaType : 'text/plain; charset=latin1'],
    },
  };
}

/** RFC 8187, section 3.2.1. */
const extended = /^(?:utf-8|iso-8859-1)'[a-z0-9-]*'(?:%[0-9a-f]{2}|[a-z0-9!#$&+.^_`|~-])+$/i;

/** RFC 6266, section 4.3: `filename*` precedes `filename`, unless it cannot be decoded. */
function fileNameOf(parameters: ReadonlyMap<string, string>): Part['fileName'] {
  const encoded = parameters.get('filename*') ?? '';
  const decoded = extended.test(encoded) ? decodeExtended(encoded) : undefined;
  if (decoded !== undefined) return decoded;
  const name = parameters.get('filename');
  if (name === undefined) return undefined;
  const text = utf8(name);
  return text === undefined ? null : withoutEscapes(text);
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Bytes that were read as Latin-1, as UTF-8. */
function utf8(bytes: string): string | undefined {
  try {
    return decoder.decode(Buffer.from(bytes, 'latin1'));
  } catch {
    return undefined;
  }
}

/** The three escapes of browsers (HTML, section 4.10.21.8). */
function withoutEscapes(text: string): string {
  return text.replaceAll(/%(?:22|0a|0d)/gi, decodeURIComponent);
}

interface Parser extends Writable {
  _hparser: HeaderParser | null;
  _bparser: Search;
  _complete: boolean;
}
interface HeaderParser {
  cb(headers: PartHeaders): void;
}
interface Search {
  /** Takes bytes, which a boundary follows if `isMatch`. */
  _cb(isMatch: boolean, bytes: Buffer | undefined, start: number, end: number, isSafe: boolean): void;
}

/** What the parser has found so far. */
export interface PartCount {
  /** Boundaries, including the last. */
  boundaries: number;
  /** Parts with well-formed headers. */
  parts: number;
}

/**
 * Passes the headers of each part to `read`, and what it returns to busboy. busboy passes on the name and half of the
 * media type only, silently drops a part without a name and text after a boundary, and replaces a malformed media type
 * by text/plain. It has no hook for this, so this code wraps its internal parser. busboy 1.6.0 is its last
 * release, and test/files/uploads.test.ts fails if the internals change.
 *
 * @param read must not throw
 */
export function watchPartHeaders(busboy: Writable, read: (headers: PartHeaders) => PartHeaders): PartCount {
  const parser = busboy as Parser;
  const count: PartCount = { boundaries: 0, parts: 0 };
  watchBoundaries(parser, count);
  const watch = (headerParser: HeaderParser) => {
    const pass = headerParser.cb;
    headerParser.cb = (headers) => {
      count.parts++;
      pass(read(headers));
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

const [tab, space, carriageReturn] = [0x09, 0x20, 0x0d];
const otherText = Buffer.from(' ');

/**
 * Reads delimiters by RFC 2046, section 5.1.1. Spaces and tabs may follow a boundary before the line ends, which busboy
 * takes for text. What follows the last boundary is ignored; busboy reads it to the end of the chunk.
 */
function watchBoundaries(parser: Parser, count: PartCount): void {
  const search = parser._bparser;
  const pass = search._cb;
  let isBehindBoundary = false;
  let isPadded = false;
  search._cb = (isMatch, bytes, start, end, isSafe) => {
    if (parser._complete) return;
    let from = start;
    if (isBehindBoundary && bytes) {
      for (; from < end && (bytes[from] === space || bytes[from] === tab); from++) isPadded = true;
      if (from < end) {
        if (isPadded && bytes[from] !== carriageReturn) pass(false, otherText, 0, 1, true);
        isBehindBoundary = false;
      }
    }
    pass(isMatch, bytes, from, end, isSafe);
    if (!isMatch || parser._complete) return;
    count.boundaries++;
    [isBehindBoundary, isPadded] = [true, false];
  };
}
