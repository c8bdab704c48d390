import { randomInt } from 'node:crypto';

/** Maximum nesting of a JSON body, so that recursive code is safe. */
export const depthLimit = 200;
/** Maximum number of object members and array items in a JSON body. */
export const valueLimit = 200_000;
/**
 * Maximum number of distinct names and distinct texts of up to `shortText` bytes. V8 takes about 2 microseconds
 * for each new one: a mebibyte of them would block the event loop for half a second.
 */
export const nameLimit = 15_000;
const shortText = 12;
/**
 * Maximum number of distinct property sequences. An object of 10,000 properties has 10,000 of them; any number of
 * objects with the same 20 properties have 20. V8 keeps a hidden class or dictionary entry for each: 100,000 of
 * them in 1 MiB take `JSON.parse` about 200 ms.
 */
export const shapeLimit = 10_000;

/** What is left of the limits for all texts of one request. */
export interface JsonAllowance {
  values: number;
  names: number;
  shapes: number;
}

export const jsonAllowance = (): JsonAllowance => ({
  values: valueLimit,
  names: nameLimit,
  shapes: shapeLimit,
});

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;

/**
 * FNV-1a, with random words in place of the bytes, so that nobody can prepare collisions. With a random factor instead,
 * one process in 200 would find the same hash for many short texts.
 */
const words = crypto.getRandomValues(new Int32Array(256));
const basis = randomInt(2 ** 31);
const goldenRatio = 0x9e3779b1;
const mix = (hash: number, next: number) => Math.imul(hash ^ next, goldenRatio);

/**
 * Finds what makes a JSON text too expensive to parse, in one pass over its bytes. A malformed text is left to the
 * parser.
 *
 * @param allowance is reduced by what the text contains
 * @returns what exceeds the limits, as a sentence
 */
export function excessOf(text: Buffer, allowance: JsonAllowance): string | undefined {
  // A short text cannot be too deep, and most requests are short.
  if (text.length <= 2 * depthLimit) {
    allowance.names -= text.length >> 2;
    allowance.shapes -= text.length >> 2;
    allowance.values -= text.length;
    return exceeded(allowance);
  }
  let { values, names } = allowance;
  const seen = new Uint32Array(1 << 16);
  const shapes = new Set<number>();
  /** Property names of the open object on each level. */
  const begun = new Int32Array(depthLimit + 1);
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const byte = text[at];
    if (byte === quote) {
      let hash = basis;
      const start = at;
      for (at++; at < text.length && text[at] !== quote; at++) {
        // Skips the escaped character.
        if (text[at] === backslash) at++;
        hash = mix(hash, words[text[at] ?? 0] as number);
      }
      const isName = isNameBefore(text, at + 1);
      if (isName) {
        const shape = mix(begun[depth] as number, hash);
        begun[depth] = shape;
        if (shapes.add(shape).size > allowance.shapes) return tooMany('shapes');
      } else if (at - start > shortText) continue;
      const slot = hash >>> 16;
      if (seen[slot] !== hash >>> 0) names--;
      seen[slot] = hash;
    } else if (byte === comma) values--;
    else if (byte === 0x5b || byte === 0x7b) {
      values--;
      if (++depth > depthLimit) return `The body is nested more than ${depthLimit} levels deep.`;
      begun[depth] = basis;
    } else if (byte === 0x5d || byte === 0x7d) {
      if (--depth < 0) break;
    }
  }
  Object.assign(allowance, { values, names, shapes: allowance.shapes - shapes.size });
  return exceeded(allowance);
}

function exceeded(allowance: JsonAllowance): string | undefined {
  const found = (['shapes', 'names', 'values'] as const).find((what) => allowance[what] < 0);
  return found && tooMany(found);
}

function tooMany(what: keyof JsonAllowance): string {
  const [limit, words] = {
    shapes: [shapeLimit, 'different combinations of property names'],
    names: [nameLimit, 'different names and short texts'],
    values: [valueLimit, 'values'],
  }[what] as [number, string];
  return `The body has more than ${limit.toLocaleString('en')} ${words}.`;
}

/** Whether a colon follows, so that the string is a name. */
function isNameBefore(text: Buffer, end: number): boolean {
  let at = end;
  while (text[at] === 0x20 || text[at] === 0x0a || text[at] === 0x0d || text[at] === 0x09) at++;
  return text[at] === 0x3a;
}
