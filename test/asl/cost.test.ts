import { describe, expect, test } from 'vitest';
import { costOf } from '../../server/asl/cost.ts';
import type { State } from '../../server/asl/definition.ts';

const countOf = (state: object) => costOf(state as State)?.expressions;
const output = (expression: string) => countOf({ Type: 'Pass', Output: `{% ${expression} %}` });

describe('a state is cheap', () => {
  test('without expressions', () => {
    expect(countOf({ Type: 'Pass', Output: { a: [1, 'text', { b: null }] }, End: true })).toBe(0);
    expect(countOf({ Type: 'Wait', Seconds: 1, Next: 'S' })).toBe(0);
  });

  test('if its expressions have only paths, literals and operators, and each expression counts', () => {
    expect(
      countOf({
        Type: 'Choice',
        Choices: [
          {
            Condition: "{% $states.input.a.b > 10 and $kind = 'x' %}",
            Next: 'S',
            Assign: { n: '{% $n + 1 %}' },
          },
        ],
        Output: '{% null %}',
      }),
    ).toBe(3);
  });
});

describe('a state is not cheap', () => {
  test.each([
    ['a function call', '$sum($states.input)'],
    ['a lambda', 'function($x) { $x }'],
    ['a block', '($x)'],
    ['a range', '[1..10]'],
    ['a filter', '$states.input[a = 1]'],
    ['an index', '$states.input.list[0]'],
    ['a wildcard', '$states.input.*'],
    ['descendants', '$states.input.**'],
    ['a variable as a step, which multiplies', '$x.$x.$x'],
    ['a sort', '$states.input^(a)'],
    ['a grouping', '$states.input{a: b}'],
    ['a regular expression', '/a+/'],
    ['a binding of position', '$states.input#$i.a'],
    ['a condition', '$x ? 1 : 2'],
    ['an object', '{"a": $x}'],
    ['a long expression', `$x${' + 1'.repeat(200)}`],
    ['what does not compile', '$x +'],
  ])('with %s', (_, expression) => {
    expect(output(expression)).toBeUndefined();
  });

  test('if it begins threads', () => {
    expect(countOf({ Type: 'Map', Items: [1] })).toBeUndefined();
    expect(countOf({ Type: 'Parallel', Branches: [] })).toBeUndefined();
  });

  test('if one of its expressions is not', () => {
    expect(countOf({ Type: 'Pass', Output: { a: '{% $x %}', b: ['{% $f() %}'] } })).toBeUndefined();
  });
});
