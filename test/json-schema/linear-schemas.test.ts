import { isDeepStrictEqual } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { compileInputSchema } from '../../server/json-schema/compile.ts';
import { problemsOfLimits } from '../../server/json-schema/limits.ts';
import { linearPattern, patternSize } from '../../server/json-schema/patterns.ts';

/** Always the same sequence, so that failures are reproducible. */
function random(seed: number) {
  let state = seed;
  const below = (limit: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >> 8) % limit;
  };
  const one = <Item>(items: readonly Item[]) => items[below(items.length)] as Item;
  const some = <Item>(most: number, items: readonly Item[]) =>
    Array.from({ length: below(most + 1) }, () => one(items));
  return { below, one, some };
}

const backslashed =
  String.raw`\d \D \w \W \s \S \b \B \p{L} \P{Lu} \p{Script=Latin} \p{gc=Nd} \u00e9 \u{1f600} \ud83d\ude00
 \x41 \cJ \t \n \v \0 \/ \.`.split(/\s+/);
const atoms = [
  ...backslashed,
  'a',
  'b',
  'Z',
  '0',
  '_',
  '-',
  'é',
  '😀',
  '.',
  '^',
  '$',
  '[a-c]',
  '[^a]',
  '[^]',
  '[]',
  '[.*]',
  '(|a)',
  ...String.raw`(?:a|b) (a) [a\-z] [\b] [\]\\] [\s\d] [^\S] [\W_] [^\D] [\p{L}\-]`.split(' '),
];
const quantifiers = ['', '', '', '', '*', '+', '?', '{2}', '{1,3}', '{0}', '{2,}', '*?', '+?', '??'];
const characters = [
  ...'a b c Z 0 9 _ - é 😀 / . \\ ] * K ſ A'.split(' '),
  ' ',
  '\0',
  '\n',
  '\r',
  '\t',
  '\v',
  '\f',
  '\u00a0',
  '\u2028',
  '\u2029',
  '\ufeff',
  '\u0085',
  '\u180e',
  '\u3000',
];

describe('a pattern', () => {
  test('matches as in JavaScript', () => {
    const { below, one, some } = random(7);
    const pattern = (depth: number): string =>
      Array.from({ length: 1 + below(4) }, () => {
        const group = depth > 0 && below(4) === 0;
        const atom = group
          ? `(?:${pattern(depth - 1)}${below(3) ? '' : `|${pattern(depth - 1)}`})`
          : one(atoms);
        return /^(?:\\b|\\B|\^|\$)$/.test(atom) ? atom : atom + one(quantifiers);
      }).join('');
    let compared = 0;
    for (let count = 0; count < 1_500; count++) {
      const source = pattern(2);
      // Not every combination is a pattern.
      const native = ((): RegExp | undefined => {
        try {
          return new RegExp(source, 'u');
        } catch {
          return undefined;
        }
      })();
      if (!native) continue;
      const linear = linearPattern(source);
      const texts = Array.from({ length: 20 }, () => some(5, characters).join(''));
      // V8 finds \\B inside of a surrogate pair, too.
      const comparable = source.includes('\\B') ? texts.map((text) => text.replaceAll('😀', 'é')) : texts;
      const differing = comparable.filter((text) => linear.test(text) !== native.test(text));
      expect([source, differing]).toEqual([source, []]);
      compared += texts.length;
    }
    expect(compared).toBeGreaterThan(25_000);
  });

  test('has the categories and scripts of JavaScript, of the same version of Unicode', () => {
    const classes = ['L', 'Lu', 'Ll', 'Lo', 'M', 'N', 'Nd', 'P', 'S', 'Sc', 'Z', 'C', 'Cn', 'Any'];
    for (const name of [...classes, 'Script=Latin', 'Script=Han', 'sc=Greek', 'sc=Old_Italic', 'gc=Lm']) {
      const [linear, native] = [linearPattern(`^\\p{${name}}$`), new RegExp(`^\\p{${name}}$`, 'u')];
      let differences = 0;
      for (let code = 0; code < 0x110000; code += code < 0x600 ? 1 : 11) {
        if (code >= 0xd800 && code < 0xe000) continue;
        const character = String.fromCodePoint(code);
        if (linear.test(character) !== native.test(character)) differences++;
      }
      expect([name, differences]).toEqual([name, 0]);
    }
  });

  test.each([
    [
      '(?=a)b',
      'has a lookahead, (?=a), which does not run in linear time: use several patterns with allOf, or not',
    ],
    [
      '(?<!a)b',
      'has a lookbehind, (?<!a), which does not run in linear time: use several patterns with allOf, or not',
    ],
    ['(a)\\1', 'has a backreference, \\1, which does not run in linear time'],
    ['(?<n>a)\\k<n>', 'has a backreference, \\k<n>, which does not run in linear time'],
    ['(?i:a)', 'has flags inside, (?i:a)'],
    ['\\p{Emoji}', /^has a class that is not supported, \\p\{Emoji\}; write categories as \\p\{Lu\}/],
    ['\\p{Script=Klingon}', /^is not a regular expression: Invalid property name$/],
    ['(a', 'is not a regular expression: Unterminated group'],
    ['(?i)a', 'is not a regular expression: Invalid group'],
    ['a{5001}', 'is too large: with its repetitions it has 5002 characters; the limit is 5000'],
    ['(a{1000}){1000}', 'is too large: with its repetitions it has 1001001 characters; the limit is 5000'],
    ['a'.repeat(2_001), 'is longer than 2000 characters'],
  ])('%s is refused with the reason', (source, reason) => {
    expect(() => linearPattern(source)).toThrow(reason);
    expect(() => patternSize(source)).toThrow(reason);
  });

  test('may repeat more often than RE2 allows', () => {
    const { test: matches } = linearPattern('^a{1,1100}$');
    expect([1, 1100].map((count) => matches('a'.repeat(count)))).toEqual([true, true]);
    expect([0, 1101].map((count) => matches('a'.repeat(count)))).toEqual([false, false]);
  });
});

