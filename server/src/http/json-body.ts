import { isUtf8 } from 'node:buffer';
import { randomInt } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { pointerTo } from '../domain/json-pointer.ts';
import { bodyProblem } from './contract/problems.ts';
import { type ErrorCode, refuse } from './operation.ts';
import { Refused } from './refused.ts';

/** Bytes of a JSON body at most. */
export const jsonBodyLimit = 1 << 20;
/** Levels of arrays and objects in a JSON body at most: what walks a value may do so by recursion. */
const depthLimit = 200;
/**
 * Members of objects and items of arrays in a JSON body; and different names, together with different texts of up to
 * `shortText` bytes. V8 needs some 2 microseconds for each of the latter that it has not seen before: a mebibyte of them
 * would hold the event loop for half a second.
 */
export const valueLimit = 200_000;
export const nameLimit = 15_000;
const shortText = 12;

/** What may still come of values, and of names and short texts. */
export interface JsonAllowance {
  values: number;
  names: number;
}

export const jsonAllowance = (): JsonAllowance => ({ values: valueLimit, names: nameLimit });

/** Only such an escape can put a NUL or half a surrogate pair into JSON that is well-formed UTF-8. */
const badText = /\\u(?:0000|d[89a-f])/i;
/**
 * Only a number that is written like this can be beyond the range of a double. Digits are counted from their
 * beginning only: from each of them a text of many long numbers would take 200 times as long.
 */
const hugeNumber = /\d[eE]\+?\d\d|(?<!\d)\d{200}/;

/**
 * Reads a JSON body: bounded, UTF-8 (RFC 8259, section 8.1), not nested without end, and free of text and
 * numbers that cannot be kept. What is too large is refused without waiting for the rest of it.
 *
 * @param idleMs how long the client may send nothing
 * @throws Refused 400 `body_malformed`, `body_invalid` or `request_malformed`, 408 `request_timeout`,
 *   413 `body_too_large`, 415 `content_type_unsupported`
 */
export async function readJsonBody(request: IncomingMessage, idleMs: number): Promise<unknown> {
  refuseByHeaders(request.headers);
  return parseJson(await receiveBytes(request, idleMs));
}

/**
 * Parses JSON that came from outside, by the same rules.
 *
 * @param allowance shared by texts that come together
 * @throws Refused 400 `body_malformed` or `body_invalid`
 */
export function parseJson(bytes: Buffer, allowance = jsonAllowance()): unknown {
  if (!isUtf8(bytes)) throw refused(400, 'body_malformed', 'The body is not UTF-8.');
  const excess = excessOf(bytes, allowance);
  if (excess) throw refused(400, 'body_invalid', excess);
  const text = bytes.toString();
  const value = parse(text);
  if (badText.test(text) || hugeNumber.test(text)) refuseUnkeepable(value);
  return value;
}

function refused(status: number, code: ErrorCode, message: string): Refused {
  return new Refused(refuse(status, code, { message }));
}

function unkeepable(pointer: string, message: string): Refused {
  return new Refused({ status: 400, errors: [bodyProblem(pointer, message)] });
}

function refuseByHeaders(headers: IncomingHttpHeaders): void {
  const charset = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(headers['content-type'] ?? '')?.[1];
  if (charset !== undefined && !/^utf-?8$/i.test(charset))
    throw refused(415, 'content_type_unsupported', 'A JSON body is UTF-8.');
  if (Number(headers['content-length'] ?? 0) > jsonBodyLimit)
    throw new Refused(refuse(413, 'body_too_large'));
}

/**
 * Reads a body of at most `jsonBodyLimit`. What comes after a refusal stays unread: whoever answers decides what
 * becomes of the connection.
 *
 * @throws Refused 400 `request_malformed`, 408 `request_timeout`, 413 `body_too_large`
 */
