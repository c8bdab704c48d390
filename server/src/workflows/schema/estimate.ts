import type { Json } from '../../domain/json.ts';
import { namesIn } from '../../domain/json-pointer.ts';
import { PatternError, patternSize } from './patterns.ts';

/** An upper bound for the work of checking a value against a schema. */
export interface Estimate {
  /** Keywords, names and listed values of the schema, with its references written out. */
  parts: number;
  /** Steps for each character of a value: those of all patterns and formats together. */
  steps: number;
}

/** Beyond this, compiling a schema takes longer than the event loop may be held: some 0.1 ms a part. */
const most = { parts: 250, steps: 1000, patternCharacters: 500 };
/** Of the event loop, for checking one value. */
const mostMicroseconds = 10_000;
/** Measured with a margin: a keyword on a part of the value, with an error about it; a step of a pattern. */
const microseconds = { part: 0.1, step: 0.05 };
/** Formats are patterns of about this size. */
const formatSteps = 100;

/**
 * @returns undefined where compiling may take too long, or the work cannot be told beforehand: a schema that refers
 *   to itself or to more than its own parts, a large one, a pattern that does not run in linear time
 */
export function estimate(schema: Json): Estimate | undefined {
  let patternCharacters = 0;
  const sum: Estimate = { parts: 0, steps: 1 };
  const referring = new Set<string>();

  const addPattern = (source: string): boolean => {
    patternCharacters += source.length;
    if (patternCharacters > most.patternCharacters) return false;
    try {
      sum.steps += patternSize(source);
      return true;
    } catch (error) {
      if (error instanceof PatternError) return false;
      throw error;
    }
  };

  const addReference = (reference: string): boolean => {
    if (referring.has(reference)) return false;
    const target = referred(reference, schema);
    if (target === undefined) return false;
    referring.add(reference);
    const isBounded = add(target);
    referring.delete(reference);
    return isBounded;
  };

  /** @returns false as soon as a bound is passed */
  const add = (part: Json): boolean => {
    sum.parts++;
    if (sum.parts > most.parts || sum.steps > most.steps) return false;
    if (typeof part !== 'object' || part === null) return true;
    for (const [name, inner] of Object.entries(part)) {
      const isText = typeof inner === 'string';
      if (isText && annotations.has(name)) continue;
      if (isText && name === 'pattern' && !addPattern(inner)) return false;
      if (isText && name === 'format') sum.steps += formatSteps;
      if (isText && name === '$ref' && !addReference(inner)) return false;
      if (unpredictable.has(name)) return false;
      if (name === 'patternProperties' && !Object.keys(inner ?? {}).every(addPattern)) return false;
      if (!add(inner)) return false;
    }
    return true;
  };

  return add(schema) ? sum : undefined;
}

/** They tell people something and check nothing. */
const annotations = new Set(['title', 'description', '$comment', '$schema']);
/** What they come to depends on more than the schema around them. */
const unpredictable = new Set(['$id', '$anchor', '$dynamicRef', '$dynamicAnchor', '$recursiveRef']);

/** Where a reference into the same schema leads. */
function referred(reference: string, schema: Json): Json | undefined {
  if (!/^#(?:\/|$)/.test(reference)) return undefined;
  let target: Json | undefined = schema;
  for (const name of namesIn(reference.slice(1))) {
    if (typeof target !== 'object' || target === null || !Object.hasOwn(target, name)) return undefined;
    target = (target as Record<string, Json>)[name];
  }
  return target;
}

/** Whether checking a value against a schema of this estimate may be done on the event loop. */
export function isCheap({ parts, steps }: Estimate, value: unknown): boolean {
  let left = mostMicroseconds;
  const spend = (inner: unknown): boolean => {
    left -= parts * microseconds.part;
    if (typeof inner === 'string') left -= inner.length * steps * microseconds.step;
    if (left < 0) return false;
    if (typeof inner !== 'object' || inner === null) return true;
    if (Array.isArray(inner)) return inner.every(spend);
    for (const name in inner) {
      if (!spend(name) || !spend((inner as Record<string, unknown>)[name])) return false;
    }
    return true;
  };
  return spend(value);
}
