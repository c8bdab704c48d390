import { describe, expect, test } from 'vitest';
import type { Json } from '../../server/json/index.ts';
import { type Mock, type RunOptions, runDefinition } from '../../server/src/workflows/simulation/index.ts';
import { definitionOf } from '../support/definitions.ts';

const call = { Type: 'Task', Resource: 'wrp:http:call', Arguments: { url: 'https://other.example' } };
const ask = { Type: 'Task', Resource: 'wrp:callback:wait', Arguments: {} };
const mail = {
  Type: 'Task',
  Resource: 'wrp:mail:send',
  Arguments: { to: 'ada@example.com', subject: 'Hello', text: 'Hello.' },
};
const done = { Type: 'Succeed', Output: {} };
const caught = [{ ErrorEquals: ['States.ALL'], Output: '{% $states.errorOutput %}', Next: 'Done' }];

const runStates = (states: Record<string, Json>, options?: RunOptions) =>
  runDefinition(definitionOf(states), options);
/** A task, whose error is the output. */
const runTask = (task: Json, mocks: Mock | Mock[], fields: object = {}) =>
  runStates(
    { T: { ...(task as object), Catch: caught, Next: 'Done', ...fields }, Done: { Type: 'Succeed' } },
    { mocks: { T: mocks } },
  );

