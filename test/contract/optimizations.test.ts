import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { isDateTime } from '../../generated/date-times.ts';
import { optimizeFormats } from '../../server/contract/formats.ts';
import { optimizeLengths } from '../../server/contract/lengths.ts';

const [ours, theirs] = [0, 1].map(() =>
  formats.default(new Ajv2020({ strict: false }), { mode: 'full' }),
) as [Ajv2020, Ajv2020];
optimizeFormats(ours as never);
optimizeLengths(ours);
theirs.addFormat('date-time', isDateTime);

/** Results and messages of ajv with and without the optimizations. */
function verdicts(schema: object, values: unknown[]) {
  const [quick, plain] = [ours.compile(schema), theirs.compile(schema)];
  const verdictsOf = (check: typeof quick) => values.map((value) => [value, check(value), check.errors]);
  return { quick: verdictsOf(quick), plain: verdictsOf(plain) };
}

/** A text with each of its characters left out, doubled, and replaced by each of a few others. */
function mutants(text: string): string[] {
  const others = [...'0aGfZ-_.+@: ÿıａ\0\n', '😀', '\ud800'];
  return [...text].flatMap((character, at) => {
    const [before, after] = [text.slice(0, at), text.slice(at + 1)];
    return [
      before + after,
      before + character + character + after,
      ...others.map((one) => before + one + after),
    ];
  });
}

describe('an optimized format gives the results of ajv-formats, or of the grammar of dates and times', () => {
  test.each([
    ['uuid', '5b0e7c1a-52f4-4A0B-8a54-0d6f3c1b9a02'],
    ['uuid', 'urn:uuid:5b0e7c1a-52f4-4a0b-8a54-0d6f3c1b9a02'],
    ['date-time', '2026-11-28T10:05:00.123Z'],
    ['date-time', '2024-02-29T23:59:60+01:30'],
    ['email', 'farah.nadeem+claims@northwind-mutual.example'],
    ['email', "o'neil_a--b@a1.b-2.co"],
  ])('%s, around %s', (format, valid) => {
    const values = [valid, ...mutants(valid), ...mutants(valid).flatMap((one) => [one.slice(1), `${one}.`])];
    const { quick, plain } = verdicts({ type: 'string', format }, values);
    expect(quick).toEqual(plain);
    expect(new Set(plain.map(([, verdict]) => verdict))).toEqual(new Set([true, false]));
  });
});

describe('an optimized keyword gives the results of ajv', () => {
  const texts = [
    '',
    'a',
    'ab',
    'abc',
    'abcd',
    '😀',
    '😀😀',
    '😀😀😀',
    '😀😀😀😀',
    '\ud800',
    'a\ud800b',
    'ééé',
  ];

  test.each([{ minLength: 2 }, { maxLength: 3 }, { minLength: 1, maxLength: 2 }])('%o', (bounds) => {
    const { quick, plain } = verdicts({ type: 'string', ...bounds }, texts);
    expect(quick).toEqual(plain);
  });
});
