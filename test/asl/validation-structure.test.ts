import { describe, expect, test } from 'vitest';
import { ends, expectRefused, having, inner, type Refused, refusals, task } from './refusals.ts';
import { definitionOf } from './run.ts';

describe('validateDefinition refuses a wrong structure', () => {
  test.each<Refused>([
    ['what is no object', [], '', 'A definition must be an object'],
    ['a definition without QueryLanguage', inner(ends), '', /JSONPath/],
    ['JSONPath', { QueryLanguage: 'JSONPath', ...inner(ends) }, '/QueryLanguage', /JSONPath, which is not/],
    [
      'another query language',
      { QueryLanguage: 'XPath', ...inner(ends) },
      '/QueryLanguage',
      /JSONata is supp/,
    ],
    [
      'JSONPath in a state',
      having({ Type: 'Pass', QueryLanguage: 'JSONPath' }),
      '/States/S/QueryLanguage',
      /JSONPath is not/,
    ],
    ['another version', { ...having({ Type: 'Pass' }), Version: '2.0' }, '/Version', 'Must be "1.0"'],
    ['an unknown field', { ...having({ Type: 'Pass' }), Sates: {} }, '/Sates', /Unknown field Sates;/],
    ['no StartAt', { QueryLanguage: 'JSONata', States: ends }, '', 'StartAt is missing'],
    ['a StartAt that is no state', definitionOf(ends, 'X'), '/StartAt', /no state ‘X’/],
    ['no States', { QueryLanguage: 'JSONata', StartAt: 'E' }, '', 'States is missing'],
    ['empty States', { QueryLanguage: 'JSONata', StartAt: 'E', States: {} }, '/States', /at least one state/],
    [
      'a state that is a string',
      definitionOf({ ...ends, S: 'x' as unknown as object }, 'E'),
      '/States/S',
      'A state must be an object',
    ],
    ['an unknown Type', having({ Type: 'Lambda' }), '/States/S/Type', /one of Task/],
    [
      'a name of more than 80 characters',
      definitionOf({ ['x'.repeat(81)]: { Type: 'Succeed' } }),
      `/States/${'x'.repeat(81)}`,
      /80/,
    ],
    [
      'a slash in a name: the pointer escapes it',
      definitionOf({ 'a/~b': { Type: 'Succeed', X: 1 } }),
      '/States/a~1~0b/X',
      /Unknown field X;/,
    ],
    ['a way to no state', having({ Type: 'Pass', Next: 'X' }), '/States/S/Next', /no state ‘X’/],
    [
      'a rule’s way to no state',
      definitionOf({
        S: { Type: 'Choice', Choices: [{ Condition: true, Next: 'X' }], Default: 'E' },
        ...ends,
      }),
      '/States/S/Choices/0/Next',
      /no state ‘X’/,
    ],
    [
      'a Catcher’s way to no state',
      having({ ...task, Catch: [{ ErrorEquals: ['States.ALL'], Next: 'X' }] }),
      '/States/S/Catch/0/Next',
      /no state ‘X’/,
    ],
    [
      'a state that no way leads to',
      definitionOf({ E: { Type: 'Succeed' }, S: { Type: 'Pass', Next: 'E' } }),
      '/States/S',
      'The state is unreachable',
    ],
    [
      'states that only lead to each other',
      definitionOf({ A: { Type: 'Pass', Next: 'B' }, B: { Type: 'Pass', Next: 'A' } }),
      '/States',
      /No state ends the scope/,
    ],
  ])('%s', expectRefused);

  test.each<[string, object]>([
    ['a way to no state', { A: { Type: 'Pass', Next: 'Edn' } }],
    ['a mistyped Type', { A: { Type: 'Pass', Next: 'B' }, B: { Type: 'Suceed' } }],
    ['neither Next nor End', { A: { Type: 'Pass' } }],
    ['what is no state', { A: { Type: 'Pass', Next: 'B' }, B: 'x' }],
  ])('%s is one problem, without a second one that no state ends', (_what, states) => {
    expect(refusals({ QueryLanguage: 'JSONata', StartAt: 'A', States: states })).toHaveLength(1);
  });

  test.each<[string, object, pattern: RegExp]>([
    [
      'a field of a state',
      { A: { Type: 'Task', Resource: 'wrp:http:call', Argument: {}, End: true } },
      /the fields are .*\. Did you mean ‘Arguments’\?$/,
    ],
    ['a field in lower case', { A: { Type: 'Succeed', output: 1 } }, /Did you mean ‘Output’\?$/],
    [
      'a field of a Retrier',
      { A: { ...task, Retry: [{ ErrorEquals: ['X'], MaxAttempt: 1 }], End: true } },
      /Did you mean ‘MaxAttempts’\?$/,
    ],
    ['a type', { A: { Type: 'Suceed' } }, /Did you mean ‘Succeed’\?$/],
    [
      'a task',
      { A: { Type: 'Task', Resource: 'wrp:http:cal', End: true } },
      /Did you mean ‘wrp:http:call’\?$/,
    ],
    [
      'a state',
      { A: { Type: 'Pass', Next: 'Finsh' }, Finish: { Type: 'Succeed' } },
      /Did you mean ‘Finish’\?$/,
    ],
    [
      'a condition',
      {
        A: { Type: 'Choice', Choices: [{ Condition: "$states.input = 'x'", Next: 'B' }], Default: 'B' },
        B: { Type: 'Succeed' },
      },
      /put the expression into \{% %\}$/,
    ],
    [
      'seconds',
      { A: { Type: 'Wait', Seconds: '$states.input.n', End: true } },
      /put the expression into \{% %\}$/,
    ],
    [
      'items',
      {
        A: {
          Type: 'Map',
          Items: '$states.input',
          ItemProcessor: { StartAt: 'B', States: { B: { Type: 'Succeed' } } },
          End: true,
        },
      },
      /put the expression into \{% %\}$/,
    ],
  ])('suggests what was meant by %s, in one problem', (_what, states, pattern) => {
    expect(refusals({ QueryLanguage: 'JSONata', StartAt: 'A', States: states })).toEqual([
      [expect.any(String), expect.stringMatching(pattern)],
    ]);
  });

  test.each<[string, object]>([
    ['leads nowhere', { Next: 'Nowhere' }],
    ['is misspelled', { next: 'B' }],
  ])('a transition that %s is not followed by problems of states that are unreachable', (_what, wrong) => {
    const States = {
      A: { Type: 'Pass', ...wrong },
      B: { Type: 'Pass', Next: 'C' },
      C: { Type: 'Succeed' },
    };
    const found = refusals({ QueryLanguage: 'JSONata', StartAt: 'A', States });
    expect(found.length).toBeGreaterThan(0);
    expect(found.filter(([, message]) => message.includes('unreachable'))).toEqual([]);
  });

  test('reports all problems at once, with a pointer for each', () => {
    const found = refusals({
      StartAt: 'A',
      States: {
        A: { Type: 'Pass', Parameters: {}, Output: '{% 1 + %}', Next: 'B' },
        B: { Type: 'Task', Resource: 'arn:x', End: true, Retry: [{ ErrorEquals: [] }] },
        C: { Type: 'Wait', End: true },
      },
    });
    expect(found.map(([path]) => path)).toEqual([
      '',
      '/States/A/Parameters',
      '/States/A/Output',
      '/States/B/Resource',
      '/States/B/Retry/0/ErrorEquals',
      '/States/C',
      '/States/C',
    ]);
  });
});

