import { describe, expect, test } from 'vitest';
import { convert, onAws, run } from './converted.ts';

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
    const jsonata = {
      Type: 'Pass',
      QueryLanguage: 'JSONata',
      Output: { n: '{% $states.input.n + 1 %}', text: '$.n' },
      Next: 'B',
    };
    const document = onAws({ A: jsonata, B: { Type: 'Pass', OutputPath: '$.n', End: true } });
    expect(convert(document).definition.States['A']).toEqual(jsonata);
    expect((await run(document, { n: 1 })).ending).toEqual({ output: { result: 2 } });
  });

  test('that is JSONata with tasks of the platform stays as it is', () => {
    const document = { QueryLanguage: 'JSONata', ...onAws({ A: { Type: 'Pass', Output: 1, End: true } }) };
    const { definition, findings } = convert(document);
    expect(definition).toEqual(document);
    expect(findings).toMatchObject([{ kind: 'note', pointer: '' }]);
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
