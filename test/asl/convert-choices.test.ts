import { describe, expect, test } from 'vitest';
import type { Json } from '../../server/json/index.ts';
import { convert, onAws, run } from './converted.ts';

/** Whether a rule with this condition applies. */
async function holds(condition: object, input: Json): Promise<unknown> {
  const pass = (result: boolean) => ({ Type: 'Pass', Result: { result }, End: true });
  const choice = { Type: 'Choice', Choices: [{ ...condition, Next: 'Yes' }], Default: 'No' };
  const { ending } = await run(onAws({ C: choice, Yes: pass(true), No: pass(false) }), input);
  return 'output' in ending ? (ending.output as { result: boolean }).result : ending;
}

const [early, late] = ['2024-01-31T12:00:00Z', '2024-02-01T00:30:00+02:00'];

/** Operator, its operand, the values for which it is true, and those for which it is false. */
const literals: [operator: string, operand: Json, yes: Json[], no: Json[]][] = [
  ['StringEquals', 'b', ['b'], ['a', 'B', '', 1, null, true, ['b'], {}]],
  ['StringLessThan', 'b', ['a', 'B', ''], ['b', 'c', 1, null, false, [], {}]],
  ['StringGreaterThan', 'b', ['c', 'ba'], ['b', 'a', 9, null, [], {}]],
  ['StringLessThanEquals', 'b', ['a', 'b'], ['c', 1, null]],
  ['StringGreaterThanEquals', 'b', ['b', 'c'], ['a', 1, null]],
  ['NumericEquals', 1.5, [1.5], [1, '1.5', null, true, [1.5]]],
  ['NumericLessThan', 2, [1, -3, 1.99], [2, 3, '1', null, false, []]],
  ['NumericGreaterThan', 2, [2.1, 3], [2, 1, '3', null, true, {}]],
  ['NumericLessThanEquals', 2, [2, 1], [3, '1']],
  ['NumericGreaterThanEquals', 2, [2, 3], [1, '3']],
  ['BooleanEquals', true, [true], [false, 'true', 1, null]],
  ['BooleanEquals', false, [false], [true, 0, '', null]],
  [
    'TimestampEquals',
    late,
    [late, '2024-01-31T22:30:00Z', '2024-01-31T22:30:00.000Z'],
    [early, 'x', 1, null],
  ],
  ['TimestampLessThan', late, [early], [late, '2024', '', 1, null, {}]],
  ['TimestampGreaterThan', early, [late], [early, 'z', 9e15, null]],
  ['TimestampLessThanEquals', late, [early, late], ['2025-01-01T00:00:00Z', 0]],
  ['TimestampGreaterThanEquals', late, [late], [early, 'x']],
  ['IsNull', true, [null], [0, '', false, [], {}, 'null']],
  ['IsNull', false, [0, '', false, [], {}], [null]],
  ['IsString', true, ['', 'x'], [0, null, true, [], {}]],
  ['IsString', false, [0, null, true, [], {}], ['x']],
  ['IsNumeric', true, [0, -1.5], ['1', null, true, [], {}]],
  ['IsNumeric', false, ['1', null], [0]],
  ['IsBoolean', true, [true, false], ['true', 0, null]],
  ['IsBoolean', false, ['true', 0, null, []], [true]],
  [
    'IsTimestamp',
    true,
    [early, late, '2024-01-01T00:00:00.123Z'],
    ['2024-01-01', '2024-01-01T00:00:00', 1, null],
  ],
  ['IsTimestamp', false, ['x', 1, null, '2024-01-01T00:00:00'], [early]],
  ['IsPresent', true, [0, null, false, '', [], {}], []],
  ['IsPresent', false, [], [0, null, false, '', [], {}]],
  [
    'StringMatches',
    'log-*.txt',
    ['log-1.txt', 'log-.txt', 'log-a\nb.txt'],
    ['log-1xtxt', 'xlog-1.txt', 1, null, []],
  ],
  ['StringMatches', '*', ['', 'x'], [1, null]],
  ['StringMatches', 'a\\*b', ['a*b'], ['ab', 'axb']],
  ['StringMatches', 'a\\\\b', ['a\\b'], ['ab']],
  ['StringMatches', '(a/[b]){c}|$^?+', ['(a/[b]){c}|$^?+'], ['a']],
  ['StringMatches', 'ü😀-*', ['ü😀-x'], ['u-x']],
];