describe('a format', () => {
  const pieces = [
    ...'http:// https:// ftp:// urn: urn:uuid: x:// // / ? # @ : :80 :: . ..'.split(' '),
    ...'a b z A Z 0 1 9 - -- _ %41 %zz ~ ~0 ~1 ~2 [ ] [::1] v1. { } {+a,b*} {a:3}'.split(' '),
    ...'é 日 😀 K P 1Y T 2H W ab: = AAAA 23:59:60Z 2020-01-01 example.com x@y.zz'.split(' '),
    '\n',
    ' ',
    '\u2028',
    '00000000-0000-4000-8000-000000000000',
    ...`! $ & ' ( ) * + , ; " < > \\ ^ \` |`.split(' '),
    ...'1.2.3.4 10.0.0.1 8.8.8.8 126.0.0.254 127.0.0.1 224.1.1.1 8.8.8.255'.split(' '),
    ...'172.15.0.1 172.16.0.1 172.31.0.1 172.32.0.1 172.016.0.1 01.2.3.4 1.02.3.4'.split(' '),
    ...'192.168.1.1 192.167.1.1 169.254.1.1 169.253.1.1'.split(' '),
  ];
  const stock = new Ajv2020();
  addFormats.default(stock);
  const names = Object.keys(stock.formats);

  test.each(names)('%s accepts what ajv-formats accepts', (format) => {
    const { below, one, some } = random(5);
    const schema = { format };
    const [ours, theirs] = [compileInputSchema(schema), stock.compile(schema)];
    const texts = Array.from({ length: 4_000 }, () => {
      const start =
        /^ur[il]/.test(format) && below(2) ? one(['http://', 'https://', 'ftp://', 'urn:', '//']) : '';
      return start + some(7, pieces).join('');
    });
    expect(texts.filter((text) => ours(text) !== theirs(text))).toEqual([]);
  });
});

test('uniqueItems finds the same items as ajv, with the same message', () => {
  const { below, one } = random(3);
  const plain = [0, 1, -1, 1.5, '', '1', 'a', '[]', '{}', 'null', true, false, null];
  const value = (depth: number): unknown => {
    if (depth === 0 || below(2)) return one(plain);
    const parts = Array.from({ length: below(3) }, () => value(depth - 1));
    return below(2) ? parts : Object.fromEntries(parts.map((part) => [one(['a', 'b', 'c']), part]));
  };
  const schema = { uniqueItems: true };
  const stock = new Ajv2020({ allErrors: true, verbose: true }).compile(schema);
  const ours = compileInputSchema(schema);
  let repeated = 0;
  for (let count = 0; count < 5_000; count++) {
    const items = Array.from({ length: below(6) }, () => value(2));
    if (ours(items) === stock(items) && isDeepStrictEqual(ours.errors, stock.errors))
      repeated += ours.errors ? 1 : 0;
    else expect([items, ours.errors]).toEqual([items, stock.errors]);
  }
  expect(repeated).toBeGreaterThan(300);
  expect(compileInputSchema({ uniqueItems: false })([1, 1])).toBe(true);
});

describe('limits of a schema', () => {
  test('refuse unsupported patterns, each with its path', () => {
    const schema = {
      properties: { a: { pattern: '(?=a)' }, pattern: { type: 'string', default: { pattern: '(?=a)' } } },
      patternProperties: { '(a)\\1': { items: { anyOf: [{ pattern: 'ok' }, { pattern: '\\p{Emoji}' }] } } },
      $defs: { b: { propertyNames: { pattern: '(?!b)' } } },
      const: { pattern: '(?=a)' },
    };
    expect(problemsOfLimits(schema).map(({ pointer }) => pointer)).toEqual([
      '/patternProperties/(a)\\1',
      '/$defs/b/propertyNames/pattern',
      '/patternProperties/(a)\\1/items/anyOf/1/pattern',
      '/properties/a/pattern',
    ]);
  });

  test('refuse one that is too large or nested too deeply', () => {
    const large = { enum: ['a'.repeat(64 * 1024)] };
    expect(problemsOfLimits(large)).toEqual([
      { pointer: '', message: 'has 65549 bytes as JSON; the limit is 65536' },
    ]);
    let deep = {};
    for (let level = 0; level < 65; level++) deep = { not: deep };
    expect(problemsOfLimits(deep)).toEqual([{ pointer: '', message: 'is nested more than 64 levels deep' }]);
  });
});
