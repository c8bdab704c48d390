import { createHash, randomUUID } from 'node:crypto';
import type jsonata from 'jsonata';
import { maximumDepth } from './size.ts';

/** The clock and the randomness of expressions, so that the machine itself is pure. */
export interface Surroundings {
  now: Date;
  random: () => number;
}

/** The maximum number of items of `$range`. */
const maxRangeItems = 1_000_000;

const unitOf = (character: string) => character.charCodeAt(0);
const [quotationMark, backslash] = [unitOf('"'), unitOf('\\')];
const [openings, closings] = [new Set([...'[{'].map(unitOf)), new Set([...']}'].map(unitOf))];

const algorithms = new Map([
  ['MD5', 'md5'],
  ['SHA-1', 'sha1'],
  ['SHA-256', 'sha256'],
  ['SHA-384', 'sha384'],
  ['SHA-512', 'sha512'],
]);

/**
 * Registers the functions that Step Functions adds to JSONata (AWS Step Functions Developer Guide: Transforming data
 * with JSONata), disables `$eval` as Step Functions does, and makes `$now` and `$millis` return the machine's time. As
 * in JSONata, functions return undefined for undefined arguments.
 */
export function registerFunctions(expression: jsonata.Expression, surroundings: () => Surroundings): void {
  expression.registerFunction('partition', partition, '<an:a>');
  expression.registerFunction('range', range, '<nnn:a>');
  expression.registerFunction('hash', hash, '<ss?:s>');
  expression.registerFunction('uuid', () => randomUUID(), '<:s>');
  expression.registerFunction('parse', parse, '<s:x>');
  expression.registerFunction('random', (seed) => random(seed, surroundings().random), '<n?:n>');
  expression.registerFunction('eval', () => {
    throw refusal('$eval is not available; use $parse for JSON.');
  });
  expression.registerFunction('millis', () => surroundings().now.getTime(), '<:n>');
  expression.registerFunction(
    'now',
    function (picture, timezone) {
      const fromMillis = this.environment.lookup('fromMillis') as { implementation: jsonata.Focus['input'] };
      return fromMillis.implementation.call(this, surroundings().now.getTime(), picture, timezone);
    },
    '<s?s?:s>',
  );
}

function partition(items: unknown[] | undefined, size: number | undefined): unknown[][] | undefined {
  if (items === undefined || size === undefined) return undefined;
  if (!Number.isInteger(size) || size < 1)
    throw refusal('The size of $partition must be a positive integer.');
  const parts: unknown[][] = [];
  for (let start = 0; start < items.length; start += size) parts.push(items.slice(start, start + size));
  return parts;
}

function range(first?: number, last?: number, step?: number): number[] | undefined {
  if (first === undefined || last === undefined || step === undefined) return undefined;
  if (step === 0) throw refusal('The step of $range must not be 0.');
  const count = Math.max(0, Math.floor((last - first) / step) + 1);
  if (!(count <= maxRangeItems)) throw refusal(`$range returns at most ${maxRangeItems} items.`);
  return Array.from({ length: count }, (_, index) => first + index * step);
}

function hash(text: string | undefined, algorithm = 'SHA-256'): string | undefined {
  if (text === undefined) return undefined;
  const name = algorithms.get(algorithm);
  if (!name) throw refusal(`The algorithm of $hash must be one of ${[...algorithms.keys()].join(', ')}.`);
  return createHash(name).update(text).digest('hex');
}

function parse(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  if (isDeep(text)) throw refusal(`$parse accepts at most ${maximumDepth} levels.`);
  try {
    return JSON.parse(text);
  } catch {
    throw refusal('The argument of $parse is not JSON.');
  }
}

/** Whether JSON text is nested too deeply. The parser needs much memory for each level. */
function isDeep(text: string): boolean {
  let depth = 0;
  let quoted = false;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (quoted) {
      if (unit === backslash) index++;
      else if (unit === quotationMark) quoted = false;
    } else if (unit === quotationMark) quoted = true;
    else if (openings.has(unit) && ++depth > maximumDepth) return true;
    else if (closings.has(unit)) depth--;
  }
  return false;
}

/** A number in [0, 1), always the same for the same seed (Mulberry32 by Tommy Ettinger). */
function random(seed: number | undefined, unseeded: () => number): number {
  if (seed === undefined) return unseeded();
  let bits = (Math.trunc(seed) + 0x6d2b79f5) | 0;
  bits = Math.imul(bits ^ (bits >>> 15), bits | 1);
  bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
  return ((bits ^ (bits >>> 14)) >>> 0) / 4_294_967_296;
}

/** JSONata's own functions throw plain objects too. */
function refusal(message: string): { message: string } {
  return { message };
}
