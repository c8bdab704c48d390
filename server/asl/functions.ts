import { createHash } from 'node:crypto';
import type jsonata from 'jsonata';
import { type DateFunctions, registerDateFunctions } from './dates.ts';
import { refusal } from './failure.ts';
import { type NumberFunctions, registerNumberFunctions } from './numbers.ts';
import { isDeepText, maximumDepth } from './size.ts';

/** The clock and the randomness of expressions, so that the machine itself is pure. */
export interface Surroundings {
  now: Date;
  random: () => number;
  uuid: () => string;
}

/** JSONata's functions that ours replace and call. */
export type ReplacedFunctions = DateFunctions & NumberFunctions;

export const replacedFunctions: readonly (keyof ReplacedFunctions)[] = [
  'fromMillis',
  'toMillis',
  'formatNumber',
  'formatInteger',
  'formatBase',
  'parseInteger',
];

/** The maximum number of items of `$range`. */
const maxRangeItems = 1_000_000;

const algorithms = new Map([
  ['MD5', 'md5'],
  ['SHA-1', 'sha1'],
  ['SHA-256', 'sha256'],
  ['SHA-384', 'sha384'],
  ['SHA-512', 'sha512'],
]);

/**
 * Registers the functions that Step Functions adds to JSONata (AWS Step Functions Developer Guide: Transforming data
 * with JSONata), disables `$eval` as Step Functions does, makes `$now` and `$millis` return the machine's time, and
 * replaces functions of JSONata that may return a wrong value. As in JSONata, functions return undefined for undefined
 * arguments. JSONata's own base64 functions need a `Buffer`, which the realm does not have, and support Latin-1 only.
 *
 * @param own JSONata's functions
 */
export function registerFunctions(
  expression: jsonata.Expression,
  surroundings: () => Surroundings,
  own: ReplacedFunctions,
): void {
  registerDateFunctions(expression, own, () => surroundings().now);
  registerNumberFunctions(expression, own);
  expression.registerFunction('partition', partition, '<an:a>');
  expression.registerFunction('range', range, '<nnn:a>');
  expression.registerFunction('hash', hash, '<ss?:s>');
  expression.registerFunction('uuid', () => surroundings().uuid(), '<:s>');
  expression.registerFunction('parse', parse, '<s:x>');
  expression.registerFunction('random', (seed) => random(seed, surroundings().random), '<n?:n>');
  expression.registerFunction('base64encode', (text) => recode(text, 'utf8', 'base64'), '<s-:s>');
  expression.registerFunction('base64decode', (text) => recode(text, 'base64', 'utf8'), '<s-:s>');
  expression.registerFunction('eval', () => {
    throw refusal('$eval is not available; use $parse for JSON.');
  });
  expression.registerFunction('millis', () => surroundings().now.getTime(), '<:n>');
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

function recode(text: string | undefined, from: BufferEncoding, to: BufferEncoding): string | undefined {
  return text === undefined ? undefined : Buffer.from(text, from).toString(to);
}

function parse(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  if (isDeepText(text)) throw refusal(`$parse accepts at most ${maximumDepth} levels.`);
  try {
    return JSON.parse(text);
  } catch {
    throw refusal('The argument of $parse is not JSON.');
  }
}

/** A number in [0, 1). With a seed it is the first of java.util.Random, as on AWS Step Functions. */
function random(seed: number | undefined, unseeded: () => number): number {
  if (seed === undefined) return unseeded();
  const multiplier = 0x5deece66dn;
  let state = (BigInt(Math.trunc(seed)) ^ multiplier) & (2n ** 48n - 1n);
  const bits = (count: bigint) => {
    state = (state * multiplier + 11n) & (2n ** 48n - 1n);
    return state >> (48n - count);
  };
  return Number((bits(26n) << 27n) + bits(27n)) / 2 ** 53;
}