describe('a comparison', () => {
  const cases = literals.flatMap(([operator, operand, yes, no]) => [
    ...yes.map((value) => [operator, operand, value, true] as const),
    ...no.map((value) => [operator, operand, value, false] as const),
  ]);
  test.each(cases)('%s %j of %j is %j', async (operator, operand, value, result) => {
    expect(await holds({ Variable: '$.v', [operator]: operand }, { v: value })).toBe(result);
  });

  const withPath = literals.filter(([operator]) => !/^Is|Matches/.test(operator));
  const paths = withPath.flatMap(([operator, operand, yes, no]) => [
    ...yes.map((value) => [`${operator}Path`, operand, value, true] as const),
    ...no.map((value) => [`${operator}Path`, operand, value, false] as const),
  ]);
  test.each(paths)('%s %j of %j is %j', async (operator, operand, value, result) => {
    expect(await holds({ Variable: '$.v', [operator]: '$.other' }, { v: value, other: operand })).toBe(
      result,
    );
  });

  test.each<[what: string, condition: object, input: Json, result: boolean]>([
    ['an item of an array', { Variable: '$.a[1].b', NumericEquals: 2 }, { a: [{ b: 1 }, { b: 2 }] }, true],
    ['the context', { Variable: '$$.State.Name', StringEquals: 'C' }, {}, true],
    ['the input itself', { Variable: '$', IsNumeric: true }, 5, true],
    ['presence of a missing field', { Variable: '$.a.b', IsPresent: true }, { a: {} }, false],
    ['absence of a missing field', { Variable: '$.a.b', IsPresent: false }, {}, true],
    ['presence of a match', { Variable: '$.a[?(@.b == 1)]', IsPresent: true }, { a: [{ b: 1 }] }, true],
    ['presence without a match', { Variable: '$.a[?(@.b == 2)]', IsPresent: true }, { a: [{ b: 1 }] }, false],
    ['presence of an index', { Variable: '$.a[0]', IsPresent: true }, { a: [] }, false],
    ['Not', { Not: { Variable: '$.n', NumericEquals: 1 } }, { n: 2 }, true],
    ['Not of another type', { Not: { Variable: '$.n', NumericLessThan: 1 } }, { n: 'x' }, true],
    ['a missing field', { Variable: '$.no', NumericLessThan: 1 }, {}, false],
    [
      'And, guarded by IsPresent',
      {
        And: [
          { Variable: '$.n', IsPresent: true },
          { Variable: '$.n', NumericGreaterThan: 1 },
        ],
      },
      {},
      false,
    ],
    [
      'And and Or, nested',
      {
        And: [
          {
            Or: [
              { Variable: '$.n', NumericEquals: 1 },
              { Variable: '$.n', NumericEquals: 2 },
            ],
          },
          { Not: { And: [{ Variable: '$.s', StringEquals: 'x' }] } },
        ],
      },
      { n: 2, s: 'y' },
      true,
    ],
  ])('of %s', async (_, condition, input, result) => {
    expect(await holds(condition, input)).toBe(result);
  });
});

