import { describe, expect, test } from 'vitest';
import { ends, expectRefused, having, type Refused, refusals, task } from './refusals.ts';
import { definitionOf } from './run.ts';

describe('validateDefinition refuses wrong fields of states', () => {
  test.each<Refused>([
    ['both Next and End', having({ Type: 'Pass', End: true }), '/States/S', /exactly one of Next and End/],
    [
      'neither Next nor End',
      definitionOf({ S: { Type: 'Pass' } }),
      '/States/S',
      /exactly one of Next and End/,
    ],
    [
      'End that is not true',
      definitionOf({ S: { Type: 'Pass', End: false } }),
      '/States/S/End',
      'Must be true',
    ],
    [
      'a Choice with Next',
      definitionOf({ S: { Type: 'Choice', Choices: [{ Condition: true, Next: 'E' }], Next: 'E' }, ...ends }),
      '/States/S/Next',
      /Unknown field Next;/,
    ],
    [
      'a Succeed with End',
      definitionOf({ S: { Type: 'Succeed', End: true } }),
      '/States/S/End',
      /Unknown field End;/,
    ],
    [
      'a Fail with Output',
      definitionOf({ S: { Type: 'Fail', Output: 1 } }),
      '/States/S/Output',
      /Unknown field Output;/,
    ],
    [
      'a Pass with Arguments',
      having({ Type: 'Pass', Arguments: {} }),
      '/States/S/Arguments',
      /Unknown field Arguments;/,
    ],
    ['a Wait without a time', having({ Type: 'Wait' }), '/States/S', /exactly one of Seconds and Timestamp/],
    [
      'a Wait with two',
      having({ Type: 'Wait', Seconds: 1, Timestamp: '2027-03-01T09:00:00Z' }),
      '/States/S',
      /exactly one of Seconds and Timestamp/,
    ],
    [
      'negative Seconds',
      having({ Type: 'Wait', Seconds: -1 }),
      '/States/S/Seconds',
      'Must be an integer from 0 to 99999999',
    ],
    [
      'an invalid Timestamp',
      having({ Type: 'Wait', Timestamp: 'tomorrow' }),
      '/States/S/Timestamp',
      /RFC 3339/,
    ],
    [
      'a Choice without rules',
      definitionOf({ S: { Type: 'Choice', Choices: [], Default: 'E' }, ...ends }),
      '/States/S/Choices',
      /at least one rule/,
    ],
    [
      'a Condition that is a string',
      definitionOf({ S: { Type: 'Choice', Choices: [{ Condition: 'yes', Next: 'E' }] }, ...ends }),
      '/States/S/Choices/0/Condition',
      /JSONata string or a boolean/,
    ],
    [
      'another Resource',
      having({ ...task, Resource: 'arn:aws:states:::lambda:invoke' }),
      '/States/S/Resource',
      /supported task: wrp:http:call.*; `wrp definition convert FILE` replaces/,
    ],
    [
      'a Resource that is an expression',
      having({ ...task, Resource: "{% 'wrp:http:call' %}" }),
      '/States/S/Resource',
      /supported task: wrp:/,
    ],
    ['no Resource', having({ Type: 'Task' }), '/States/S', 'Resource is missing'],
    ['a timeout of 0', having({ ...task, TimeoutSeconds: 0 }), '/States/S/TimeoutSeconds', /from 1/],
    [
      'a heartbeat above the timeout',
      having({ ...task, TimeoutSeconds: 5, HeartbeatSeconds: 5 }),
      '/States/S/HeartbeatSeconds',
      /smaller than TimeoutSeconds/,
    ],
    [
      'a heartbeat above the timeout by default',
      having({ ...task, HeartbeatSeconds: 60 }),
      '/States/S/HeartbeatSeconds',
      /which is 60/,
    ],
    ['Credentials', having({ ...task, Credentials: {} }), '/States/S/Credentials', /not supported/],
    [
      'a Fail with a reserved error',
      definitionOf({ S: { Type: 'Fail', Error: 'States.Mine' } }),
      '/States/S/Error',
      /are reserved/,
    ],
  ])('%s', expectRefused);

  test.each(
    [
      [
        'InputPath',
        'OutputPath',
        'ResultPath',
        'ResultSelector',
        'Parameters',
        'Result',
        'SecondsPath',
        'TimestampPath',
      ],
      [
        'TimeoutSecondsPath',
        'HeartbeatSecondsPath',
        'ErrorPath',
        'CausePath',
        'ItemsPath',
        'MaxConcurrencyPath',
      ],
      [
        'ToleratedFailureCountPath',
        'ToleratedFailurePercentagePath',
        'Variable',
        'And',
        'StringEquals',
        'IsPresent',
      ],
    ].flat(),
  )('the JSONPath field %s, with what to use instead', (field) => {
    const found = refusals(having({ Type: 'Pass', [field]: '$.a' }));
    expect(found).toContainEqual([
      `/States/S/${field}`,
      expect.stringMatching(/JSONPath, which is not supported; (use|read|write)/),
    ]);
  });
});
