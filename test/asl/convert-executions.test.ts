import { describe, expect, test } from 'vitest';
import type { Json } from '../../server/json/index.ts';
import { onAws, run } from './converted.ts';
import type { Ending, TaskResponse } from './run.ts';

/**
 * Whole definitions of the kinds whose executions on AWS are recorded in public: what they end with, which states they
 * enter in which order, and which delays their retries have.
 */
interface Execution {
  states: Record<string, object>;
  input?: Json;
  tasks?: Record<string, TaskResponse[]>;
  ending: Ending;
  /** The states entered, without the first one that the conversion adds. */
  path: string[];
  delays?: number[];
  /** Seconds until the last state is entered. */
  seconds?: number;
}

const pass = (fields = {}) => ({ Type: 'Pass', ...fields, End: true });
const charge = 'arn:aws:lambda:eu-west-1:123456789012:function:charge';
const refused = { Type: 'Fail', Error: 'Refused', Cause: 'no stock' };
const body = (value: Json): TaskResponse => ({ result: { statusCode: 200, body: value } });

const executions: Record<string, Execution> = {
  'a loop over a Map until a Choice ends it': {
    states: {
      Start: {
        Type: 'Pass',
        Parameters: { left: 2, 'sizes.$': 'States.ArrayRange(1, 3, 1)' },
        Next: 'Round',
      },
      Round: {
        Type: 'Map',
        ItemsPath: '$.sizes',
        MaxConcurrency: 1,
        ItemSelector: { 'size.$': 'States.MathAdd($$.Map.Item.Value, $.left)' },
        ItemProcessor: onAws({ Cut: pass({ OutputPath: '$.size' }) }),
        ResultPath: '$.sizes',
        Next: 'Count',
      },
      Count: {
        Type: 'Pass',
        Parameters: { 'left.$': 'States.MathAdd($.left, -1)', 'sizes.$': '$.sizes' },
        Next: 'Done?',
      },
      'Done?': {
        Type: 'Choice',
        Choices: [{ Variable: '$.left', NumericEquals: 0, Next: 'Done' }],
        Default: 'Round',
      },
      Done: { Type: 'Succeed' },
    },
    ending: { output: { left: 0, sizes: [4, 5, 6] } },
    path: 'Start Round Cut Cut Cut Count Done? Round Cut Cut Cut Count Done? Done'.split(' '),
  },
  'a Map that an item ends early': {
    states: {
      Check: {
        Type: 'Map',
        InputPath: '$.lots',
        MaxConcurrency: 1,
        ItemProcessor: onAws({
          'Empty?': {
            Type: 'Choice',
            Choices: [
              {
                And: [
                  { Variable: '$', IsNumeric: true },
                  { Variable: '$', NumericEquals: 0 },
                ],
                Next: 'Refuse',
              },
            ],
            Default: 'Keep',
          },
          Refuse: refused,
          Keep: pass(),
        }),
        Catch: [{ ErrorEquals: ['Refused'], ResultPath: '$.error', Next: 'Sorry' }],
        End: true,
      },
      Sorry: pass({ OutputPath: '$.error' }),
    },
    input: { lots: [4, 'many', 0, 7] },
    ending: { output: { Error: 'Refused', Cause: 'no stock' } },
    path: 'Check Empty? Keep Empty? Keep Empty? Refuse Sorry'.split(' '),
  },
  'a nested Map that reads variables of both outer scopes': {
    states: {
      Start: { Type: 'Pass', Assign: { 'factor.$': '$.factor' }, Next: 'Rows' },
      Rows: {
        Type: 'Map',
        ItemsPath: '$.rows',
        ItemProcessor: onAws({
          Row: { Type: 'Pass', Assign: { 'row.$': 'States.ArrayLength($)' }, Next: 'Cells' },
          Cells: {
            Type: 'Map',
            ItemProcessor: onAws({
              Cell: pass({
                Parameters: { 'at.$': "States.Format('{}/{}/{}', $factor, $row, $)" },
                OutputPath: '$.at',
              }),
            }),
            End: true,
          },
        }),
        End: true,
      },
    },
    input: { factor: 9, rows: [[1, 2], [3]] },
    ending: { output: { result: [['9/2/1', '9/2/2'], ['9/1/3']] } },
    path: 'Start Rows Row Cells Cell Cell Row Cells Cell'.split(' '),
  },
  'a Parallel that is retried, then caught': {
    states: {
      Both: {
        Type: 'Parallel',
        Branches: [onAws({ Refuse: refused }), onAws({ Ready: pass() })],
        Retry: [{ ErrorEquals: ['Refused'], IntervalSeconds: 3, MaxAttempts: 2, BackoffRate: 2 }],
        Catch: [
          { ErrorEquals: ['States.Timeout', 'Busy'], Next: 'Wrong' },
          { ErrorEquals: ['States.ALL'], ResultPath: null, Next: 'Right' },
        ],
        Next: 'Wrong',
      },
      Right: pass(),
      Wrong: { Type: 'Fail', Error: 'Wrong' },
    },
    input: { id: 5 },
    ending: { output: { id: 5 } },
    path: 'Both Refuse Both Refuse Both Refuse Right'.split(' '),
    delays: [3, 6],
    seconds: 9,
  },
  'the results of a Parallel, in the order of its branches': {
    states: {
      All: {
        Type: 'Parallel',
        Parameters: { 'n.$': '$.n' },
        Branches: ['a', 'b', 'c'].map((name, index) =>
          onAws({
            [`Wait ${name}`]: { Type: 'Wait', Seconds: 9 - index, Next: name },
            [name]: pass({ Parameters: { [name]: index, 'n.$': '$.n' } }),
          }),
        ),
        ResultSelector: { 'last.$': '$[2].c', 'all.$': '$[*].n' },
        ResultPath: '$.found',
        End: true,
      },
    },
    input: { n: 1 },
    ending: { output: { n: 1, found: { last: 2, all: [1, 1, 1] } } },
    path: ['All', 'Wait a', 'a', 'Wait b', 'b', 'Wait c', 'c'],
  },
  'a task that succeeds at its third attempt': {
    states: {
      Charge: {
        Type: 'Task',
        Resource: charge,
        Retry: [
          { ErrorEquals: ['Lambda.TooManyRequestsException'], IntervalSeconds: 10, MaxAttempts: 1 },
          { ErrorEquals: ['States.ALL'], IntervalSeconds: 2, BackoffRate: 1, MaxAttempts: 5 },
        ],
        ResultPath: '$.receipt',
        End: true,
      },
    },
    input: { total: 12 },
    tasks: { Charge: [{ error: 'Http.Status.429' }, { error: 'Http.Status.404' }, body(7)] },
    ending: { output: { total: 12, receipt: 7 } },
    path: ['Charge', 'Charge', 'Charge'],
    delays: [10, 2],
    seconds: 12,
  },
  'a task whose error no Retrier or Catcher names': {
    states: {
      Charge: {
        Type: 'Task',
        Resource: charge,
        Retry: [{ ErrorEquals: ['States.Timeout', 'Busy'] }],
        Catch: [{ ErrorEquals: ['States.Runtime', 'Busy'], Next: 'Never' }],
        Next: 'Never',
      },
      Never: pass(),
    },
    tasks: { Charge: [{ error: 'Declined', cause: 'card' }] },
    ending: { error: 'Declined', cause: 'card' },
    path: ['Charge'],
    delays: [],
  },
  'a callback that fails, caught after States.Runtime did not match': {
    states: {
      Approve: {
        Type: 'Task',
        Resource: 'arn:aws:states:::sqs:sendMessage.waitForTaskToken',
        Parameters: { QueueUrl: 'q', MessageBody: { 'token.$': '$$.Task.Token', 'order.$': '$.order' } },
        Catch: [
          { ErrorEquals: ['States.Runtime'], ResultPath: '$.runtime', Next: 'Runtime' },
          { ErrorEquals: ['States.ALL'], ResultPath: '$.any', Next: 'Any' },
        ],
        End: true,
      },
      Runtime: pass(),
      Any: pass(),
    },
    input: { order: 3 },
    tasks: { Approve: [{ error: 'Not approved', cause: 'too much' }] },
    ending: { output: { order: 3, any: { Error: 'Not approved', Cause: 'too much' } } },
    path: ['Approve', 'Any'],
  },
  'a chain of results, each in its place': {
    states: {
      Put: {
        Type: 'Task',
        Resource: 'arn:aws:states:::dynamodb:putItem',
        Parameters: { 'Item.$': '$.item' },
        ResultPath: null,
        Next: 'Get',
      },
      Get: {
        Type: 'Task',
        Resource: 'arn:aws:states:::dynamodb:getItem',
        Parameters: { 'Key.$': '$.item.id' },
        ResultSelector: { 'name.$': '$.Item.name.S' },
        ResultPath: '$.found',
        Next: 'Pause',
      },
      Pause: { Type: 'Wait', SecondsPath: '$.pause', Next: 'Show' },
      Show: pass({
        Parameters: { 'name.$': '$.found.name', 'id.$': '$.item.id' },
        ResultPath: '$.shown',
        OutputPath: '$.shown',
      }),
    },
    input: { item: { id: 'k' }, pause: 60 },
    tasks: { Put: [body({ ConsumedCapacity: 1 })], Get: [body({ Item: { name: { S: 'Ada' } } })] },
    ending: { output: { name: 'Ada', id: 'k' } },
    path: ['Put', 'Get', 'Pause', 'Show'],
    seconds: 60,
  },
  'an Assign that reads the values from before its state': {
    states: {
      First: { Type: 'Pass', Assign: { n: 1, name: 'First' }, Next: 'Second' },
      Second: {
        Type: 'Pass',
        Parameters: { 'before.$': '$n' },
        Assign: { 'n.$': 'States.MathAdd($n, 10)', 'name.$': '$$.State.Name', 'was.$': '$name', text: '$n' },
        Next: 'Third',
      },
      Third: pass({
        Parameters: {
          'n.$': '$n',
          'name.$': '$name',
          'was.$': '$was',
          'text.$': '$text',
          'before.$': '$.before',
        },
      }),
    },
    ending: { output: { n: 11, name: 'Second', was: 'First', text: '$n', before: 1 } },
    path: ['First', 'Second', 'Third'],
  },
};

