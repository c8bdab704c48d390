import { randomInt } from 'node:crypto';

/** Levels of arrays and objects in a JSON body at most: what walks a value may do so by recursion. */
export const depthLimit = 200;
/** Members of objects and items of arrays in a JSON body at most. */
export const valueLimit = 200_000;
/**
 * Different names, together with different texts of up to `shortText` bytes. V8 needs some 2 microseconds for each that
 * it has not seen before: a mebibyte of them would hold the event loop for half a second.
 */
export const nameLimit = 15_000;
const shortText = 12;
/**
 * Sequences of property names that objects in a JSON text may begin with, at most. An object of 10,000 properties has
 * 10,000 of them, and a list of any length whose objects all name the same 20 properties has 20. V8 keeps a hidden
 * class, or an entry of a dictionary, for each: 100,000 of them in 1 MiB take JSON.parse some 200 ms.
 */
export const shapeLimit = 10_000;

/** What may still come, over all texts that come together. */
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

/** FNV-1a with a basis and a factor of each process: nobody can choose texts that look alike in all of them. */
const [basis, factor] = [randomInt(2 ** 31), randomInt(2 ** 30) * 2 + 1];
const mix = (hash: number, next: number) => Math.imul(hash ^ next, factor);

/**
 * Finds what makes a JSON text too expensive to parse, in one pass over its bytes. A text that is not well-formed is
 * left to the parser, which stops where it does not continue as JSON.
 *
 * @param allowance is reduced by what the text holds
 * @returns what there is too much of, as a sentence
 */
export function excessOf(text: Buffer, allowance: JsonAllowance): string | undefined {
  // A short one cannot be too deep, and what most requests send is short.
  if (text.length <= 2 * depthLimit) {
    allowance.names -= text.length >> 2;
    allowance.shapes -= text.length >> 2;
    allowance.values -= text.length;
    return exceeded(allowance);
  }
  let { values, names } = allowance;
  const seen = new Uint32Array(1 << 16);
  const shapes = new Set<number>();
  /** By level: the property names of the object so far. */
  const begun = new Int32Array(depthLimit + 1);
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const byte = text[at];
    if (byte === quote) {
      let hash = basis;
      const start = at;
      for (at++; at < text.length && text[at] !== quote; at++) {
        // An escaped character is two bytes, whichever comes second.
        if (text[at] === backslash) at++;
        hash = mix(hash, text[at] ?? 0);
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

/** Whether a colon comes next, which makes the string before it a name. */
function isNameBefore(text: Buffer, end: number): boolean {
  let at = end;
  while (text[at] === 0x20 || text[at] === 0x0a || text[at] === 0x0d || text[at] === 0x09) at++;
  return text[at] === 0x3a;
}