describe('a definition in JSONPath has one problem, which names the command that converts it', () => {
  const state = {
    Type: 'Task',
    Resource: 'arn:aws:states:::lambda:invoke',
    Parameters: { 'Payload.$': '$' },
    ResultPath: '$.r',
    OutputPath: '$.r',
    End: true,
  };
  const choice = { Type: 'Choice', Choices: [{ Variable: '$.n', IsPresent: true, Next: 'T' }], Default: 'T' };

  test.each<[what: string, document: object, path: string]>([
    ['without QueryLanguage', inner({ T: state }), ''],
    ['with comparisons only', inner({ C: choice, T: { Type: 'Succeed' } }), ''],
    ['with paths only', inner({ T: { Type: 'Pass', Assign: { 'a.$': '$.b' }, End: true } }), ''],
    [
      'with a state that is JSONata',
      inner({
        J: { Type: 'Pass', QueryLanguage: 'JSONata', Output: '{% 1 %}', Next: 'P' },
        P: { Type: 'Pass', ResultPath: '$.a', End: true },
      }),
      '',
    ],
    [
      'with QueryLanguage',
      { QueryLanguage: 'JSONPath', ...inner({ C: choice, T: state }) },
      '/QueryLanguage',
    ],
  ])('%s', (_, document, path) => {
    expect(refusals(document)).toEqual([[path, expect.stringContaining('`wrp definition convert FILE`')]]);
  });

  test('a JSONata definition that only lacks QueryLanguage has its other problems, too', () => {
    const found = refusals(inner({ P: { Type: 'Pass', Output: '{% $x %}', End: true } }));
    expect(found.map(([path]) => path)).toEqual(['', '/States/P/Output']);
  });
});