describe('a mocked task', () => {
  test.each<[what: string, task: Json, mock: Mock, fields: object, output: unknown, waited: number]>([
    [
      'of an HTTP call has a status and headers by default',
      call,
      { output: { body: { id: 1 } } },
      {},
      { statusCode: 200, headers: {}, body: { id: 1 } },
      0,
    ],
    [
      'takes its duration',
      call,
      { output: { statusCode: 202 }, duration: 2.5 },
      {},
      { statusCode: 202, headers: {}, body: '' },
      2.5,
    ],
    [
      'that takes longer than TimeoutSeconds fails after them',
      call,
      { output: {}, duration: 10.001 },
      { TimeoutSeconds: 10 },
      { Error: 'States.Timeout', Cause: 'The call did not end within 10 seconds.' },
      10,
    ],
    [
      'may take exactly TimeoutSeconds',
      call,
      { output: {}, duration: 10 },
      { TimeoutSeconds: 10 },
      { statusCode: 200, headers: {}, body: '' },
      10,
    ],
    [
      'without a response fails after the default timeout',
      call,
      { timeout: true },
      {},
      { Error: 'States.Timeout', Cause: 'The call did not end within 60 seconds.' },
      60,
    ],
    [
      'is limited to 25 minutes if it is a call',
      call,
      { timeout: true },
      { TimeoutSeconds: 7200 },
      { Error: 'States.Timeout', Cause: 'The call did not end within 1500 seconds.' },
      1500,
    ],
    [
      'that is a call sends no heartbeats',
      call,
      { output: {}, duration: 6 },
      { TimeoutSeconds: 60, HeartbeatSeconds: 5 },
      { Error: 'States.HeartbeatTimeout', Cause: 'No heartbeat arrived within 5 seconds.' },
      5,
    ],
    ['fails by the name of an error', mail, { error: 'Mail.Off' }, {}, { Error: 'Mail.Off', Cause: '' }, 0],
    [
      'fails with a cause, after its duration',
      call,
      { error: { name: 'Http.Failed', cause: 'No response.' }, duration: 3 },
      {},
      { Error: 'Http.Failed', Cause: 'No response.' },
      3,
    ],
    [
      'that fails with a status has the response',
      call,
      { error: { name: 'Http.Status.409', response: { body: { code: 'taken' } } } },
      {},
      {
        Error: 'Http.Status.409',
        Cause: '',
        Response: { statusCode: 409, headers: {}, body: { code: 'taken' } },
      },
      0,
    ],
    [
      'has the output of its callback',
      ask,
      { callback: { output: { ok: true } }, duration: 50 },
      {},
      { ok: true },
      50,
    ],
    [
      'has the error of its callback',
      ask,
      { callback: { error: { name: 'No', cause: 'Later.' } } },
      {},
      { Error: 'No', Cause: 'Later.' },
      0,
    ],
    [
      'whose callback is late fails after TimeoutSeconds',
      ask,
      { callback: { output: 1 }, duration: 101 },
      { TimeoutSeconds: 100 },
      { Error: 'States.Timeout', Cause: 'No callback arrived before the deadline.' },
      100,
    ],
    [
      'that misses a heartbeat fails after HeartbeatSeconds',
      ask,
      { callback: { output: 1 }, duration: 31 },
      { TimeoutSeconds: 100, HeartbeatSeconds: 30 },
      { Error: 'States.HeartbeatTimeout', Cause: 'No heartbeat arrived before the deadline.' },
      30,
    ],
    [
      'that sends heartbeats in time waits for its callback',
      ask,
      { callback: { output: 1 }, duration: 95, heartbeat: 30 },
      { TimeoutSeconds: 100, HeartbeatSeconds: 30 },
      1,
      95,
    ],
    [
      'that sends heartbeats until TimeoutSeconds fails after them',
      ask,
      { callback: { output: 1 }, duration: 105, heartbeat: 30 },
      { TimeoutSeconds: 100, HeartbeatSeconds: 30 },
      { Error: 'States.Timeout', Cause: 'No callback arrived before the deadline.' },
      100,
    ],
    [
      'whose request fails does not wait',
      { ...ask, Arguments: { request: { url: 'https://other.example' } } },
      { error: 'Http.Failed' },
      { TimeoutSeconds: 100, HeartbeatSeconds: 30 },
      { Error: 'Http.Failed', Cause: '' },
      0,
    ],
    ...(
      [
        [{ error: 'Review.Declined', cause: 'No.' }, 'No.'],
        [{ error: { name: 'Review.Declined', cause: 'No.' } }, 'No.'],
        [{ error: { name: 'Review.Declined' } }, ''],
        [{ error: 'Review.Declined' }, ''],
      ] as const
    ).map(([callback, Cause]): [string, Json, Mock, object, unknown, number] => [
      `may fail by a callback: ${JSON.stringify(callback)}`,
      ask,
      { callback },
      {},
      { Error: 'Review.Declined', Cause },
      0,
    ]),
    [
      'has its arguments checked',
      { ...call, Arguments: { uri: 'https://other.example' } },
      { output: {} },
      {},
      {
        Error: 'Wrp.InvalidArguments',
        Cause: 'Unknown field ‘uri’; the fields are method, url, query, headers, body. Did you mean `url`?',
      },
      0,
    ],
    [
      'without Arguments has its input checked',
      { Type: 'Task', Resource: 'wrp:callback:wait' },
      { callback: { output: 1 }, duration: 5 },
      {},
      { Error: 'Wrp.InvalidArguments', Cause: 'Unknown field ‘parameters’; the fields are request.' },
      0,
    ],
    [
      'has the request of its callback checked',
      { ...ask, Arguments: { request: {} } },
      { callback: { output: 1 }, duration: 5 },
      {},
      { Error: 'Wrp.InvalidArguments', Cause: '‘url’ is missing.' },
      0,
    ],
    [
      'has a file checked',
      { Type: 'Task', Resource: 'wrp:resource:create', Arguments: { name: 'a.txt' } },
      { output: {} },
      {},
      {
        Error: 'Wrp.InvalidArguments',
        Cause: 'The content must be one of ‘text’, ‘base64’ and ‘json’.',
      },
      0,
    ],
    [
      'has no record by default',
      { Type: 'Task', Resource: 'wrp:attachment:create', Arguments: { name: 'a.txt', text: 'a' } },
      { output: {} },
      {},
      {
        Error: 'Wrp.InvalidArguments',
        Cause: '‘recordId’ is missing, and the execution has no record.',
      },
      0,
    ],
  ])('%s', async (_what, task, mock, fields, output, waited) => {
    const run = await runTask(task, mock, {
      Output: '{% {"of": $states.result} %}',
      Catch: [{ ErrorEquals: ['States.ALL'], Output: '{% {"of": $states.errorOutput} %}', Next: 'Done' }],
      ...fields,
    });
    expect(run).toMatchObject({ status: 'COMPLETED', output: { of: output }, waited });
  });

  test.each<[what: string, task: Json, mock: Mock, message: RegExp]>([
    ['two outcomes', call, { output: {}, error: 'X' } as never, /must have exactly one of output, error/],
    ['no outcome', call, { duration: 1 } as never, /must have exactly one of output, error/],
    ['an output of a callback task', ask, { output: 1 }, /use callback: \{ output: … \}/],
    ['a callback of another task', call, { callback: { output: 1 } }, /only for wrp:callback:wait/],
    [
      'a callback without an outcome',
      ask,
      { callback: {} } as never,
      /callback.* must be \{ output: … \} or \{ error/,
    ],
    [
      'a callback with two outcomes',
      ask,
      { callback: { output: 1, error: 'X' } } as never,
      /must be \{ output: … \} or/,
    ],
    [
      'the cause of an output',
      ask,
      { callback: { output: 1, cause: 'C' } } as never,
      /callback\/cause.* is only beside/,
    ],
    [
      'two causes',
      ask,
      { callback: { error: { name: 'X' }, cause: 'C' } },
      /callback\/cause.* is only beside the name/,
    ],
    ['heartbeats of another task', call, { output: {}, heartbeat: 1 } as never, /only for a callback/],
    ['a duration of a change', mail, { output: {}, duration: 1 }, /wrp:mail:send takes no time/],
    ['a timeout of a change', mail, { timeout: true }, /wrp:mail:send takes no time/],
    ['a body outside of the response', call, { output: { id: 1 } }, /has statusCode, headers, body/],
    ['a result that is no object', mail, { output: 'sent' }, /must be an object/],
  ])('may not have %s', async (_what, task, mock, message) => {
    await expect(runTask(task, mock)).rejects.toThrow(message);
    await expect(
      runStates({ T: { ...(task as object), End: true } }, { mocks: { T: () => mock } }),
    ).rejects.toThrow(message);
  });

  test('is required, once for each call', async () => {
    const states = { T: { ...call, Retry: [{ ErrorEquals: ['States.ALL'] }], End: true } };
    await expect(runStates(states)).rejects.toThrow(
      'The task ‘T’ (wrp:http:call) has no mock: add one under mocks. Its arguments are {"url":"https://other.example"}.',
    );
    await expect(runStates(states, { mocks: { T: [{ error: 'X' }] } })).rejects.toThrow(
      'The task ‘T’ (wrp:http:call) has no mock for its call 2: the list has 1.',
    );
    await expect(runStates(states, { mocks: { U: { output: {} } } })).rejects.toThrow(
      'The mock of ‘U’ is not a state of the definition, whose tasks are T.',
    );
    await expect(runStates({ T: done }, { mocks: { T: { output: {} } } })).rejects.toThrow(
      'is a Succeed: only a Task has mocks',
    );
  });

  test('may be decided by a function, which sees the call', async () => {
    const seen: unknown[] = [];
    const item = { ...call, Arguments: { url: "{% 'https://other.example/' & $states.input %}" }, End: true };
    const run = await runStates(
      {
        Each: {
          Type: 'Map',
          Items: ['a', 'b'],
          ItemProcessor: { StartAt: 'T', States: { T: { ...item, Retry: [{ ErrorEquals: ['X'] }] } } },
          Output: { all: '{% $states.result.body %}' },
          End: true,
        },
      },
      {
        mocks: {
          T({ arguments: args, ...made }) {
            seen.push([made.call, made.attempt, made.item?.Value, made.state, made.resource]);
            const { url } = args as { url: string };
            return made.attempt === 1 && made.item?.Index === 1 ? { error: 'X' } : { output: { body: url } };
          },
        },
      },
    );
    expect(run.output).toEqual({ all: ['https://other.example/a', 'https://other.example/b'] });
    expect(seen).toEqual([
      [1, 1, 'a', 'T', 'wrp:http:call'],
      [2, 1, 'b', 'T', 'wrp:http:call'],
      [3, 2, 'b', 'T', 'wrp:http:call'],
    ]);
  });
});
