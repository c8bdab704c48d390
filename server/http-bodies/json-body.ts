import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import {
  bodyProblem,
  type ErrorCode,
  type Problem,
  problemLimit,
  Refused,
  refuse,
} from '../contract/index.ts';
import { pointerTo, textProblem } from '../json/index.ts';
import { arrivalTimeout } from './arrival-timeout.ts';
import { excessOf, type JsonAllowance, jsonAllowance } from './json-scan.ts';
import { requestMediaType } from './media-types.ts';

/** Maximum size of a JSON body, in bytes. */
export const jsonBodyLimit = 1 << 20;

/** Only such an escape can encode NUL or a lone surrogate in well-formed UTF-8. */
const badText = /\\u(?:0000|d[89a-f])/i;
/**
 * Only such a number can exceed the range of a double. The lookbehind counts each run of digits once; without it,
 * a body of long numbers takes 200 times as long.
 */
const hugeNumber = /\d[eE]\+?\d\d|(?<!\d)\d{200}/;

export interface ReadJson {
  value: unknown;
  /** Texts and numbers in the value that cannot be stored. */
  problems: Problem[];
}

/**
 * Reads a JSON body of bounded size and depth, in UTF-8 (RFC 8259, section 8.1). A body that is too large is refused
 * without reading the rest.
 *
 * @param idleMs how long the client may pause, see `arrivalTimeout`
 * @param limit maximum size in bytes
 * @throws Refused 400 `body_malformed`, `body_invalid` or `request_malformed`, 408 `request_timeout`, 413
 *   `body_too_large`, 415 `content_type_unsupported`
 */
export async function readJson(
  request: IncomingMessage,
  idleMs: number,
  limit = jsonBodyLimit,
): Promise<ReadJson> {
  refuseByHeaders(request.headers, limit);
  return parse(await receiveBytes(request, idleMs, limit), jsonAllowance());
}

/** @throws Refused 415 `content_type_unsupported` unless the body of a request is JSON */
export function assertJson(headers: IncomingHttpHeaders): void {
  if (requestMediaType(headers['content-type'])?.value !== 'application/json')
    throw new Refused(refuse(415, 'content_type_unsupported'));
  assertNotEncoded(headers);
}

/**
 * @throws Refused 415 `content_type_unsupported` if the body has a content coding. The response names the one that is
 *   accepted (RFC 9110, section 15.5.16).
 */
export function assertNotEncoded({ 'content-encoding': encoding }: IncomingHttpHeaders): void {
  if (encoding === undefined || /^(?:identity|[, \t])*$/i.test(encoding)) return;
  const message = 'The body must not be compressed: send it without Content-Encoding.';
  throw new Refused(refuse(415, 'content_type_unsupported', { message }), { 'Accept-Encoding': 'identity' });
}

/** Reads a JSON body, and refuses what cannot be stored: 400 `body_invalid`. */
export async function readJsonBody(request: IncomingMessage, idleMs: number): Promise<unknown> {
  return storable(await readJson(request, idleMs));
}

/**
 * Parses untrusted JSON by the same rules.
 *
 * @param allowance shared by the texts of one request
 * @throws Refused 400 `body_malformed` or `body_invalid`
 */
export function parseJson(bytes: Buffer, allowance = jsonAllowance()): unknown {
  return storable(parse(bytes, allowance));
}

function storable({ value, problems }: ReadJson): unknown {
  if (problems.length > 0) throw new Refused({ status: 400, errors: problems });
  return value;
}

function parse(bytes: Buffer, allowance: JsonAllowance): ReadJson {
  if (!isUtf8(bytes)) throw refused(400, 'body_malformed', 'The body is not UTF-8.');
  const excess = excessOf(bytes, allowance);
  if (excess) throw refused(400, 'body_invalid', excess);
  const text = bytes.toString();
  const problems: Problem[] = [];
  try {
    const value = JSON.parse(text);
    if (badText.test(text) || hugeNumber.test(text)) findUnstorable(value, [], problems);
    return { value, problems };
  } catch {
    throw malformed(text);
  }
}

/** Longer bodies are not searched for their error. One of this length takes a millisecond. */
const longestSearched = 1 << 14;

/** The refusal of malformed JSON: it has the place of the first error, and nothing of the text. */
function malformed(text: string): Refused {
  if (text.length > longestSearched) return new Refused(refuse(400, 'body_malformed'));
  let [valid, wrong] = [0, text.length + 1];
  while (wrong - valid > 1) {
    const middle = (valid + wrong) >> 1;
    if (isBeginning(text.slice(0, middle))) valid = middle;
    else wrong = middle;
  }
  const lines = text.slice(0, valid).split('\n');
  const what = valid === text.length ? 'end' : 'character';
  const place = `line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`;
  return refused(400, 'body_malformed', `The body is not valid JSON: unexpected ${what} at ${place}.`);
}

