import { describe, expect, test } from 'vitest';
import { definitionOf, endingOf, execute, only, type TaskResponse } from './run.ts';

const input = { list: [10, 20, 30], factor: 2, name: 'Ada' };

/** A Map whose iterations end in one state, `I`. */
function mapping(fields: object, each: object = { Type: 'Succeed' }) {
  const I = ['Succeed', 'Fail'].includes((each as { Type: string }).Type) ? each : { ...each, End: true };
  return only({ Type: 'Map', ItemProcessor: { StartAt: 'I', States: { I } }, ...fields });
}
const task = { Type: 'Task', Resource: 'wrp:http:call' };
const Items = '{% $states.input.list %}';
const item = '$states.context.Map.Item';

describe('Map', () => {
  test.each<[what: string, fields: object, output: unknown]>([
    ['gives the outputs of its iterations in order', { Items }, [10, 20, 30]],
    [
      'takes literal Items with expressions in them',
      { Items: [1, '{% $states.input.factor %}', 'x'] },
      [1, 2, 'x'],
    ],
    ['takes an empty array', { Items: [] }, []],
    ['takes an expression that gives an empty array', { Items: '{% [] %}' }, []],
    ['takes an array of arrays', { Items: '{% [[1, 2], [3]] %}' }, [[1, 2], [3]]],
    [
      'gives each iteration its ItemSelector, with index and value of the item',
      { Items, ItemSelector: { i: `{% ${item}.Index %}`, v: `{% ${item}.Value * $states.input.factor %}` } },
      [
        { i: 0, v: 20 },
        { i: 1, v: 40 },
        { i: 2, v: 60 },
      ],
    ],
    [
      'takes an ItemSelector that is one expression',
      { Items, ItemSelector: `{% ${item}.Value + 1 %}` },
      [11, 21, 31],
    ],
    ['shapes the result with Output', { Items, Output: '{% $sum($states.result) %}' }, 60],
    ['sees its own input in Output', { Items, Output: '{% $states.input.name %}' }, 'Ada'],
  ])('%s', async (_, fields, output) => {
    expect(await endingOf(mapping(fields), { input })).toEqual({ output });
  });

  test('uses its input without Items', async () => {
    expect(await endingOf(mapping({}), { input: ['a', 'b'] })).toEqual({ output: ['a', 'b'] });
  });

  test('gives every state of an iteration the item, whatever the ItemSelector returns', async () => {
    const definition = mapping(
      { Items, ItemSelector: 'same' },
      { Type: 'Pass', Output: ['{% $states.input %}', `{% ${item} %}`] },
    );
    expect(await endingOf(definition, { input: { list: ['x'] } })).toEqual({
      output: [['same', { Index: 0, Value: 'x' }]],
    });
  });

  test('a nested Map has items of its own, and the outer items are back after it', async () => {
    const definition = only({
      Type: 'Map',
      Items: ['a', 'b'],
      ItemProcessor: {
        StartAt: 'Inner',
        States: {
          Inner: {
            Type: 'Map',
            Items: [1],
            ItemProcessor: {
              StartAt: 'I',
              States: { I: { Type: 'Succeed', Output: `{% ${item}.Value %}` } },
            },
            Next: 'After',
          },
          After: { Type: 'Pass', Output: ['{% $states.input %}', `{% ${item}.Value %}`], End: true },
        },
      },
    });
    expect(await endingOf(definition)).toEqual({
      output: [
        [[1], 'a'],
        [[1], 'b'],
      ],
    });
  });

  test.each<[what: string, fields: object]>([
    ['Items that are an object', { Items: '{% $states.input %}' }],
    ['Items that are a number', { Items: '{% 3 %}' }],
    ['Items that are null', { Items: '{% null %}' }],
    ['Items that are nothing', { Items: '{% $states.input.missing %}' }],
    ['an input that is no array, without Items', {}],
    ['an ItemSelector that fails', { Items, ItemSelector: { a: `{% ${item}.Value & $error('no') %}` } }],
    ['a negative MaxConcurrency', { Items, MaxConcurrency: '{% -1 %}' }],
    ['a fraction of MaxConcurrency', { Items, MaxConcurrency: '{% 1.5 %}' }],
    ['a ToleratedFailureCount that is a string', { Items, ToleratedFailureCount: "{% '1' %}" }],
    ['a negative ToleratedFailurePercentage', { Items, ToleratedFailurePercentage: '{% -1 %}' }],
    ['a ToleratedFailurePercentage above 100', { Items, ToleratedFailurePercentage: '{% 101 %}' }],
  ])('fails with States.QueryEvaluationError: %s', async (_, fields) => {
    expect(await endingOf(mapping(fields), { input })).toMatchObject({
      error: 'States.QueryEvaluationError',
    });
  });

  test.each<[what: string, fields: object, maxConcurrency: number, toleratedFailures: number]>([
    ['any number at once, none may fail', {}, 0, 0],
    ['MaxConcurrency', { MaxConcurrency: 2 }, 2, 0],
    ['an expression for it', { MaxConcurrency: '{% $states.input.factor %}' }, 2, 0],
    ['ToleratedFailureCount', { ToleratedFailureCount: 1 }, 0, 1],
    ['an expression for it', { ToleratedFailureCount: '{% $states.input.factor %}' }, 0, 2],
    ['ToleratedFailurePercentage, of three items', { ToleratedFailurePercentage: 50 }, 0, 1],
    ['an expression for it', { ToleratedFailurePercentage: '{% 66.7 %}' }, 0, 2],
    ['all of them', { ToleratedFailurePercentage: 100 }, 0, 3],
    ['the smaller of both', { ToleratedFailureCount: 3, ToleratedFailurePercentage: 34 }, 0, 1],
  ])('specifies how its iterations run: %s', async (_, fields, maxConcurrency, toleratedFailures) => {
    const { forks } = await execute(mapping({ Items, ...fields }), { input });
    expect(forks).toEqual([{ state: 'S', threads: 3, maxConcurrency, toleratedFailures }]);
  });

  const second: { tasks: Record<string, TaskResponse[]> } = {
    tasks: { I: [{ result: 'one' }, { error: 'Mine', cause: 'refused' }, { result: 'three' }] },
  };

  test('fails with the error of an iteration', async () => {
    expect(await endingOf(mapping({ Items }, task), { input, ...second })).toEqual({
      error: 'Mine',
      cause: 'refused',
    });
  });

  test('leaves out the outputs of iterations that failed and are tolerated', async () => {
    const definition = mapping({ Items, ToleratedFailureCount: 1 }, task);
    expect(await endingOf(definition, { input, ...second })).toEqual({ output: ['one', 'three'] });
  });

  test.each<[what: string, fields: object]>([
    ['count', { ToleratedFailureCount: 1 }],
    ['count of 0', { ToleratedFailureCount: 0 }],
    ['percentage', { ToleratedFailurePercentage: 34 }],
  ])('fails with States.ExceedToleratedFailureThreshold when more fail: %s', async (_, fields) => {
    const ending = await endingOf(mapping({ Items, ...fields }, { Type: 'Fail', Error: 'Mine' }), { input });
    expect(ending).toMatchObject({ error: 'States.ExceedToleratedFailureThreshold' });
    expect(ending).toMatchObject({ cause: expect.stringContaining('Mine') });
  });

  test('can be retried and caught', async () => {
    const definition = definitionOf({
      S: {
        Type: 'Map',
        Items: [1],
        ToleratedFailureCount: 0,
        ItemProcessor: { StartAt: 'I', States: { I: { Type: 'Fail', Error: 'Mine' } } },
        Retry: [{ ErrorEquals: ['States.ExceedToleratedFailureThreshold'], MaxAttempts: 1 }],
        Catch: [{ ErrorEquals: ['States.ALL'], Next: 'E' }],
        End: true,
      },
      E: { Type: 'Succeed', Output: '{% $states.input.Error %}' },
    });
    const { ending, entered } = await execute(definition);
    expect(ending).toEqual({ output: 'States.ExceedToleratedFailureThreshold' });
    expect(entered.filter(([state]) => state === 'S')).toHaveLength(2);
  });

  test('an error that an iteration catches is not a failure of it', async () => {
    const definition = only({
      Type: 'Map',
      Items: [1, 2],
      ItemProcessor: {
        ProcessorConfig: { Mode: 'INLINE' },
        StartAt: 'I',
        States: {
          I: { ...task, Catch: [{ ErrorEquals: ['Mine'], Output: 'caught', Next: 'J' }], End: true },
          J: { Type: 'Succeed' },
        },
      },
    });
    expect(await endingOf(definition, { tasks: { I: [{ error: 'Mine' }] } })).toEqual({
      output: ['caught', 'caught'],
    });
  });
});
