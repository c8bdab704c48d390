import { type Json, textProblem } from '../json/index.ts';
import { dataLimitFailure, queryFailure } from './failure.ts';

/** The maximum size of a value as JSON: 16 MiB, more than the largest response of a call. */
export const maximumPayloadBytes = 16 * 1024 * 1024;

/** Arrays and objects in a value. Many small ones need much more memory than their text. */
const maximumStructures = 500_000;

/** Values in the arguments of a task, which runs in the main process. */
const maximumArgumentValues = 100_000;

/** Nesting levels. Deeper values would overflow the stack when they are stored or sent. */
export const maximumDepth = 500;

/**
 * Copies a value as plain JSON and measures it in the same pass, so that it need not be serialized to learn its size.
 *
 * JSONata's arrays have flags and methods, and its values may contain functions or undefined. As in JSON.stringify,
 * undefined properties are omitted; a function or a number that JSON does not have is a failure, because it would
 * silently become something else.
 *
 * @param what names the value in the cause: "The output", "The variables"
 * @throws StateFailure `States.DataLimitExceeded` above 16 MiB, 500 levels or 500,000 arrays and objects,
 *   `States.QueryEvaluationError` if the value is not JSON, or has text that PostgreSQL cannot store
 */
export function toPayload(value: unknown, what: string): Json {
  return new PayloadCopy(what).plain(value, 0);
}

/** @throws StateFailure `States.DataLimitExceeded` if the value contains more than 100,000 values */
export function withFewValues(value: Json, what: string): Json {
  const open: Json[] = [value];
  for (let count = 1; open.length > 0; ) {
    const next = open.pop();
    if (typeof next !== 'object' || next === null) continue;
    const inner = Object.values(next);
    count += inner.length;
    if (count > maximumArgumentValues) {
      throw dataLimitFailure(`${what} contains more than ${maximumArgumentValues} values.`);
    }
    for (const each of inner) open.push(each);
  }
  return value;
}

const unitOf = (character: string) => character.charCodeAt(0);
const [quotationMark, backslash] = [unitOf('"'), unitOf('\\')];
const [openings, closings] = [new Set([...'[{'].map(unitOf)), new Set([...']}'].map(unitOf))];

/** Whether JSON text is nested deeper than 500 levels. The parser needs much memory for each level. */
export function isDeepText(text: string): boolean {
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

class PayloadCopy {
  bytes = 0;
  structures = 0;
  readonly #what: string;
  /**
   * Values that occur several times are copied once: a few steps of an expression can build a value that would fill the
   * memory if its parts were copied at each occurrence.
   */
  readonly #seen = new Map<object, { copy: Json; bytes: number; structures: number }>();

  constructor(what: string) {
    this.#what = what;
  }

  plain(value: unknown, depth: number): Json {
    switch (typeof value) {
      case 'string':
        this.#count(this.#bytesOf(value, 'contains'));
        return value;
      case 'number':
        if (!Number.isFinite(value))
          throw queryFailure(`${this.#what} contains a number that JSON cannot represent.`);
        this.#count(String(value).length);
        // JSON.stringify writes negative zero as 0.
        return value === 0 ? 0 : value;
      case 'boolean':
        this.#count(value ? 4 : 5);
        return value;
      case 'object':
        if (value !== null) return this.#structure(value, depth);
        this.#count(4);
        return null;
      default:
        throw queryFailure(`${this.#what} contains ${nonJson(value)}, which is not JSON.`);
    }
  }

  #structure(value: object, depth: number): Json {
    const known = this.#seen.get(value);
    if (known) {
      this.#count(known.bytes);
      this.#countStructures(known.structures);
      return known.copy;
    }
    if (isFunctionOfJsonata(value))
      throw queryFailure(`${this.#what} contains a function, which is not JSON.`);
    if (depth >= maximumDepth) {
      throw dataLimitFailure(`${this.#what} is nested deeper than ${maximumDepth} levels.`);
    }
    const before = { bytes: this.bytes, structures: this.structures };
    this.#countStructures(1);
    const copy = Array.isArray(value) ? this.#array(value, depth) : this.#object(value, depth);
    const [bytes, structures] = [this.bytes - before.bytes, this.structures - before.structures];
    this.#seen.set(value, { copy, bytes, structures });
    return copy;
  }

  #array(items: unknown[], depth: number): Json[] {
    this.#count(2 + Math.max(0, items.length - 1));
    const copy: Json[] = [];
    for (const item of items) copy.push(this.plain(item, depth + 1));
    return copy;
  }

  #object(properties: object, depth: number): Json {
    this.#count(2);
    const copy: { [key: string]: Json } = {};
    let first = true;
    for (const [key, property] of Object.entries(properties)) {
      if (property === undefined) continue;
      this.#count(this.#bytesOf(key, 'has a property whose name contains') + (first ? 1 : 2));
      first = false;
      setOwn(copy, key, this.plain(property, depth + 1));
    }
    return copy;
  }

  /**
   * Of a text as JSON. Text that PostgreSQL cannot store fails the state here: its commit would be refused at every
   * retry.
   */
  #bytesOf(text: string, contains: string): number {
    if (oneByteEach.test(text)) return text.length + 2;
    const json = JSON.stringify(text);
    // Both NUL and lone surrogates have an escape like \u0000, for which one search is faster than two.
    const problem = json.includes('\\u') ? textProblem(text) : undefined;
    if (problem) throw queryFailure(`${this.#what} ${contains} ${problem}, which cannot be stored.`);
    return Buffer.byteLength(json);
  }

  #countStructures(structures: number): void {
    this.structures += structures;
    if (this.structures > maximumStructures) {
      throw dataLimitFailure(`${this.#what} contains more than ${maximumStructures} arrays and objects.`);
    }
  }

  #count(bytes: number): void {
    this.bytes += bytes;
    if (this.bytes > maximumPayloadBytes) {
      throw dataLimitFailure(`${this.#what} is larger than ${maximumPayloadBytes} bytes.`);
    }
  }
}

/** Sets a property whatever its name: assigning to `__proto__` would change the object instead. */
export function setOwn<T>(target: Record<string, T>, key: string, value: T): void {
  if (key !== '__proto__') target[key] = value;
  else Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}

/** Characters that are one byte in UTF-8 and not escaped in JSON. */
const oneByteEach = /^[ !#-[\]-~]*$/;

function isFunctionOfJsonata(value: object): boolean {
  return '_jsonata_lambda' in value || '_jsonata_function' in value;
}

function nonJson(value: unknown): string {
  if (typeof value === 'function') return 'a function or regular expression';
  return value === undefined ? 'an undefined value' : `a ${typeof value}`;
}
