import { describe, expect, test } from 'vitest';
import { maximumSeconds } from '../../server/asl/index.ts';
import { ends, expectRefused, having, inner, type Refused, refusals, task } from './refusals.ts';
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
      'Must be an integer from 0 to 2592000, which is 30 days, the longest that an execution runs',
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
    const each = { [field]: '$.a' };
    const choices = [{ Condition: true, Next: 'E', ...each }];
    const found = [
      having({ Type: 'Pass', ...each }),
      having({ Type: 'Wait', Seconds: 1, ...each }),
      having({ ...task, ...each }),
      having({ Type: 'Map', ItemProcessor: inner({ I: { Type: 'Succeed' } }), ...each }),
      definitionOf({ S: { Type: 'Fail', ...each } }),
      definitionOf({ S: { Type: 'Choice', Choices: choices }, ...ends }),
    ].map((definition) => refusals(definition).find(([path]) => path.endsWith(`/${field}`))?.[1]);
    for (const message of found) expect(message).toMatch(/JSONPath, which is not supported; /);
    expect(found).toContainEqual(expect.stringMatching(/; (use|read|write)/));
  });
});

describe('validateDefinition refuses more than 30 days, the longest that an execution runs', () => {
  const retrier = (fields: object) =>
    having({ ...task, Retry: [{ ErrorEquals: ['States.ALL'], ...fields }] });
  const longest = maximumSeconds;
  test.each<[field: string, definition: (seconds: number) => object, path: string]>([
    ['Seconds', (Seconds) => having({ Type: 'Wait', Seconds }), '/States/S/Seconds'],
    [
      'TimeoutSeconds of a task',
      (TimeoutSeconds) => having({ ...task, TimeoutSeconds }),
      '/States/S/TimeoutSeconds',
    ],
    [
      'HeartbeatSeconds',
      (HeartbeatSeconds) => having({ ...task, TimeoutSeconds: '{% $states.input.t %}', HeartbeatSeconds }),
      '/States/S/HeartbeatSeconds',
    ],
    [
      'IntervalSeconds',
      (IntervalSeconds) => retrier({ IntervalSeconds }),
      '/States/S/Retry/0/IntervalSeconds',
    ],
    [
      'MaxDelaySeconds',
      (MaxDelaySeconds) => retrier({ MaxDelaySeconds }),
      '/States/S/Retry/0/MaxDelaySeconds',
    ],
    [
      'TimeoutSeconds of the definition',
      (TimeoutSeconds) => ({ ...definitionOf({ S: { Type: 'Succeed' } }), TimeoutSeconds }),
      '/TimeoutSeconds',
    ],
  ])('in %s', (_field, definition, path) => {
    expect(refusals(definition(longest))).toEqual([]);
    expect(refusals(definition(longest + 1))).toEqual([
      [path, expect.stringMatching(/to 2592000, which is 30 days, the longest that an execution runs$/)],
    ]);
  });
});
