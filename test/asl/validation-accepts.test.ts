import { describe, expect, test } from 'vitest';
import { validateDefinition } from '../../server/asl/validate.ts';
import { ends, having, inner, refusals, task } from './refusals.ts';
import { definitionOf } from './run.ts';

describe('validateDefinition accepts', () => {
  test.each<[what: string, document: unknown]>([
    ['the smallest definition', { QueryLanguage: 'JSONata', ...inner(ends) }],
    [
      'all fields of a definition',
      { QueryLanguage: 'JSONata', Comment: 'c', Version: '1.0', TimeoutSeconds: 60, ...inner(ends) },
    ],
    [
      'a Task with everything',
      having({
        ...task,
        Comment: 'c',
        QueryLanguage: 'JSONata',
        Arguments: { url: '{% $states.input.url %}', States: 'not states', empty: '', lists: [[1, ['x']]] },
        TimeoutSeconds: 30,
        HeartbeatSeconds: '{% $states.input.beat %}',
        Assign: { code: '{% $states.result.statusCode %}' },
        Output: '{%\n  $states.result.body\n%}',
        Retry: [
          {
            ErrorEquals: ['Http.StatusCode.503', 'States.Timeout'],
            IntervalSeconds: 1,
            MaxAttempts: 0,
            BackoffRate: 1.5,
            MaxDelaySeconds: 60,
            JitterStrategy: 'FULL',
          },
          { ErrorEquals: ['States.ALL'], Comment: 'c' },
        ],
        Catch: [
          { ErrorEquals: ['States.ALL'], Output: '{% $states.errorOutput %}', Assign: { e: 1 }, Next: 'E' },
        ],
      }),
    ],
    ['every task', having({ ...task, Resource: 'wrp:callback:wait' })],
    [
      'a Choice',
      definitionOf({
        S: {
          Type: 'Choice',
          Choices: [
            { Condition: '{% $states.input.a = 1 %}', Assign: { a: 1 }, Output: 1, Next: 'E', Comment: 'c' },
            { Condition: true, Next: 'S' },
          ],
          Default: 'E',
        },
        ...ends,
      }),
    ],
    ['a Wait until a Timestamp', having({ Type: 'Wait', Timestamp: '2027-03-01T09:00:00Z' })],
    ['a Wait of an expression', having({ Type: 'Wait', Seconds: '{% $states.input.s %}' })],
    ['a Fail with expressions', definitionOf({ S: { Type: 'Fail', Error: "{% 'a' %}", Cause: 'b' } })],
    ['an Output that is an array or a number', having({ Type: 'Pass', Output: [1, ['{% 2 %}']] })],
    [
      'a Map and a Parallel in each other',
      having({
        Type: 'Map',
        Items: '{% $states.input %}',
        ItemSelector: '{% $states.context.Map.Item.Value %}',
        MaxConcurrency: 3,
        ToleratedFailureCount: '{% 1 %}',
        ToleratedFailurePercentage: 12.5,
        ItemProcessor: {
          ProcessorConfig: { Mode: 'INLINE' },
          ...inner({
            P: {
              Type: 'Parallel',
              Arguments: [1],
              Branches: [
                { Comment: 'c', ...inner({ A: { Type: 'Pass', End: true } }) },
                inner({ B: { Type: 'Succeed' } }),
              ],
              End: true,
            },
          }),
        },
      }),
    ],
    [
      'variables that are read in the scopes inside, and equal names in scopes beside each other',
      definitionOf({
        A: { Type: 'Pass', Assign: { x: 1 }, Next: 'P' },
        P: {
          Type: 'Parallel',
          Branches: [
            inner({ B: { Type: 'Pass', Assign: { y: '{% $x %}' }, End: true } }),
            inner({ C: { Type: 'Pass', Assign: { y: '{% $x %}' }, End: true } }),
          ],
          End: true,
        },
      }),
    ],
    [
      'variables, functions and contexts of an expression’s own',
      having({
        Type: 'Pass',
        Output:
          '{% ($f := function($a, $b) { $a + $b }; $l := $states.input.list[price > 1 and $.open].(name & $f(1, 2)); $l ~> $map(function($v, $i) { $i })) %}',
      }),
    ],
    [
      'joins of JSONata',
      having({ Type: 'Pass', Output: '{% $states.input.a@$x.b#$i[$x.id = id].{"x": $x, "i": $i} %}' }),
    ],
    [
      'names that objects have of themselves',
      JSON.parse(
        '{"QueryLanguage":"JSONata","StartAt":"__proto__","States":{"__proto__":{"Type":"Pass","Assign":{"constructor":1,"__proto__":2},"Next":"toString"},"toString":{"Type":"Succeed","Output":"{% $constructor %}"}}}',
      ),
    ],
    ['an empty Retry and an empty Catch', having({ ...task, Retry: [], Catch: [] })],
  ])('%s', (_, document) => {
    expect(refusals(document)).toEqual([]);
  });
});

test('definitions of different structure need a few milliseconds each', () => {
  const definitions = Array.from({ length: 60 }, (_, index) =>
    having({ ...task, Retry: [{ ErrorEquals: ['A'], MaxAttempts: index + 100 }] }),
  );
  const before = process.cpuUsage();
  expect(definitions.flatMap(refusals)).toEqual([]);
  // A validator that compiles its schemas for each definition takes over 100 ms.
  expect(process.cpuUsage(before).user / 60).toBeLessThan(50_000);
});

test('the supported tasks can be configured', () => {
  const definition = having({ ...task, Resource: 'other:task' });
  expect(validateDefinition(definition, new Set(['other:task']))).toEqual({ definition });
});