export function receiveBytes(request: IncomingMessage, idleMs: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const end = (refusal?: Refused) => {
      clearTimeout(idle);
      request.off('data', arrived).off('end', complete).off('close', brokenOff).off('error', brokenOff);
      if (refusal) reject(refusal);
      else resolve(Buffer.concat(chunks, size));
    };
    const arrived = (chunk: Buffer) => {
      idle.refresh();
      chunks.push(chunk);
      size += chunk.length;
      if (size > jsonBodyLimit) end(new Refused(refuse(413, 'body_too_large')));
    };
    const complete = () => end();
    const brokenOff = () => end(new Refused(refuse(400, 'request_malformed')));
    const idle = setTimeout(() => end(new Refused(refuse(408, 'request_timeout'))), idleMs);
    request.on('data', arrived).on('end', complete).on('close', brokenOff).on('error', brokenOff);
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refused(refuse(400, 'body_malformed'));
  }
}

/**
 * PostgreSQL's text holds no NUL, half a surrogate pair is no character in any encoding, and a number
 * beyond a double would silently be kept as null.
 */
function refuseUnkeepable(value: unknown): void {
  const pending: [unknown, Place | undefined][] = [[value, undefined]];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const [part, place] = next;
    if (typeof part === 'string') refuseText(part, place);
    else if (typeof part === 'number') refuseNumber(part, place);
    else if (typeof part === 'object' && part !== null) {
      for (const name in part) {
        refuseText(name, place);
        pending.push([(part as Record<string, unknown>)[name], { name, around: place }]);
      }
    }
  }
}

/** Where a value stands: a pointer is made of it only where one is told. */
interface Place {
  name: string;
  around: Place | undefined;
}

function pointerOf(place: Place | undefined): string {
  const names: string[] = [];
  for (let at = place; at; at = at.around) names.push(pointerTo(at.name));
  return names.reverse().join('');
}

function refuseText(text: string, place: Place | undefined): void {
  if (!text.includes('\0') && text.isWellFormed()) return;
  throw unkeepable(pointerOf(place), 'Text must not hold NUL or half of a surrogate pair.');
}

function refuseNumber(number: number, place: Place | undefined): void {
  if (Number.isFinite(number)) return;
  throw unkeepable(pointerOf(place), 'A number must lie in the range of IEEE 754 doubles.');
}

/** What a JSON text has too much of, as a sentence. What is inside strings does not count. */
function excessOf(text: Buffer, allowance: JsonAllowance): string | undefined {
  // A short one has not: what most requests send.
  if (text.length <= 2 * depthLimit) {
    allowance.names -= text.length >> 2;
    allowance.values -= text.length;
    return undefined;
  }
  let depth = 0;
  let { values, names } = allowance;
  const seen = new Uint32Array(1 << 16);
  for (let at = 0; at < text.length; at++) {
    const byte = text[at];
    if (byte === 0x22) {
      let hash = hashSeed;
      const start = at;
      for (at++; at < text.length && text[at] !== 0x22; at++) {
        // An escaped character is two bytes, whichever comes second.
        if (text[at] === 0x5c) at++;
        hash = Math.imul(hash ^ (text[at] ?? 0), hashFactor);
      }
      if (at - start > shortText && !isName(text, at + 1)) continue;
      const slot = hash >>> 16;
      if (seen[slot] !== hash >>> 0) names--;
      seen[slot] = hash;
    } else if (byte === 0x2c) values--;
    else if (byte === 0x5b || byte === 0x7b) {
      values--;
      if (++depth > depthLimit) return `The body is nested more than ${depthLimit} levels deep.`;
    } else if (byte === 0x5d || byte === 0x7d) depth--;
  }
  const tooMany = (limit: number, what: string) => `The body holds more than ${limit} ${what}.`;
  Object.assign(allowance, { values, names });
  if (names < 0) return tooMany(nameLimit, 'different names and short texts');
  return values < 0 ? tooMany(valueLimit, 'values') : undefined;
}

/** Whether a colon comes next. */
function isName(text: Buffer, end: number): boolean {
  let at = end;
  while (text[at] === 0x20 || text[at] === 0x0a || text[at] === 0x0d || text[at] === 0x09) at++;
  return text[at] === 0x3a;
}

/** Nobody can choose texts that look alike: the factor differs from process to process. */
const [hashSeed, hashFactor] = [randomInt(2 ** 31), randomInt(2 ** 30) * 2 + 1];