describe('the text of a condition', () => {
  const [more, less] = [
    { Variable: '$.n', NumericGreaterThan: 1 },
    { Variable: '$.n', NumericLessThan: 5 },
  ];
  const [one, two] = [1, 2].map((value) => ({ Variable: '$.n', NumericEquals: value })) as [object, object];
  const isNumber = '$type($states.input.n) = "number"';
  const [n, present] = ['$states.input.n', '$exists($states.input.n)'];
  test.each<[what: string, condition: object, source: string]>([
    ['tests a type once', { And: [more, less] }, `${isNumber} and ${n} > 1 and ${n} < 5`],
    [
      'tests a type once, however it is nested',
      { And: [{ Variable: '$.n', IsPresent: true }, { And: [more, { And: [less] }] }] },
      `${present} and ${isNumber} and ${n} > 1 and ${n} < 5`,
    ],
    [
      'tests it in each alternative',
      { Or: [more, less] },
      `(${isNumber} and ${n} > 1) or (${isNumber} and ${n} < 5)`,
    ],
    ['has no parentheses around comparisons', { Or: [one, two] }, `${n} = 1 or ${n} = 2`],
    ['has none around a single rule', { And: [{ Or: [one] }] }, `${n} = 1`],
    [
      'has them around alternatives',
      { And: [{ Or: [one, two] }, less] },
      `(${n} = 1 or ${n} = 2) and ${isNumber} and ${n} < 5`,
    ],
    [
      'has none around alternatives of alternatives',
      { Or: [{ Or: [one, two] }, one] },
      `${n} = 1 or ${n} = 2 or ${n} = 1`,
    ],
    [
      'has those of a function only',
      { Not: { And: [one, less] } },
      `$not(${n} = 1 and ${isNumber} and ${n} < 5)`,
    ],
  ])('%s', (_, condition, source) => {
    const choice = { Type: 'Choice', Choices: [{ ...condition, Next: 'E' }], Default: 'E' };
    const { definition } = convert(onAws({ C: choice, E: { Type: 'Succeed' } }));
    expect(definition.States['C']).toMatchObject({ Choices: [{ Condition: `{% ${source} %}` }] });
  });
});

describe('a Choice', () => {
  const end = { Type: 'Pass', End: true };

  test('passes on its input after InputPath and OutputPath, whichever rule applies', async () => {
    const choice = {
      Type: 'Choice',
      InputPath: '$.order',
      OutputPath: '$.lines',
      Choices: [{ Variable: '$.total', NumericGreaterThan: 10, Next: 'E' }],
      Default: 'F',
    };
    const document = onAws({ C: choice, E: end, F: end });
    for (const total of [5, 15]) {
      const { ending, entered } = await run(document, { order: { total, lines: { n: total } } });
      expect(ending).toEqual({ output: { n: total } });
      expect(entered.at(-1)?.[0]).toBe(total > 10 ? 'E' : 'F');
    }
  });

  test('assigns variables of the rule or of the state', async () => {
    const choice = {
      Type: 'Choice',
      Choices: [{ Variable: '$.n', NumericEquals: 1, Next: 'E', Assign: { 'v.$': '$.n', w: 'rule' } }],
      Default: 'E',
      Assign: { v: 0, w: 'default' },
    };
    const document = onAws({ C: choice, E: { ...end, Parameters: { 'v.$': '$v', 'w.$': '$w' } } });
    expect((await run(document, { n: 1 })).ending).toEqual({ output: { v: 1, w: 'rule' } });
    expect((await run(document, { n: 2 })).ending).toEqual({ output: { v: 0, w: 'default' } });
  });

  test('compares with a variable', async () => {
    const document = onAws({
      A: { Type: 'Pass', Assign: { 'limit.$': '$.limit' }, Next: 'C' },
      C: {
        Type: 'Choice',
        Choices: [{ Variable: '$.n', NumericLessThanPath: '$limit', Next: 'E' }],
        Default: 'F',
      },
      E: end,
      F: { Type: 'Fail' },
    });
    expect((await run(document, { n: 1, limit: 2 })).ending).toEqual({ output: { n: 1, limit: 2 } });
  });

  test.each([
    [{ Variable: '$.v', StringMatchesPath: '$.p' }, '/StringMatchesPath', /no comparison StringMatchesPath/],
    [{ Variable: '$.v', Unknown: 1 }, '/Unknown', /no comparison Unknown/],
    [{ Variable: '$.v' }, '', /exactly one comparison/],
    [{ Variable: '$.v', IsNull: true, IsString: true }, '', /exactly one comparison/],
    [{ Variable: '$.v[', IsNull: true }, '/Variable', /ends too early/],
    [{ Variable: '$.v[', IsPresent: true }, '/Variable', /ends too early/],
    [{ IsNull: true }, '/Variable', /must be a string/],
  ])('%j is reported at %s', (condition, pointer, message) => {
    const choice = { Type: 'Choice', Choices: [{ ...condition, Next: 'E' }] };
    expect(convert(onAws({ C: choice, E: end })).findings).toEqual([
      {
        kind: 'unsupported',
        pointer: `/States/C/Choices/0${pointer}`,
        message: expect.stringMatching(message),
      },
    ]);
  });
});
