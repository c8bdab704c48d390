import { describe, expect, test } from 'vitest';
import {
  isDeeperThan,
  isObject,
  nameOf,
  namesIn,
  pointerTo,
  startOf,
  storableText,
  textProblem,
} from '../../server/json/index.ts';

test('a JSON Pointer leads back to the names that it was made of', () => {
  const names = ['paths', '/users/{id}', 'a~1b', ''];
  const pointer = names.map((name) => pointerTo(name)).join('');
  expect(pointer).toBe('/paths/~1users~1{id}/a~01b/');
  expect(namesIn(pointer)).toEqual(names);
  expect(namesIn('')).toEqual([]);
  expect(nameOf('a~1b')).toBe('a/b');
});

test('isDeeperThan counts levels of arrays and objects, and does not recurse', () => {
  expect([isDeeperThan(5, 0), isDeeperThan([], 0), isDeeperThan({ a: [1] }, 2)]).toEqual([
    false,
    true,
    false,
  ]);
  let deep: unknown = [];
  for (let level = 0; level < 100_000; level++) deep = [deep];
  expect(isDeeperThan(deep, 200)).toBe(true);
});

test('isObject excludes arrays and null', () => {
  expect([{}, [], null, 'text'].map(isObject)).toEqual([true, false, false, false]);
});

describe('a text', () => {
  test('that PostgreSQL cannot store has a problem and a storable form', () => {
    expect(textProblem('a\0b')).toBe('NUL (U+0000)');
    expect(textProblem('a\ud800')).toBe('a lone surrogate (U+D800 to U+DFFF)');
    expect(textProblem('Zoë 😀')).toBeUndefined();
    expect(storableText('a\0b\ud800')).toBe('a\ufffdb\ufffd');
  });

  test('is not cut within a surrogate pair', () => {
    expect([startOf('a😀b', 2), startOf('a😀b', 3)]).toEqual(['a', 'a😀']);
  });
});
