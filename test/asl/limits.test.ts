import { describe, expect, test } from 'vitest';
import { maximumPayloadBytes, toPayload } from '../../server/asl/size.ts';
import type { Json } from '../../server/json/index.ts';
import { inner } from './refusals.ts';
import { attack, definitionOf, endingOf, only, outputOf } from './run.ts';

// Expressions that take all time or memory, and the largest values: limits.slow.test.ts.
describe('an expression that backtracks', () => {
  test('fails with States.QueryEvaluationError, and does not affect the next ones', async () => {
    const ending = await outputOf(`$match('${attack}', /^(a+)+$/)`);
    expect(ending).toMatchObject({ error: 'States.QueryEvaluationError' });
    const expected = Array.from({ length: 10 }, (_, index) => ({ output: index + 1 }));
    expect(
      await Promise.all(expected.map((_, index) => outputOf(`$states.input.n + 1`, { n: index }))),
    ).toEqual(expected);
  });

  test('a recursion of a hundred calls succeeds', async () => {
    const factorial = '($f := function($n) { $n < 2 ? 1 : $n * $f($n - 1) }; $f(90) > 1e100)';
    expect(await outputOf(factorial)).toEqual({ output: true });
    const tail = '($f := function($n, $sum) { $n = 0 ? $sum : $f($n - 1, $sum + $n) }; $f(5000, 0))';
    expect(await outputOf(tail)).toEqual({ output: 12_502_500 });
  });
});

describe('a value above 16 MiB fails with States.DataLimitExceeded', () => {
  const half = "$reduce([1..23], function($text, $_) { $text & $text }, 'x')";
  const large = `{% [${half}, ${half}] %}`;
  const task = { Type: 'Task', Resource: 'wrp:http:call' };
  const caught = {
    Catch: [
      { ErrorEquals: ['States.ALL'], Next: 'Wrong' },
      { ErrorEquals: ['States.DataLimitExceeded'], Next: 'Right' },
    ],
  };
  const ends = { Wrong: { Type: 'Fail' }, Right: { Type: 'Succeed', Output: 'caught' } };

  test.each<[what: string, state: object]>([
    ['an output', { ...task, Output: large, Next: 'Right' }],
    ['arguments', { ...task, Arguments: { a: large }, Next: 'Right' }],
    ['variables', { ...task, Assign: { a: large }, Next: 'Right' }],
  ])('%s', async (_, state) => {
    const definition = definitionOf({ S: { ...state, ...caught }, ...ends });
    expect(await endingOf(definition)).toEqual({ output: 'caught' });
  });

  const deep = (levels: number): Json => (levels === 0 ? 1 : [deep(levels - 1)]);

  const nested = inner({ B: { Type: 'Succeed', Output: ['{% $states.input %}'] } });

  test.each<[what: string, state: object, isCaught: boolean]>([
    ['a Parallel', { Type: 'Parallel', Branches: [nested] }, true],
    ['a Map', { Type: 'Map', Items: ['{% $states.input %}'], ItemProcessor: nested }, true],
    ['a callback', { Type: 'Task', Resource: 'wrp:callback:wait' }, true],
    ['a call', task, false],
  ])(
    'the result of %s, which States.ALL catches if it comes from outside the step',
    async (_, state, isCaught) => {
      const definition = definitionOf({
        S: { ...state, Catch: [{ ErrorEquals: ['States.ALL'], Output: 'caught', Next: 'E' }], Next: 'E' },
        E: { Type: 'Succeed' },
      });
      const tasks = { S: [{ result: deep(501) }] };
      expect(await endingOf(definition, { input: deep(499), tasks })).toMatchObject(
        isCaught ? { output: 'caught' } : { error: 'States.DataLimitExceeded' },
      );
    },
  );

  test('all variables together', async () => {
    const definition = definitionOf({
      A: { Type: 'Pass', Assign: { a: `{% ${half} %}` }, Next: 'B' },
      B: { Type: 'Pass', Assign: { b: `{% ${half} %}` }, Next: 'E' },
      E: { Type: 'Succeed' },
    });
    expect(await endingOf(definition)).toEqual({
      error: 'States.DataLimitExceeded',
      cause: 'The set of variables is larger than 16777216 bytes.',
    });
  });

  test('the result of a task', async () => {
    const tasks = { S: [{ result: ['x'.repeat(maximumPayloadBytes)] }] };
    expect(await endingOf(only({ ...task, Output: 'small' }), { tasks })).toMatchObject({
      error: 'States.DataLimitExceeded',
    });
  });

  test('the results of branches together', async () => {
    const branch = (name: string) => ({
      StartAt: name,
      States: { [name]: { Type: 'Pass', Output: `{% ${half} %}`, End: true } },
    });
    const definition = only({ Type: 'Parallel', Branches: [branch('A'), branch('B')], Output: 'small' });
    expect(await endingOf(definition)).toMatchObject({ error: 'States.DataLimitExceeded' });
  });

  test('shared values that would be many when serialized', async () => {
    const doubled = '($d := function($v, $n) { $n = 0 ? $v : $d([[$v], [$v]], $n - 1) }; $d([1], 40))';
    expect(await outputOf(doubled)).toMatchObject({ error: 'States.DataLimitExceeded' });
  });

  test('arguments of more than 100,000 values', async () => {
    const ofValues = (count: number) =>
      endingOf(only(task), { input: Array.from({ length: count }, () => 1) });
    expect(await ofValues(99_999)).toHaveProperty('output.length', 99_999);
    expect(await ofValues(100_000)).toEqual({
      error: 'States.DataLimitExceeded',
      cause: 'The field Arguments contains more than 100000 values.',
    });
  });

  test('a value nested too deep', async () => {
    let nested: Json = 1;
    for (let level = 0; level < 10_000; level++) nested = [nested];
    const tasks = { S: [{ result: nested }] };
    expect(await endingOf(only(task), { tasks })).toMatchObject({ error: 'States.DataLimitExceeded' });
    const built = '($d := function($v, $n) { $n = 0 ? $v : $d([[$v]], $n - 1) }; $d([1], 600))';
    expect(await outputOf(built)).toMatchObject({ error: 'States.DataLimitExceeded' });
  });

  test('more than 100,000 items of a Map', async () => {
    const ItemProcessor = { StartAt: 'I', States: { I: { Type: 'Succeed' } } };
    const definition = only({ Type: 'Map', Items: '{% [1..100001] %}', ItemProcessor });
    expect(await endingOf(definition)).toMatchObject({ error: 'States.DataLimitExceeded' });
  });
});

