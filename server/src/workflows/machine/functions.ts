import { createHash, randomUUID } from 'node:crypto';
import type jsonata from 'jsonata';
import { maximumDepth } from './size.ts';

/** What the functions of expressions take from outside, so that the machine has no clock and no randomness of its own. */
export interface Surroundings {
  now: Date;
  random: () => number;
}

/** Items that `$range` makes at most. */
const rangeItems = 1_000_000;

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
 * Adds to an expression the functions that Step Functions adds to JSONata (AWS Step Functions Developer Guide:
 * Transforming data with JSONata), takes `$eval` away as it does, and lets `$now` and `$millis` tell the machine's
 * time. As in JSONata, a function of nothing gives nothing.
 */
export function registerFunctions(expression: jsonata.Expression, surroundings: () => Surroundings): void {
  expression.registerFunction('partition', partition, '<an:a>');
  expression.registerFunction('range', range, '<nnn:a>');
  expression.registerFunction('hash', hash, '<ss?:s>');
  expression.registerFunction('uuid', () => randomUUID(), '<:s>');
  expression.registerFunction('parse', parse, '<s:x>');
  expression.registerFunction('random', (seed) => random(seed, surroundings().random), '<n?:n>');
  expression.registerFunction('eval', refuseEval);
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
    throw refusal('$partition takes a size that is a positive integer.');
  const parts: unknown[][] = [];
  for (let start = 0; start < items.length; start += size) parts.push(items.slice(start, start + size));
  return parts;
}

function range(first?: number, last?: number, step?: number): number[] | undefined {
  if (first === undefined || last === undefined || step === undefined) return undefined;
  if (step === 0) throw refusal('$range takes a step other than 0.');
  const count = Math.max(0, Math.floor((last - first) / step) + 1);
  if (!(count <= rangeItems)) throw refusal(`$range makes at most ${rangeItems} items.`);
  return Array.from({ length: count }, (_, index) => first + index * step);
}

function hash(text: string | undefined, algorithm = 'SHA-256'): string | undefined {
  if (text === undefined) return undefined;
  const name = algorithms.get(algorithm);
  if (!name) throw refusal(`$hash knows the algorithms ${[...algorithms.keys()].join(', ')}.`);
  return createHash(name).update(text).digest('hex');
}

function parse(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  if (isDeep(text)) throw refusal(`$parse reads at most ${maximumDepth} levels.`);
  try {
    return JSON.parse(text);
  } catch {
    throw refusal('$parse was given a text that is not JSON.');
  }
}

/** Whether a JSON text is nested too deep; the parser would take much memory for each level. */
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

/** A number from 0 up to, not including, 1; the same one for the same seed (Mulberry32 by Tommy Ettinger). */
function random(seed: number | undefined, chance: () => number): number {
  if (seed === undefined) return chance();
  let bits = (Math.trunc(seed) + 0x6d2b79f5) | 0;
  bits = Math.imul(bits ^ (bits >>> 15), bits | 1);
  bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
  return ((bits ^ (bits >>> 14)) >>> 0) / 4_294_967_296;
}

function refuseEval(): never {
  throw refusal('$eval is not available; $parse reads JSON.');
}

/** In the form in which JSONata's own functions fail. */
function refusal(message: string): { message: string } {
  return { message };
}
