import { expect, test } from 'vitest';
import { canonicalIdentifiers } from '../../server/src/domain/identifiers.ts';

const upper = '5B0E7C1A-52F4-4A0B-8A54-0D6F3C1B9A02';
const lower = upper.toLowerCase();

test('an identifier in upper case is converted to lower case', () => {
  expect(canonicalIdentifiers({ userId: upper, roleId: lower })).toEqual({ userId: lower, roleId: lower });
});

test('other values and nested values stay unchanged', () => {
  const values = { title: upper, userId: 'Ada', parameters: { userId: upper }, tags: [upper], homeId: 5 };
  expect(canonicalIdentifiers(values)).toBe(values);
  for (const value of [undefined, null, 'Id', 5]) expect(canonicalIdentifiers(value)).toBe(value);
});

test('a field called __proto__ stays an ordinary field', () => {
  const values = JSON.parse(`{"__proto__": {"a": 1}, "userId": "${upper}"}`);
  expect(JSON.stringify(canonicalIdentifiers(values))).toBe(`{"__proto__":{"a":1},"userId":"${lower}"}`);
});