describe('text that PostgreSQL cannot store fails with States.QueryEvaluationError', () => {
  const nul = '{% $decodeUrlComponent("%00") %}';
  const half = '{% $split("😀", "")[0] %}';
  const task = { Type: 'Task', Resource: 'wrp:http:call' };

  test.each<[what: string, state: object, cause: string]>([
    ['NUL in an output', { Type: 'Pass', Output: { a: [nul] } }, 'The field Output contains NUL (U+0000)'],
    [
      'half a pair in an output',
      { Type: 'Pass', Output: half },
      'The field Output contains a lone surrogate',
    ],
    [
      'the name of a property',
      { ...task, Arguments: '{% { $decodeUrlComponent("%00"): 1 } %}' },
      'whose name',
    ],
    ['variables', { Type: 'Pass', Assign: { a: nul } }, 'The field Assign contains NUL'],
    ['items', { Type: 'Map', Items: [nul], ItemProcessor: inner({ B: { Type: 'Succeed' } }) }, 'field Items'],
    ['the cause of a Fail', { Type: 'Fail', Cause: nul }, 'The field Cause contains NUL'],
    ['the result of a task', { ...task, Output: 'none' }, 'The result contains NUL (U+0000)'],
  ])('%s', async (_, state, cause) => {
    const tasks = { S: [{ result: { text: 'a\0b' } }] };
    expect(await endingOf(only(state), { tasks })).toEqual({
      error: 'States.QueryEvaluationError',
      cause: expect.stringContaining(cause),
    });
  });

  test('which a Catcher catches', async () => {
    const definition = definitionOf({
      S: { ...task, Catch: [{ ErrorEquals: ['States.ALL'], Next: 'E' }], Next: 'E' },
      E: { Type: 'Succeed', Output: '{% $states.input.Cause %}' },
    });
    expect(await endingOf(definition, { tasks: { S: [{ result: '\0' }] } })).toEqual({
      output: 'The result contains NUL (U+0000), which cannot be stored.',
    });
  });
});

describe('the size of a value is that of its JSON text', () => {
  const measured = (value: unknown) => {
    // A string fills the rest up to exactly the limit.
    const room = maximumPayloadBytes - Buffer.byteLength(JSON.stringify([value, '']));
    const fits = [value, 'x'.repeat(room)];
    expect(() => toPayload(fits, 'It')).not.toThrow();
    expect(() => toPayload([value, 'x'.repeat(room + 1)], 'It')).toThrow('larger');
  };

  test.each<[what: string, value: unknown]>([
    ['numbers', [0, -1.5, 1e21, 1e-7, 123456789]],
    ['words', [true, false, null]],
    ['structures', { a: [], b: {}, c: [[1], { d: 2 }] }],
    ['escapes', ['"', '\\', '\n\t\u0001', '\u007f']],
    ['other scripts', ['ü', '☃', '𝄞', '\u2028']],
    ['keys', { 'ü"': 1, '': 2 }],
    ['undefined properties, left out', { a: undefined, b: 1 }],
    [
      'what occurs twice',
      (() => {
        const twice = { a: [1, 2] };
        return [twice, twice];
      })(),
    ],
  ])('%s', (_, value) => measured(value));
});
