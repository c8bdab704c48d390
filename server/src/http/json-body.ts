import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { bodyProblem } from '../contract/problems.ts';
import { pointerTo } from '../domain/json-pointer.ts';
import { excessOf, jsonAllowance } from './json-scan.ts';
import { type ErrorCode, refuse } from './operation.ts';
import { Refused } from './refused.ts';

/** Maximum size of a JSON body, in bytes. */
export const jsonBodyLimit = 1 << 20;

/** Only such an escape can encode NUL or a lone surrogate in well-formed UTF-8. */
const badText = /\\u(?:0000|d[89a-f])/i;
/**
 * Only such a number can exceed the range of a double. The lookbehind counts each run of digits once; without it,
 * a body of long numbers takes 200 times as long.
 */
const hugeNumber = /\d[eE]\+?\d\d|(?<!\d)\d{200}/;

/**
 * Reads a JSON body: of bounded size and depth, UTF-8 (RFC 8259, section 8.1), without text and numbers that
 * cannot be stored. A body that is too large is refused without reading the rest.
 *
 * @param idleMs how long the client may pause
 * @throws Refused 400 `body_malformed`, `body_invalid` or `request_malformed`, 408 `request_timeout`, 413
 *   `body_too_large`, 415 `content_type_unsupported`
 */
export async function readJsonBody(request: IncomingMessage, idleMs: number): Promise<unknown> {
  refuseByHeaders(request.headers);
  return parseJson(await receiveBytes(request, idleMs));
}

/**
 * Parses untrusted JSON by the same rules.
 *
 * @param allowance shared by the texts of one request
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

function unkeepable(path: Path, message: string): Refused {
  const pointer = path.map((name) => pointerTo(String(name))).join('');
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
 * Reads a body of at most `jsonBodyLimit`. After a refusal the rest stays unread; the caller decides what happens
 * to the connection.
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

/** Property names and indexes that lead to a part of the body. */
type Path = (string | number)[];

/**
 * Refuses what cannot be stored: PostgreSQL has no NUL, a lone surrogate is no character, and a number beyond a
 * double would become null. Builds a pointer only for what is refused.
 */
function refuseUnkeepable(value: unknown, path: Path = []): void {
  if (typeof value === 'string') refuseText(value, path);
  else if (typeof value === 'number') refuseNumber(value, path);
  else if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at++) {
      path.push(at);
      refuseUnkeepable(value[at], path);
      path.pop();
    }
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, inner] of Object.entries(value)) {
      refuseText(name, path);
      path.push(name);
      refuseUnkeepable(inner, path);
      path.pop();
    }
  }
}

function refuseText(text: string, path: Path): void {
  if (!text.includes('\0') && text.isWellFormed()) return;
  throw unkeepable(path, 'Text must not hold NUL or half of a surrogate pair.');
}

function refuseNumber(number: number, path: Path): void {
  if (Number.isFinite(number)) return;
  throw unkeepable(path, 'A number must lie in the range of IEEE 754 doubles.');
}
