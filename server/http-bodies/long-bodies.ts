import { setImmediate as nextTurn } from 'node:timers/promises';

/*
 * Checking and serializing a list of 10,000 items would block the event loop for too long. Bodies with a long
 * array, at the top or one level below, are handled in batches with other requests in between.
 */

/** Items per batch: about 2 ms, even for the largest ones. */
const itemsAtOnce = 250;

const isLongArray = (value: unknown): value is unknown[] =>
  Array.isArray(value) && value.length > itemsAtOnce;

export function isLong(body: unknown): body is object {
  if (typeof body !== 'object' || body === null) return false;
  if (Array.isArray(body)) return body.length > itemsAtOnce;
  for (const name in body) if (isLongArray((body as Record<string, unknown>)[name])) return true;
  return false;
}

/**
 * Checks a long body as several short ones. The number of items is limited where they are read, not here.
 *
 * @param check returns the errors of a body; undefined if there are none
 */
export async function checkInParts(
  body: object,
  check: (part: unknown) => string[] | undefined,
): Promise<string[] | undefined> {
  for (let start = 0, more = true; more; start += itemsAtOnce) {
    const partOf = (value: unknown) => {
      if (!isLongArray(value)) return value;
      more ||= start + itemsAtOnce < value.length;
      return value.slice(start, start + itemsAtOnce);
    };
    more = false;
    const part = Array.isArray(body)
      ? partOf(body)
      : Object.fromEntries(Object.entries(body).map(([name, value]) => [name, partOf(value)]));
    const errors = check(part);
    if (errors) return errors;
    await nextTurn();
  }
  return undefined;
}

/** Serializes a long body in chunks. */
export async function jsonInPieces(body: object): Promise<Buffer[]> {
  const pieces: Buffer[] = [];
  for (const text of textsOf(body)) {
    pieces.push(Buffer.from(text));
    await nextTurn();
  }
  return pieces;
}

function* textsOf(body: object): Generator<string> {
  if (Array.isArray(body)) return yield* textsOfArray(body);
  let separator = '{';
  for (const [name, value] of Object.entries(body)) {
    if (value === undefined) continue;
    yield `${separator}${JSON.stringify(name)}:`;
    if (isLongArray(value)) yield* textsOfArray(value);
    else yield JSON.stringify(value);
    separator = ',';
  }
  yield '}';
}

function* textsOfArray(items: unknown[]): Generator<string> {
  for (let start = 0; start < items.length; start += itemsAtOnce) {
    const text = JSON.stringify(items.slice(start, start + itemsAtOnce));
    yield `${start === 0 ? '[' : ','}${text.slice(1, -1)}`;
  }
  yield ']';
}
