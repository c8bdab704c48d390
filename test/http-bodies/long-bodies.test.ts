import { describe, expect, test } from 'vitest';
import { checkInParts, isLong, jsonInPieces } from '../../server/http-bodies/long-bodies.ts';

const items = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ index, name: `n ‘${index}’` }));
/** The lists of a body by their location. */
const listsOf = (body: unknown): [place: string, list: unknown[]][] =>
  Object.entries(Array.isArray(body) ? { '': body } : (body as object)).filter(([, list]) =>
    Array.isArray(list),
  );

describe('a body with a long list', () => {
  test.each([
    ['a list', items(1_001)],
    ['a list of as many parts as fit', items(1_000)],
    ['two lists and a field', { one: items(600), empty: [], none: undefined, two: items(251), total: 3 }],
  ])('is serialized and checked in parts, with the same result: %s', async (_what, body) => {
    expect(isLong(body)).toBe(true);
    const pieces = await jsonInPieces(body);
    expect(Buffer.concat(pieces).toString()).toBe(JSON.stringify(body));
    expect(pieces.length).toBeGreaterThan(3);
    const seen: Record<string, unknown[]> = {};
    const problems = await checkInParts(body, (part) => {
      for (const [place, list] of listsOf(part)) {
        expect(list.length).toBeLessThanOrEqual(250);
        seen[place] = [...(seen[place] ?? []), ...list];
      }
      return undefined;
    });
    expect(problems).toBeUndefined();
    expect(seen).toEqual(Object.fromEntries(listsOf(body)));
  });

  test('is refused at its first invalid item, and not checked further', async () => {
    let parts = 0;
    const problems = await checkInParts({ list: items(1_001) }, (part) => {
      parts += 1;
      const { list } = part as { list: { index: number }[] };
      return list.some(({ index }) => index === 500) ? ['/list/500 is wrong'] : undefined;
    });
    expect(problems).toEqual(['/list/500 is wrong']);
    expect(parts).toBe(3);
  });

  test.each([[items(250)], [{ list: items(250) }], ['text'.repeat(1000)], [undefined], [null], [7]])(
    'is distinguished from shorter bodies and other values: %#',
    (body) => expect(isLong(body)).toBe(false),
  );
});
