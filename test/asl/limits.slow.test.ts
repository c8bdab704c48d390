import { describe, expect, test } from 'vitest';
import { maximumPayloadBytes } from '../../server/asl/size.ts';
import { scaledTimeout } from '../support/timeout.ts';
import { attack, endingOf, only, outputOf } from './run.ts';

describe('an expression that takes all time or memory fails with States.QueryEvaluationError within seconds', () => {
  test.each<[what: string, expression: string]>([
    ['a function that calls itself for ever', '($f := function($n) { 1 + $f($n + 1) }; $f(0))'],
    ['a tail call for ever', '($f := function($n) { $f($n + 1) }; $f(0))'],
    ['a range of 10^9', '$count([1..1000000000])'],
    ['a range above what may be gathered', '$count([1..9999999])'],
    ['$range of 10^9', '$range(1, 1000000000, 1)'],
    ['$range without end', '$range(1, 2, 1e-300)'],
    ['ranges inside ranges', '$sum([1..100000].($sum([1..100000])))'],
    [
      'a string that doubles',
      "($d := function($s, $n) { $n = 0 ? $s : $d($s & $s, $n - 1) }; $d('xxxxxxxx', 40))",
    ],
    ['a string padded to 500 million', "$length($pad('x', 500000000))"],
    ['a text of many levels to $parse', "$parse($pad('', 501, '['))"],
    ['one in $replace', `$replace('${attack}', /(a|aa)+$/, 'b')`],
    ['a match of nothing, again and again', "$match('abc', /x*/)"],
  ])('%s', async (_, expression) => {
    const before = performance.now();
    const ending = await outputOf(expression);
    expect(ending).toMatchObject({ error: 'States.QueryEvaluationError' });
    // Its own limits are 4 s at most.
    expect(performance.now() - before).toBeLessThan(scaledTimeout(20_000));
  });
});

describe('a value above 16 MiB fails with States.DataLimitExceeded', () => {
  test('to the byte', async () => {
    // Joined from two parts, so that a slow machine needs far less than the second that an expression has.
    const ofBytes = (bytes: number) => {
      const half = 'x'.repeat(Math.floor((bytes - 2) / 2));
      const rest = 'x'.repeat((bytes - 2) % 2);
      return outputOf(
        `$length($states.context.Execution.Name) > 0 ? $states.input & $states.input & '${rest}'`,
        half,
      );
    };
    expect(await ofBytes(maximumPayloadBytes)).toHaveProperty('output.length', maximumPayloadBytes - 2);
    expect(await ofBytes(maximumPayloadBytes + 1)).toMatchObject({ error: 'States.DataLimitExceeded' });
  });

  test('a result of more than 500,000 arrays and objects', async () => {
    const task = { Type: 'Task', Resource: 'wrp:http:call' };
    const ofObjects = (count: number) => ({
      tasks: { S: [{ result: Array.from({ length: count }, () => ({})) }] },
    });
    expect(await endingOf(only(task), ofObjects(499_999))).toHaveProperty('output.length', 499_999);
    expect(await endingOf(only(task), ofObjects(500_000))).toMatchObject({
      error: 'States.DataLimitExceeded',
      cause: 'The result contains more than 500000 arrays and objects.',
    });
    const twice = '($d := function($v, $n) { $n = 0 ? $v : $d([[$v, 1], [$v, 1]], $n - 1) }; $d([1], 19))';
    expect(await outputOf(twice)).toMatchObject({ error: 'States.DataLimitExceeded' });
  });
});
