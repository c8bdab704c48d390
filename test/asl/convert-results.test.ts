import { describe, expect, test } from 'vitest';
import type { Json } from '../../server/json/index.ts';
import { convert, onAws, run } from './converted.ts';
import type { TaskResponse } from './run.ts';

const end = { End: true };
const pass = (fields: object) => onAws({ P: { Type: 'Pass', ...fields, ...end } });
const inner = { StartAt: 'I', States: { I: { Type: 'Pass', OutputPath: '$.n', ...end } } };
const lambda = { Type: 'Task', Resource: 'arn:aws:states:::lambda:invoke' };
const approval = { Type: 'Task', Resource: 'arn:aws:states:::sqs:sendMessage.waitForTaskToken' };
const called = (result: Json): Record<string, TaskResponse[]> => ({ T: [{ result }] });
const map = { Type: 'Map', ItemsPath: '$.list', Iterator: inner };
const toSucceed = (OutputPath: string) => ({
  Type: 'Choice',
  Choices: [{ Variable: '$.n', NumericEquals: 1, Next: 'S' }],
  OutputPath,
  Default: 'F',
});

const input = { n: 1, list: [{ n: 1 }, { n: 2 }], object: { a: 1 }, text: 't' };

describe('an output that may be no object', () => {
  test.each<[what: string, document: object, output: Json, tasks?: Record<string, TaskResponse[]>]>([
    ['a Pass with an array', pass({ Result: [1, 2] }), { result: [1, 2] }],
    ['a Pass with a text', pass({ Result: 'x' }), { result: 'x' }],
    ['a Pass with null', pass({ Result: null }), { result: null }],
    ['a Pass with a path to a text', pass({ OutputPath: '$.text' }), { result: 't' }],
    ['a Pass with a path to an object', pass({ OutputPath: '$.object' }), { a: 1 }],
    ['a Pass with a filter', pass({ OutputPath: '$.list[?(@.n > 1)]' }), { result: [{ n: 2 }] }],
    [
      'a Pass with a field in backticks',
      pass({ Parameters: { 'a-b': 1 }, OutputPath: "$['a-b']" }),
      { result: 1 },
    ],
    ['a Map', onAws({ M: { ...map, ...end } }), { result: [1, 2] }],
    ['a Map with ResultPath', onAws({ M: { ...map, ResultPath: '$.r', ...end } }), { ...input, r: [1, 2] }],
    ['a Parallel', onAws({ P: { Type: 'Parallel', Branches: [inner], ...end } }), { result: [1] }],
    [
      'a Map before a Succeed',
      onAws({ M: { ...map, Next: 'S' }, S: { Type: 'Succeed' } }),
      { result: [1, 2] },
    ],
    [
      'a Map before a Wait',
      onAws({ M: { ...map, Next: 'W' }, W: { Type: 'Wait', Seconds: 1, ...end } }),
      { result: [1, 2] },
    ],
    [
      'a Choice to Succeed',
      onAws({ C: toSucceed('$.text'), S: { Type: 'Succeed' }, F: { Type: 'Fail' } }),
      { result: 't' },
    ],
    [
      'a function that returns an array',
      onAws({ T: { ...lambda, OutputPath: '$.Payload', ...end } }),
      { result: [1] },
      called({ body: [1] }),
    ],
    [
      'a function that returns an object',
      onAws({ T: { ...lambda, OutputPath: '$.Payload', ...end } }),
      { a: 1 },
      called({ body: { a: 1 } }),
    ],
    ['a callback with a text', onAws({ T: { ...approval, ...end } }), { result: 'yes' }, called('yes')],
    [
      'a state in JSONata',
      onAws({
        P: { Type: 'Pass', QueryLanguage: 'JSONata', Output: '{% $count($states.input.list) %}', ...end },
      }),
      { result: 2 },
    ],
    [
      'a Catch that keeps an array',
      onAws({
        M: { ...map, Next: 'T' },
        T: { ...lambda, Catch: [{ ErrorEquals: ['States.ALL'], ResultPath: null, Next: 'S' }], Next: 'S' },
        S: { Type: 'Succeed' },
      }),
      { result: [1, 2] },
      { T: [{ error: 'E' }] },
    ],
  ])('%s is the output of the execution, as an object', async (_, document, output, tasks = {}) => {
    expect((await run(document, input, { tasks })).ending).toEqual({ output });
  });

  test('that is missing fails the state, as on AWS', async () => {
    for (const path of ['$.none', '$.list[7]']) {
      expect((await run(pass({ OutputPath: path }), input)).ending).toMatchObject({
        error: 'States.QueryEvaluationError',
      });
    }
  });

  test('is noted once', () => {
    const document = onAws({
      C: toSucceed('$.text'),
      S: { Type: 'Succeed' },
      F: { Type: 'Pass', Result: 'x', ...end },
    });
    expect(convert(document).findings).toEqual([
      {
        kind: 'note',
        pointer: '/States/S',
        message: expect.stringMatching(/must be an object.*\(and 1 more\)$/),
      },
    ]);
  });
});

describe('an output that is an object', () => {
  test.each<[what: string, states: Record<string, object>]>([
    ['the input of the execution', { P: { Type: 'Pass', ...end } }],
    [
      'an object with ResultPath',
      { P: { Type: 'Pass', Result: 1, ResultPath: '$.r', Next: 'S' }, S: { Type: 'Succeed' } },
    ],
    ['Parameters', { P: { Type: 'Pass', Parameters: { 'n.$': '$.n' }, ...end } }],
    ['a response with its status', { T: { ...lambda, ...end } }],
    [
      'an Error Output',
      {
        T: { ...lambda, ResultPath: '$.r', Catch: [{ ErrorEquals: ['States.ALL'], Next: 'S' }], Next: 'S' },
        S: { Type: 'Succeed' },
      },
    ],
    [
      'a loop',
      {
        A: { Type: 'Pass', Next: 'C' },
        C: { Type: 'Choice', Choices: [{ Variable: '$.n', NumericEquals: 1, Next: 'S' }], Default: 'A' },
        S: { Type: 'Succeed' },
      },
    ],
    ['a Map whose iterations are none', { M: { ...map, ResultSelector: { 'r.$': '$' }, ...end } }],
  ])('as with %s stays as it is', (_, states) => {
    const { definition, findings } = convert(onAws(states));
    expect(JSON.stringify(definition)).not.toContain('!= \\"object\\"');
    expect(JSON.stringify(definition)).not.toContain('"Output":{"result"');
    expect(
      findings.filter(({ kind, message }) => kind === 'note' && message.includes('must be an object')),
    ).toEqual([]);
  });
});
