import { type Json, namesIn } from '../json/index.ts';
import { PatternError, patternSize } from './patterns.ts';

/** An upper bound for the cost of checking a value against a schema. */
export interface Estimate {
  /** Keywords, names and listed values of the schema, with references resolved. */
  parts: number;
  /** Total steps of all patterns and formats for each character of a value. */
  steps: number;
}

/** Compiling a larger schema blocks the event loop for too long: about 0.1 ms for each part. */
const limits = { parts: 250, steps: 1000, patternCharacters: 500 };
/** How long checking a value may block the event loop. */
const maxMicroseconds = 10_000;
/** Measured, with a margin. `part`: a keyword applied to a part of the value, with an error. `step`: of a pattern. */
const microseconds = { part: 0.1, step: 0.05 };
/** Formats are patterns of about this size. */
const formatSteps = 100;

/**
 * @returns undefined if compiling may take too long or the cost is unknown: for large schemas, recursive or external
 *   references, and patterns that do not run in linear time
 */
export function estimate(schema: Json): Estimate | undefined {
  let patternCharacters = 0;
  const sum: Estimate = { parts: 0, steps: 1 };
  const resolving = new Set<string>();

  const addPattern = (source: string): boolean => {
    patternCharacters += source.length;
    if (patternCharacters > limits.patternCharacters) return false;
    try {
      sum.steps += patternSize(source);
      return true;
    } catch (error) {
      if (error instanceof PatternError) return false;
      throw error;
    }
  };

  const addReference = (reference: string): boolean => {
    if (resolving.has(reference)) return false;
    const target = resolve(reference, schema);
    if (target === undefined) return false;
    resolving.add(reference);
    const isBounded = add(target);
    resolving.delete(reference);
    return isBounded;
  };

  /** @returns false once a limit is exceeded */
  const add = (part: Json): boolean => {
    sum.parts++;
    if (sum.parts > limits.parts || sum.steps > limits.steps) return false;
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

/** Keywords that do not validate. */
const annotations = new Set(['title', 'description', '$comment', '$schema']);
/** Keywords whose cost cannot be estimated. */
const unpredictable = new Set(['$id', '$anchor', '$dynamicRef', '$dynamicAnchor', '$recursiveRef']);

/** The target of a reference within the schema. */
function resolve(reference: string, schema: Json): Json | undefined {
  if (!/^#(?:\/|$)/.test(reference)) return undefined;
  let target: Json | undefined = schema;
  for (const name of namesIn(reference.slice(1))) {
    if (typeof target !== 'object' || target === null || !Object.hasOwn(target, name)) return undefined;
    target = (target as Record<string, Json>)[name];
  }
  return target;
}

/** Whether a value can be checked on the event loop. */
export function isCheap({ parts, steps }: Estimate, value: unknown): boolean {
  let left = maxMicroseconds;
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
