import { describe, expect, test } from 'vitest';
import { convert, onAws, run } from './converted.ts';
import type { Ending } from './run.ts';

describe('a definition', () => {
  test('keeps its comment, version and timeout, and starts with the parameters', () => {
    const document = onAws(
      { Parameters: { Type: 'Pass', Comment: 'p', End: true } },
      { Comment: 'c', Version: '1.0', TimeoutSeconds: 9, QueryLanguage: 'JSONPath' },
    );
    expect(convert(document).definition).toEqual({
      Comment: 'c',
      QueryLanguage: 'JSONata',
      Version: '1.0',
      TimeoutSeconds: 9,
      StartAt: 'Parameters 2',
      States: {
        'Parameters 2': { Type: 'Pass', Output: '{% $states.input.parameters %}', Next: 'Parameters' },
        Parameters: { Type: 'Pass', Comment: 'p', End: true },
      },
    });
  });

  test.each<[what: string, states: Record<string, object>, start: string]>([
    ['a text', { A: { Type: 'Pass', Result: { Parameters: 'Parameters' }, End: true } }, 'Parameters'],
    ['the field Parameters', { A: { Type: 'Pass', Parameters: { a: 1 }, End: true } }, 'Parameters'],
    [
      'a state of a branch',
      {
        A: {
          Type: 'Parallel',
          Branches: [{ StartAt: 'Parameters', States: { Parameters: { Type: 'Pass', End: true } } }],
          End: true,
        },
      },
      'Parameters 2',
    ],
  ])('with %s has a first state of another name than its own states', (_, states, start) => {
    expect(convert(onAws(states)).definition.StartAt).toBe(start);
  });

  test('keeps a state that already is JSONata', async () => {
    const state = {
      Type: 'Pass',
      QueryLanguage: 'JSONata',
      Output: { n: '{% $states.input.n + 1 %}', text: '$.n' },
      Next: 'B',
    };
    const document = onAws({ A: state, B: { Type: 'Pass', OutputPath: '$.n', End: true } });
    expect(convert(document).definition.States['A']).toEqual(state);
    expect((await run(document, { n: 1 })).ending).toEqual({ output: { result: 2 } });
  });

  const jsonata = (state: object) => ({ QueryLanguage: 'JSONata', ...onAws({ A: { ...state, End: true } }) });

  test.each([
    [
      'with tasks of the platform',
      { Type: 'Task', Resource: 'wrp:http:call', Arguments: { url: 'https://a.example' } },
    ],
    ['without tasks that reads its parameters', { Type: 'Pass', Output: '{% $states.input.parameters %}' }],
    [
      'that reads its parameters in the context',
      { Type: 'Pass', Output: { id: '{% $states.context.Execution.Input.parameters.id %}' } },
    ],
  ])('that is JSONata %s stays as it is', (_, state) => {
    const { definition, findings } = convert(jsonata(state));
    expect(definition).toEqual(jsonata(state));
    expect(findings).toMatchObject([{ kind: 'note', pointer: '' }]);
  });

  test.each<[what: string, state: object, ending: Ending]>([
    ['passes on its input', { Type: 'Pass' }, { output: { n: 2, list: [1, 2] } }],
    [
      'reads its input',
      { Type: 'Pass', Output: { sum: '{% $sum($states.input.list) %}' } },
      { output: { sum: 3 } },
    ],
    [
      'has an output that is no object',
      { Type: 'Pass', Output: '{% $states.input.n %}' },
      { output: { result: 2 } },
    ],
    [
      'has a Map',
      {
        Type: 'Map',
        Items: '{% $states.input.list %}',
        ItemProcessor: onAws({ I: { Type: 'Pass', Output: '{% $states.input * 10 %}', End: true } }),
      },
      { output: { result: [10, 20] } },
    ],
    [
      'fails',
      { Type: 'Pass', Output: '{% $states.input.none %}' },
      expect.objectContaining({ error: 'States.QueryEvaluationError' }),
    ],
  ])('of AWS that is JSONata without tasks %s', async (_, state, ending) => {
    expect((await run(jsonata(state), { n: 2, list: [1, 2] })).ending).toEqual(ending);
    const once = convert(jsonata(state)).definition;
    expect(convert(once).definition).toEqual(once);
  });

  test('that was converted stays as it is', () => {
    const once = convert(
      onAws({ A: { Type: 'Task', Resource: 'arn:aws:lambda:r:1:function:f', End: true } }),
    );
    expect(convert(once.definition).definition).toEqual(once.definition);
  });

  test('loses a state that is unreachable, which is noted', () => {
    const states = { A: { Type: 'Pass', End: true }, 'B/1': { Type: 'Pass', Next: 'A' } };
    const { definition, findings } = convert(onAws(states));
    expect(Object.keys(definition.States)).toEqual(['Parameters', 'A']);
    expect(findings).toMatchObject([{ kind: 'note', pointer: '/States/B~11' }]);
  });

  test('with a variable that hides a function of JSONata is reported if the conversion needs it', () => {
    const document = onAws({
      A: { Type: 'Pass', Assign: { 'count.$': '$.n', string: 'x' }, Next: 'B' },
      B: { Type: 'Pass', Parameters: { 'n.$': 'States.ArrayLength($)' }, End: true },
    });
    expect(convert(document).findings).toEqual([
      {
        kind: 'todo',
        pointer: '/States/A/Assign/count.$',
        message: expect.stringContaining('function $count'),
      },
    ]);
  });

  test.each(['$$', '$$.Execution'])('that reads the whole of %s has a note about its fields', (path) => {
    const document = onAws({ A: { Type: 'Pass', Parameters: { 'c.$': path }, End: true } });
    expect(convert(document).findings).toMatchObject([
      {
        kind: 'note',
        pointer: '/States/A/Parameters/c.$',
        message: expect.stringContaining('Input.parameters'),
      },
    ]);
  });

  test('has a report of the placeholders of deployment tools, each once', () => {
    const [table, stage] = ['Table', 'Stage'].map((name) => `\${${name}}`) as [string, string];
    const document = onAws({
      A: { Type: 'Pass', Result: { a: table, b: [`${table}-${stage}`] }, End: true },
    });
    expect(convert(document).findings).toEqual([
      { kind: 'todo', pointer: '/States/A/Result/a', message: expect.stringContaining(table) },
      { kind: 'todo', pointer: '/States/A/Result/b/0', message: expect.stringContaining(stage) },
    ]);
  });
});
