import { describe, expect, test } from 'vitest';
import { definitionOf, endingOf, execute, only, start } from './run.ts';

const input = { name: 'Ada', tags: ['a', 'b'], nested: { deep: [1, null, true] } };

describe('Pass', () => {
  test.each<[what: string, fields: object, output: unknown]>([
    ['gives its input without an Output', {}, input],
    ['gives the text of an Output that is no JSONata string', { Output: 'plain' }, 'plain'],
    ['gives a number, a boolean and null', { Output: [1.5, false, null] }, [1.5, false, null]],
    ['gives the empty string and empty structures', { Output: ['', {}, []] }, ['', {}, []]],
    ['evaluates an Output that is one JSONata string', { Output: '{% $states.input.name %}' }, 'Ada'],
    [
      'evaluates JSONata strings at any depth of arrays and objects',
      { Output: { a: ['{% $states.input.name %}', { b: '{% $count($states.input.tags) %}' }] } },
      { a: ['Ada', { b: 2 }] },
    ],
    [
      'leaves alone what only contains delimiters',
      { Output: ['Dear {% $states.input.name %}', ' {% 1 %}', '{% 1 %} '] },
      ['Dear {% $states.input.name %}', ' {% 1 %}', '{% 1 %} '],
    ],
    ['does not evaluate the keys of objects', { Output: { '{% 1 %}': 2 } }, { '{% 1 %}': 2 }],
    ['does not evaluate what an expression gives', { Output: "{% '{% 1 ' & '%}' %}" }, '{% 1 %}'],
    ['takes an expression without spaces and over several lines', { Output: '{%(\n 1 +\n 1\n)%}' }, 2],
  ])('%s', async (_, fields, output) => {
    expect(await endingOf(only({ Type: 'Pass', ...fields }), { input })).toEqual({ output });
  });

  test('continues to Next with its output as the next input', async () => {
    const definition = definitionOf({
      A: { Type: 'Pass', Output: { n: '{% $states.input.n + 1 %}' }, Next: 'B' },
      B: { Type: 'Pass', Output: '{% $states.input.n * 10 %}', End: true },
    });
    const { ending, entered } = await execute(definition, { input: { n: 1 } });
    expect(ending).toEqual({ output: 20 });
    expect(entered).toEqual([
      ['A', 0],
      ['B', 0],
    ]);
  });
});

describe('Succeed', () => {
  test.each<[what: string, fields: object, output: unknown]>([
    ['ends with its input', {}, input],
    ['ends with its Output', { Output: { hello: '{% $states.input.name %}' } }, { hello: 'Ada' }],
  ])('%s', async (_, fields, output) => {
    expect(await endingOf(only({ Type: 'Succeed', ...fields }), { input })).toEqual({ output });
  });
});

describe('Fail', () => {
  test.each<[what: string, fields: object, error: string, cause: string]>([
    ['fails with Error and Cause', { Error: 'No', Cause: 'because' }, 'No', 'because'],
    ['evaluates both', { Error: "{% 'E' & 1 %}", Cause: '{% $states.input.name %}' }, 'E1', 'Ada'],
    ['has empty ones where they are left out', {}, '', ''],
  ])('%s', async (_, fields, error, cause) => {
    expect(await endingOf(only({ Type: 'Fail', ...fields }), { input })).toEqual({ error, cause });
  });

  test.each(['{% 42 %}', '{% $states.input %}', '{% null %}', '{% $states.input.missing %}'])(
    'fails with States.QueryEvaluationError when Error is %s',
    async (error) => {
      const ending = await endingOf(only({ Type: 'Fail', Error: error }), { input });
      expect(ending).toMatchObject({ error: 'States.QueryEvaluationError' });
    },
  );
});

describe('$states', () => {
  test('has the input and the Context Object', async () => {
    const { ending } = await execute(only({ Type: 'Pass', Output: '{% $states %}' }), { input });
    expect(ending).toEqual({
      output: {
        input,
        context: {
          Execution: { Id: 'execution-1', Input: input, Name: 'Test', StartTime: start.toISOString() },
          State: { EnteredTime: start.toISOString(), Name: 'S', RetryCount: 0 },
          StateMachine: { Id: 'definition-1', Name: 'Definition' },
        },
      },
    });
  });

  test('has each state’s own name and time, and always the input of the execution', async () => {
    const output =
      '{% [$states.context.State.Name, $states.context.State.EnteredTime, $states.context.Execution.Input] %}';
    const definition = definitionOf({
      A: { Type: 'Wait', Seconds: 90, Next: 'B' },
      B: { Type: 'Pass', Output: output, End: true },
    });
    expect(await endingOf(definition, { input: { n: 1 } })).toEqual({
      output: ['B', '2027-03-01T09:01:30.000Z', { n: 1 }],
    });
  });
});
