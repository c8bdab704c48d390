import { isDeepStrictEqual } from 'node:util';
import { isObject, pointerTo } from '../../json/index.ts';

/** A JSON value that differs. `pointer` is a JSON Pointer (RFC 6901); an absent value has no `from` or `to`. */
export interface Difference {
  pointer: string;
  from?: unknown;
  to?: unknown;
}

/**
 * The innermost values that differ. Arrays of different lengths differ as a whole.
 *
 * @param partial objects of `to` may have other fields. Default: false
 */
export function* differencesOf(
  from: unknown,
  to: unknown,
  pointer = '',
  partial = false,
): Generator<Difference> {
  if (isDeepStrictEqual(from, to)) return;
  if (Array.isArray(from) && Array.isArray(to) && from.length === to.length) {
    for (const [index, value] of from.entries())
      yield* differencesOf(value, to[index], pointer + pointerTo(index), partial);
  } else if (isObject(from) && isObject(to)) {
    const own = (value: Record<string, unknown>, name: string) =>
      Object.hasOwn(value, name) ? value[name] : undefined;
    for (const name of new Set([...Object.keys(from), ...(partial ? [] : Object.keys(to))]))
      yield* differencesOf(own(from, name), own(to, name), pointer + pointerTo(name), partial);
  } else {
    yield { pointer, ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
  }
}
