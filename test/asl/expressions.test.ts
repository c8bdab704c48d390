import { describe, expect, test } from 'vitest';
import type { Json } from '../../server/json/index.ts';
import { endingOf, execute, only, start } from './run.ts';

const outputOf = (expression: string, input: Json = {}, random?: () => number) =>
  endingOf(only({ Type: 'Pass', Output: `{% ${expression} %}` }), { input, ...(random && { random }) });

const order = { order: { total: 12.5, lines: [{ price: 2.5 }, { price: 10 }], by: null } };

describe('results of JSONata become plain JSON', () => {
  test.each<[expression: string, value: unknown]>([
    ['$states.input.order.total', 12.5],
    ['$states.input.order.by', null],
    ['$states.input.order.lines.price', [2.5, 10]],
    ['$states.input.order.lines[price > 5].price', 10],
    ['$states.input.order.lines[price > 5][]', [{ price: 10 }]],
    ['[$states.input.order.lines[price > 99]]', []],
    ['$states.input.order.lines ~> $map(function($line) { $line.price * 2 })', [5, 20]],
    ['$states.input.order.{"t": total, "n": $count(lines)}', { t: 12.5, n: 2 }],
    ['{ "gone": $states.input.missing, "here": 1 }', { here: 1 }],
    ['[1, $states.input.missing, 2]', [1, 2]],
    ['($product := function($x, $y) { $x * $y }; $reduce([1..5], $product))', 120],
    ['$states.input ~> | order | { "total": 0 }, "lines" |', { order: { total: 0, by: null } }],
    ['-0', 0],
    ['"ünï ☃ 𝄞"', 'ünï ☃ 𝄞'],
    ['$states.input.order.lines^(>price).price', [10, 2.5]],
    ['$string({"a": [1]})', '{"a":[1]}'],
    ['$spread({"a": 1, "b": 2})', [{ a: 1 }, { b: 2 }]],
  ])('%s', async (expression, output) => {
    expect(await outputOf(expression, order)).toEqual({ output });
  });
});

describe('fails with States.QueryEvaluationError', () => {
  test.each<[what: string, expression: string]>([
    ['nothing', '$states.input.missing'],
    ['nothing of an array', '$states.input.order.lines[price > 99]'],
    ['a type error', '$states.input.order.total + "x"'],
    ['a function', 'function($x) { $x }'],
    ['a function of the library', '$sum'],
    ['a function inside an object', '{"f": $uppercase}'],
    ['a regular expression', '/a+/'],
    ['infinity', '1 / 0'],
    ['a number out of range', '1e300 * 1e300'],
    ['an error of its own', "$error('mine')"],
    ['an assertion', "$assert(false, 'mine')"],
    ['a call of what is no function', '$states.input()'],
    ['an unqualified name', 'order'],
    ['the context', '$'],
    ['the input document', '$$'],
    ['$states.result in a Pass', '$states.result'],
    ['$eval', "$eval('1 + 1')"],
    ['a method of JavaScript', '$states.input.toString'],
    ['a constructor', '$states.input.constructor'],
    ['a prototype', '$states.input.__proto__'],
    ['the constructor of a function', '$sum.constructor'],
    ['the implementation of a function', '$sum.implementation'],
  ])('%s', async (_, expression) => {
    expect(await outputOf(expression, order)).toMatchObject({ error: 'States.QueryEvaluationError' });
  });

  test('with a cause that names expression, field and reason', async () => {
    const definition = only({ Type: 'Pass', Output: { list: [1, { deep: "{% 1 + 'a' %}" }] } });
    expect(await endingOf(definition)).toEqual({
      error: 'States.QueryEvaluationError',
      cause:
        '‘ 1 + \'a\' ’ in Output/list/1/deep failed: The right side of the "+" operator must evaluate to a number (T2002)',
      expression: { field: 'Output/list/1/deep', position: 4 },
    });
  });
});

describe('functions that the language adds to JSONata', () => {
  test.each<[expression: string, value: unknown]>([
    ['$partition([1, 2, 3, 4, 5], 2)', [[1, 2], [3, 4], [5]]],
    ['$partition([1, 2], 5)', [[1, 2]]],
    ['[$partition([], 2)]', []],
    ['$range(0, 10, 2)', [0, 2, 4, 6, 8, 10]],
    ['$range(3, 1, -1)', [3, 2, 1]],
    ['$range(0, 1, 0.25)', [0, 0.25, 0.5, 0.75, 1]],
    ['[$range(1, 0, 1)]', []],
    ['$base64encode("é")', 'w6k='],
    ['$base64decode("w6k=")', 'é'],
    ["$hash('input data', 'MD5')", '812f45842bc6d66ee14572ce20db8e86'],
    ["$hash('input data', 'SHA-1')", 'aaff4a450a104cd177d28d18d74485e8cae074b7'],
    ["$hash('', 'SHA-256')", 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
    ["$length($hash('x', 'SHA-384'))", 96],
    ["$length($hash('x', 'SHA-512'))", 128],
    ['$random(7) = $random(7)', true],
    ['$random(7) = $random(8)', false],
    ['$random(42)', 0.7275636800328681],
    ['$parse(\'{"a": [1, null]}\')', { a: [1, null] }],
    ["$parse('3')", 3],
    ['$parse(\'{"__proto__": 1}\') ~> $keys()', '__proto__'],
    [
      '$match($uuid(), /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/) ~> $exists()',
      true,
    ],
    ['$now()', '2027-03-01T09:00:00.000Z'],
    ["$now('[D1]/[M1]/[Y0001] [H01]:[m01]', '+0200')", '1/3/2027 11:00'],
    ['$millis()', start.getTime()],
  ])('%s', async (expression, output) => {
    expect(await outputOf(expression)).toEqual({ output });
  });

  test('$random uses the machine’s random source without a seed', async () => {
    expect(await outputOf('$random()', {}, () => 0.125)).toEqual({ output: 0.125 });
  });

  test.each([
    '$partition([1, 2], 0)',
    '$partition([1, 2], 1.5)',
    '$partition(["a"], "b")',
    '$range(0, 1, 0)',
    '$range("a", 1, 1)',
    "$hash('x', 'CRC32')",
    "$hash(1, 'MD5')",
    "$parse('{')",
    '$parse(1)',
    "$random('x')",
  ])('%s fails with States.QueryEvaluationError', async (expression) => {
    expect(await outputOf(expression)).toMatchObject({ error: 'States.QueryEvaluationError' });
  });
});

describe('property names of Object.prototype', () => {
  const input = JSON.parse('{"__proto__": {"polluted": true}, "constructor": 1, "toString": 2}');

  test('pass through states, templates and expressions like any other', async () => {
    const Output = JSON.parse('{"all": "{% $states.input %}", "__proto__": {"x": "{% 1 + 1 %}"}}');
    const { ending } = await execute(only({ Type: 'Pass', Output }), { input });
    expect(JSON.stringify(ending)).toBe(
      '{"output":{"all":{"__proto__":{"polluted":true},"constructor":1,"toString":2},"__proto__":{"x":2}}}',
    );
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });

  test('can be read with backquotes', async () => {
    expect(await outputOf('$states.input.`__proto__`.polluted', input)).toEqual({ output: true });
    expect(await outputOf('$states.input.constructor', input)).toEqual({ output: 1 });
  });
});
