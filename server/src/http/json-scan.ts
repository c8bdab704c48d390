import { randomInt } from 'node:crypto';

/** Levels of arrays and objects inside each other, at most: what walks a value may do so by recursion. */
export const depthLimit = 200;
/**
 * Sequences of property names that objects in a JSON text may begin with, at most. An object of 10,000 properties has
 * 10,000 of them, and a list of any length whose objects all name the same 20 properties has 20. V8 keeps a hidden
 * class, or an entry of a dictionary, for each: 100,000 of them in 1 MiB take JSON.parse some 200 ms.
 */
export const shapeLimit = 10_000;

const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;

/** FNV-1a, begun anew in each process: texts made to collide in one do not in another. */
const basis = randomInt(2 ** 31);
const mix = (hash: number, next: number) => Math.imul(hash ^ next, 0x01000193);

/**
 * What makes a JSON text too expensive to parse, found in one pass over its bytes: about 3 ms per MiB. Of a text that
 * is not well-formed it says nothing; parsing that ends where the text does not continue as JSON.
 */
export function excessOf(text: Buffer): 'depth' | 'shapes' | undefined {
  if (text.length <= 2 * depthLimit) return undefined;
  const shapes = new Set<number>();
  /** By level: the property names of the object so far. */
  const begun = new Int32Array(depthLimit + 1);
  let depth = 0;
  let inString = false;
  let name = 0;
  for (let at = 0; at < text.length; at++) {
    const byte = text[at] as number;
    if (inString) {
      if (byte === quote) inString = false;
      else name = mix(name, byte === backslash ? (text[++at] ?? 0) : byte);
    } else if (byte === quote) {
      inString = true;
      name = basis;
    } else if (byte === colon) {
      const shape = mix(begun[depth] as number, name);
      begun[depth] = shape;
      if (shapes.add(shape).size > shapeLimit) return 'shapes';
    } else if (byte === 0x5b || byte === 0x7b) {
      if (++depth > depthLimit) return 'depth';
      begun[depth] = basis;
    } else if (byte === 0x5d || byte === 0x7d) {
      if (--depth < 0) return undefined;
    }
  }
  return undefined;
}