/** Whether JSON.parse finds no error before the end. */
function isBeginning(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    const { message } = error as Error;
    return (
      message.endsWith('end of JSON input') || / at position (\d+)/.exec(message)?.[1] === `${text.length}`
    );
  }
}

function refused(status: number, code: ErrorCode, message: string): Refused {
  return new Refused(refuse(status, code, { message }));
}

const tooLarge = (limit: number) =>
  refused(413, 'body_too_large', `The body is larger than ${bytesOf(limit)}.`);

function refuseByHeaders(headers: IncomingHttpHeaders, limit: number): void {
  const charset = requestMediaType(headers['content-type'])?.parameters.get('charset');
  if (charset !== undefined && !/^utf-?8$/i.test(charset))
    throw refused(415, 'content_type_unsupported', 'A JSON body is UTF-8.');
  if (Number(headers['content-length'] ?? 0) > limit) throw tooLarge(limit);
}

/**
 * Reads a body of at most `limit` bytes. After a refusal the rest stays unread; the caller decides what happens
 * to the connection.
 *
 * @throws Refused 400 `request_malformed`, 408 `request_timeout`, 413 `body_too_large`
 */
export async function receiveBytes(
  request: IncomingMessage,
  idleMs: number,
  limit = jsonBodyLimit,
): Promise<Buffer> {
  // Most bodies have arrived by the time their caller is identified.
  if (request.complete && request.readableLength > 0 && request.readableLength <= limit) {
    const chunks: Buffer[] = [];
    for (let chunk = request.read(); chunk !== null; chunk = request.read()) chunks.push(chunk);
    return Buffer.concat(chunks);
  }
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const end = (refusal?: Refused) => {
      idle.end();
      request.off('data', arrived).off('end', complete).off('close', brokenOff).off('error', brokenOff);
      if (refusal) reject(refusal);
      else resolve(Buffer.concat(chunks, size));
    };
    const arrived = (chunk: Buffer) => {
      idle.arrived(chunk.length);
      chunks.push(chunk);
      size += chunk.length;
      if (size > limit) end(tooLarge(limit));
    };
    const complete = () => end();
    const brokenOff = () => end(new Refused(refuse(400, 'request_malformed')));
    const idle = arrivalTimeout(idleMs, () => end(new Refused(refuse(408, 'request_timeout'))));
    if (request.destroyed) return brokenOff();
    request.on('data', arrived).on('end', complete).on('close', brokenOff).on('error', brokenOff);
  });
}

/** Property names and indexes that lead to a part of the body. */
type Path = (string | number)[];

/**
 * Finds what cannot be stored: PostgreSQL has no NUL, a lone surrogate is no character, and a number beyond a double
 * would become null. Builds a pointer only for what is found.
 */
function findUnstorable(value: unknown, path: Path, found: Problem[]): void {
  if (found.length >= problemLimit) return;
  if (typeof value === 'string') {
    const problem = textProblem(value);
    if (problem) found.push(bodyProblem(pointerOf(path), `must not contain ${problem}`));
  } else if (typeof value === 'number') {
    const message = 'must be in the range of IEEE 754 doubles';
    if (!Number.isFinite(value)) found.push(bodyProblem(pointerOf(path), message));
  } else if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at++) {
      path.push(at);
      findUnstorable(value[at], path, found);
      path.pop();
    }
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, inner] of Object.entries(value)) {
      const problem = textProblem(name);
      if (problem) {
        found.push(bodyProblem(pointerOf(path), `must not have a property whose name contains ${problem}`));
        continue;
      }
      path.push(name);
      findUnstorable(inner, path, found);
      path.pop();
    }
  }
}

function pointerOf(path: Path): string {
  return path.map((name) => pointerTo(name)).join('');
}

const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];

/** A size for people, exact and readable: `104,857,600 bytes (100 MiB)`. */
export function bytesOf(size: number): string {
  const exact = `${size.toLocaleString('en')} bytes`;
  const power = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(size, 1)) / 10));
  if (power === 0) return exact;
  const rounded = (size / 1024 ** power).toLocaleString('en', { maximumFractionDigits: 1 });
  return `${exact} (${rounded} ${units[power]})`;
}
