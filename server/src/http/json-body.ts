import { isUtf8 } from 'node:buffer';
import express from 'express';
import { refuse } from './operation.ts';
import { Refused } from './refused.ts';

/** Bytes of a JSON body at most. */
export const jsonBodyLimit = 1 << 20;
/** Levels of arrays and objects in a JSON body at most: what walks a value may do so by recursion. */
const depthLimit = 200;

const parse = express.json({
  limit: jsonBodyLimit,
  strict: false,
  type: () => true,
  verify: (request, _response, bytes) => {
    if (!isUtf8(bytes))
      throw new Refused(refuse(400, 'body_malformed', { message: 'The body is not UTF-8.' }));
    if (isDeeper(bytes, depthLimit)) {
      const message = `The body is nested more than ${depthLimit} levels deep.`;
      throw new Refused(refuse(400, 'body_invalid', { message }));
    }
    // Only an escape can put a NUL or half a surrogate pair into a JSON text that is well-formed UTF-8.
    (request as { mayHoldBadText?: boolean }).mayHoldBadText = bytes.includes('\\u');
  },
});

/**
 * Reads a JSON body: bounded, UTF-8, and free of text that a database cannot keep.
 *
 * @throws what body-parser throws, or a refusal with 400
 */
export async function readJsonBody(request: express.Request, response: express.Response): Promise<unknown> {
  await new Promise<void>((resolve, reject) =>
    parse(request, response, (error?: unknown) => (error ? reject(error) : resolve())),
  );
  if ((request as { mayHoldBadText?: boolean }).mayHoldBadText) refuseBadText(request.body, '');
  return request.body;
}

/** PostgreSQL's text holds no NUL, and half a surrogate pair is no character in any encoding. */
function refuseBadText(value: unknown, pointer: string): void {
  const pending: [unknown, string][] = [[value, pointer]];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const [part, at] = next;
    if (typeof part === 'string') refuseText(part, at);
    else if (typeof part === 'object' && part !== null) {
      for (const [name, inner] of Object.entries(part)) {
        refuseText(name, at);
        pending.push([inner, `${at}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`]);
      }
    }
  }
}

function refuseText(text: string, pointer: string): void {
  if (!text.includes('\0') && text.isWellFormed()) return;
  const message = 'Text must not hold NUL or half of a surrogate pair.';
  throw new Refused(refuse(400, 'body_invalid', { message, pointer }));
}

/** Whether a JSON text nests deeper than `limit`; a short one cannot. Brackets inside strings do not count. */
function isDeeper(text: Buffer, limit: number): boolean {
  if (text.length <= 2 * limit) return false;
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const byte = text[at];
    if (inString) {
      if (byte === 0x5c) at++;
      else if (byte === 0x22) inString = false;
    } else if (byte === 0x22) inString = true;
    else if (byte === 0x5b || byte === 0x7b) {
      if (++depth > limit) return true;
    } else if (byte === 0x5d || byte === 0x7d) depth--;
  }
  return false;
}