describe('a converted definition runs as on AWS', () => {
  test.each(Object.entries(executions))('%s', async (_, { states, input = {}, tasks, ...expected }) => {
    const { ending, entered, delays } = await run(onAws(states), input, tasks && { tasks });
    const visited = entered.slice(1);
    expect(ending).toEqual(expected.ending);
    expect(visited.map(([state]) => state)).toEqual(expected.path);
    if (expected.delays) expect(delays).toEqual(expected.delays);
    if (expected.seconds !== undefined) expect(visited.at(-1)?.[1]).toBe(expected.seconds);
  });

  const wait = (field: string) => ({
    Wait: { Type: 'Wait', [field]: '$.at', Next: 'End' },
    End: pass(),
  });
  test.each<[field: string, at: Json, seconds: number | undefined]>([
    ['TimestampPath', '2027-03-01T09:00:05Z', 5],
    ['TimestampPath', '2027-03-01T09:00:05.250Z', 5.25],
    ['TimestampPath', '2027-03-01T09:00:05.123456789Z', 5.123],
    ['TimestampPath', '2027-03-01T10:00:05+01:00', 5],
    ['TimestampPath', '2020-01-01T00:00:00Z', 0],
    ['TimestampPath', '2027-03-01', undefined],
    ['TimestampPath', '2027-03-01T09:00:05', undefined],
    ['TimestampPath', '2027-13-01T09:00:05Z', undefined],
    ['TimestampPath', 'soon', undefined],
    ['TimestampPath', 5, undefined],
    ['SecondsPath', 0, 0],
    ['SecondsPath', 5, 5],
    ['SecondsPath', -1, undefined],
    ['SecondsPath', 1.5, undefined],
    ['SecondsPath', -1.5, undefined],
  ])('a Wait with %s %j takes %j seconds, or fails', async (field, at, seconds) => {
    const { ending, entered } = await run(onAws(wait(field)), { at });
    if (seconds === undefined) expect(ending).toMatchObject({ error: 'States.QueryEvaluationError' });
    else {
      expect(ending).toEqual({ output: { at } });
      expect(entered.at(-1)?.[1]).toBeCloseTo(seconds, 2);
    }
  });
});
