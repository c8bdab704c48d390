import { describe, expect, test } from 'vitest';
import type { Json } from '../../server/json/index.ts';
import { convert, onAws, run } from './converted.ts';
import type { TaskResponse } from './run.ts';

const task = (resource: string, fields: object = {}) =>
  onAws({ T: { Type: 'Task', Resource: resource, ...fields, End: true } });

const input = { id: 7, keep: 'x', beat: 2 };
const sqs = 'arn:aws:states:::sqs:sendMessage';

test('durations beyond the 30 days of an execution are reduced, and reported at their first place', () => {
  const year = 31_536_000;
  const month = 2_592_000;
  const document = onAws(
    {
      W: { Type: 'Wait', Seconds: year, Next: 'T' },
      T: {
        Type: 'Task',
        Resource: sqs,
        TimeoutSeconds: 99_999_999,
        HeartbeatSeconds: year,
        Parameters: { QueueUrl: 'https://sqs.example/q', MessageBody: { TimeoutSeconds: year } },
        Retry: [{ ErrorEquals: ['States.ALL'], IntervalSeconds: 2, MaxDelaySeconds: year }],
        End: true,
      },
    },
    { TimeoutSeconds: year },
  );
  const { definition, findings } = convert(document);
  expect(definition).toMatchObject({
    TimeoutSeconds: month,
    States: {
      W: { Seconds: month },
      T: { TimeoutSeconds: month, Retry: [{ IntervalSeconds: 2, MaxDelaySeconds: month }] },
    },
  });
  expect(definition.States['T']).not.toHaveProperty('HeartbeatSeconds');
  expect(JSON.stringify(definition.States['T'])).toContain(`"TimeoutSeconds":${year}`);
  expect(findings).toContainEqual({
    kind: 'todo',
    pointer: '/States/W/Seconds',
    message: expect.stringContaining('30 days'),
  });
  expect(findings).toContainEqual({
    kind: 'note',
    pointer: '/States/T/TimeoutSeconds',
    message: expect.stringMatching(/30 days.*\(and 3 more\)$/),
  });
});

describe('a task of AWS', () => {
  test.each<[what: string, document: object, resource: string, given: Json, timeoutSeconds: number]>([
    [
      'an HTTP endpoint',
      task('arn:aws:states:::http:invoke', {
        Parameters: {
          'ApiEndpoint.$': "States.Format('https://a.example/{}', $.id)",
          Method: 'POST',
          Headers: { 'X-Id': '1' },
          QueryParameters: { q: 'a' },
          'RequestBody.$': '$',
        },
      }),
      'wrp:http:call',
      {
        url: 'https://a.example/7',
        method: 'POST',
        headers: { 'X-Id': '1' },
        query: { q: 'a' },
        body: input,
      },
      60,
    ],
    [
      'a function by its ARN',
      task('arn:aws:lambda:eu-west-1:123456789012:function:charge:live'),
      'wrp:http:call',
      { url: 'https://endpoint.invalid/charge', method: 'POST', body: input },
      900,
    ],
    [
      'the function of a placeholder',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a placeholder of a deployment tool
      task('${ChargeArn}', { InputPath: '$.id' }),
      'wrp:http:call',
      { url: 'https://endpoint.invalid/%24%7BChargeArn%7D', method: 'POST', body: 7 },
      900,
    ],
    [
      'Lambda',
      task('arn:aws:states:::lambda:invoke', { Parameters: { FunctionName: 'charge', 'Payload.$': '$.id' } }),
      'wrp:http:call',
      { url: 'https://endpoint.invalid/charge', method: 'POST', body: 7 },
      900,
    ],
    [
      'a placeholder for Lambda',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a placeholder of a deployment tool
      task('${Invoke}', { Parameters: { FunctionName: 'charge', 'Payload.$': '$.id' } }),
      'wrp:http:call',
      { url: 'https://endpoint.invalid/charge', method: 'POST', body: 7 },
      900,
    ],
    [
      'the placeholder of an activity',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a placeholder of a deployment tool
      task('${ActivityArn}', { TimeoutSeconds: 300 }),
      'wrp:callback:wait',
      { request: { url: 'https://endpoint.invalid/ActivityArn', method: 'POST', body: input } },
      300,
    ],
    [
      'Lambda without a payload',
      task('arn:aws:states:::lambda:invoke', { Parameters: { FunctionName: 'charge' } }),
      'wrp:http:call',
      { url: 'https://endpoint.invalid/charge', method: 'POST', body: {} },
      900,
    ],
    [
      'another service',
      task('arn:aws-cn:states:::aws-sdk:dynamodb:getItem', { Parameters: { Key: { 'id.$': '$.id' } } }),
      'wrp:http:call',
      {
        url: 'https://endpoint.invalid/aws-sdk%3Adynamodb%3AgetItem',
        method: 'POST',
        body: { Key: { id: 7 } },
      },
      60,
    ],
    [
      'a callback',
      task(`${sqs}.waitForTaskToken`, { Parameters: { MessageBody: { 'token.$': '$$.Task.Token' } } }),
      'wrp:callback:wait',
      {
        request: {
          url: 'https://endpoint.invalid/sqs%3AsendMessage',
          method: 'POST',
          body: { MessageBody: { token: 'token-1' } },
        },
      },
      2_592_000,
    ],
    [
      'an activity',
      task('arn:aws:states:us-east-1:123456789012:activity:approve', { HeartbeatSeconds: 60 }),
      'wrp:callback:wait',
      { request: { url: 'https://endpoint.invalid/approve', method: 'POST', body: input } },
      2_592_000,
    ],
    [
      'a task with paths for its timeouts',
      task(sqs, { TimeoutSecondsPath: '$.id', HeartbeatSecondsPath: '$.beat' }),
      'wrp:http:call',
      { url: 'https://endpoint.invalid/sqs%3AsendMessage', method: 'POST', body: input },
      7,
    ],
  ])('%s', async (_, document, resource, given, timeoutSeconds) => {
    const { calls } = await run(document, input);
    expect(calls).toMatchObject([{ resource, arguments: given, timeoutSeconds }]);
  });

  test.each<[what: string, document: object, response: Json, output: Json]>([
    ['the response body of a function', task('arn:aws:lambda:r:1:function:f'), { body: { a: 1 } }, { a: 1 }],
    [
      'what ResultSelector selects, at ResultPath',
      task('arn:aws:states:::lambda:invoke', {
        ResultSelector: { 'r.$': '$.Payload.a', 'status.$': '$.StatusCode', fixed: true },
        ResultPath: '$.out',
      }),
      { statusCode: 200, body: { a: 1 } },
      { ...input, out: { r: 1, status: 200, fixed: true } },
    ],
    [
      'the payload at OutputPath',
      task('arn:aws:states:::lambda:invoke', { OutputPath: '$.Payload' }),
      { statusCode: 200, body: { a: 1 } },
      { a: 1 },
    ],
    [
      'the payload, placed',
      task('arn:aws:states:::lambda:invoke', { ResultPath: '$.out', OutputPath: '$.out.Payload' }),
      { statusCode: 200, body: { a: 1 } },
      { a: 1 },
    ],
    [
      'the fields of an HTTP response',
      task('arn:aws:states:::http:invoke', {
        Parameters: { ApiEndpoint: 'https://a.example', Method: 'GET' },
      }),
      { statusCode: 200, headers: { h: '1' }, body: 'b' },
      { StatusCode: 200, Headers: { h: '1' }, ResponseBody: 'b' },
    ],
    [
      'the input, with ResultPath null',
      task(sqs, { ResultPath: null }),
      { statusCode: 200, body: { a: 1 } },
      input,
    ],
    [
      'the output of a callback',
      task(`${sqs}.waitForTaskToken`, { ResultPath: '$.approval' }),
      { ok: true },
      { ...input, approval: { ok: true } },
    ],
  ])('gives %s', async (_, document, response, output) => {
    const { ending } = await run(document, input, { tasks: { T: [{ result: response }] } });
    expect(ending).toEqual({ output });
  });

  test.each<[what: string, document: object, pointer: string, message: RegExp]>([
    [
      'a function',
      task('arn:aws:lambda:r:1:function:charge'),
      '/Resource',
      /endpoint that runs the function charge/,
    ],
    ['a service', task(sqs), '/Resource', /sqs:sendMessage/],
    ['a service that waits', task('arn:aws:states:::ecs:runTask.sync'), '/Resource', /when the work is done/],
    ['a callback', task(`${sqs}.waitForTaskToken`), '/Resource', /Callback-Url/],
    [
      'the connection of an HTTP endpoint',
      task('arn:aws:states:::http:invoke', {
        Parameters: { ApiEndpoint: 'https://a.example', Method: 'GET', Authentication: {} },
      }),
      '/Resource',
      /Authentication.*headers/,
    ],
    [
      'the arguments of an HTTP endpoint from the input',
      task('arn:aws:states:::http:invoke'),
      '/Resource',
      /one expression/,
    ],
    ['credentials', task('wrp:http:call', { Credentials: { RoleArn: 'r' } }), '/Credentials', /headers/],
  ])('%s leaves work for the author, which is reported', (_, document, pointer, message) => {
    expect(convert(document).findings).toEqual([
      { kind: 'todo', pointer: `/States/T${pointer}`, message: expect.stringMatching(message) },
    ]);
  });
});

describe('Retry and Catch', () => {
  const failing = (error: string): Record<string, TaskResponse[]> => ({ T: [{ error, cause: 'why' }] });
  const catching = (catcher: object, fields = {}) =>
    onAws({
      T: {
        Type: 'Task',
        Resource: sqs,
        ...fields,
        Catch: [{ ErrorEquals: ['States.ALL'], ...catcher, Next: 'E' }],
        End: true,
      },
      E: { Type: 'Pass', End: true },
    });
  const error = { Error: 'E', Cause: 'why' };

  test.each<[what: string, document: object, output: Json]>([
    ['without ResultPath', catching({}), error],
    ['with ResultPath $', catching({ ResultPath: '$' }), error],
    ['with ResultPath', catching({ ResultPath: '$.error' }), { ...input, error }],
    ['with ResultPath inside an object', catching({ ResultPath: '$.a.error' }), { ...input, a: { error } }],
    ['with ResultPath null', catching({ ResultPath: null }), input],
    [
      'with the raw input, whatever InputPath',
      catching({ ResultPath: '$.error' }, { InputPath: '$.id' }),
      { ...input, error },
    ],
  ])('a Catcher %s', async (_, document, output) => {
    expect((await run(document, input, { tasks: failing('E') })).ending).toEqual({ output });
  });

  test('a Catcher assigns from the Error Output', async () => {
    const document = onAws({
      T: {
        Type: 'Task',
        Resource: sqs,
        Catch: [{ ErrorEquals: ['E'], Assign: { 'why.$': '$.Cause' }, ResultPath: null, Next: 'E' }],
        End: true,
      },
      E: { Type: 'Pass', Parameters: { 'why.$': '$why' }, End: true },
    });
    expect((await run(document, input, { tasks: failing('E') })).ending).toEqual({ output: { why: 'why' } });
  });

  test.each<[onAws: string, here: string]>([
    ['States.Http.StatusCode.404', 'Http.Status.404'],
    ['States.Http.Socket', 'Http.Failed'],
    ['States.ParameterPathFailure', 'States.QueryEvaluationError'],
    ['States.ResultPathMatchFailure', 'States.QueryEvaluationError'],
    ['States.IntrinsicFailure', 'States.QueryEvaluationError'],
    ['Mine', 'Mine'],
    ['States.Mine', 'Mine'],
    ['States.TaskFailed', 'Other'],
  ])('%s is %s', async (name, here) => {
    const recovering = { Retry: [{ ErrorEquals: [name, name], MaxAttempts: 1 }] };
    const { delays, ending } = await run(catching({ ErrorEquals: [name] }, recovering), input, {
      tasks: failing(here),
    });
    expect(delays).toEqual([1]);
    expect(ending).toEqual({ output: { Error: here, Cause: 'why' } });
  });

  test.each([
    ['States.Mine', 'Mine', []],
    ['States.TaskFailed', 'TaskFailed', [{ kind: 'todo', pointer: '/States/F/Error' }]],
  ])('a Fail with %s fails with %s', async (name, error, findings) => {
    const document = onAws({ F: { Type: 'Fail', Error: name } });
    expect((await run(document, {})).ending).toMatchObject({ error });
    expect(convert(document).findings).toMatchObject(findings);
  });

  test('names of errors of a service are noted, once', () => {
    const state = {
      Type: 'Task',
      Resource: sqs,
      Retry: [{ ErrorEquals: ['Lambda.ServiceException', 'Mine'] }],
    };
    const document = onAws({ T: { ...state, Next: 'U' }, U: { ...state, End: true } });
    expect(convert(document).findings.filter(({ kind }) => kind === 'note')).toEqual([
      {
        kind: 'note',
        pointer: '/States/T/Retry/0/ErrorEquals',
        message: expect.stringMatching(/Lambda\.ServiceException: use Http\.Status.*\(and 1 more\)$/),
      },
    ]);
  });
});

describe('a JSONata state', () => {
  const jsonata = (fields: object) => ({
    QueryLanguage: 'JSONata',
    ...onAws({ T: { Type: 'Task', Resource: 'arn:aws:states:::lambda:invoke', ...fields, End: true } }),
  });
  const response = { statusCode: 200, body: { a: 1 } };

  test.each<[what: string, fields: object, given: Json, output: Json]>([
    ['without Arguments and Output', {}, input, { Payload: { a: 1 }, StatusCode: 200 }],
    [
      'that reads the result',
      {
        Arguments: { FunctionName: 'f', Payload: { id: '{% $states.input.id %}' } },
        Output: { a: '{% $states.result.Payload.a + $states.result.StatusCode %}' },
      },
      { id: 7 },
      { a: 201 },
    ],
    ['that returns the result', { Output: '{% $states.result.Payload %}' }, input, { a: 1 }],
  ])('%s has the task of the platform', async (_, fields, given, output) => {
    const { calls, ending } = await run(jsonata(fields), input, { tasks: { T: [{ result: response }] } });
    expect(calls).toMatchObject([{ resource: 'wrp:http:call', arguments: { body: given } }]);
    expect(ending).toEqual({ output });
  });

  test('that reads the input of the execution is reported', () => {
    const document = onAws({
      A: {
        Type: 'Pass',
        QueryLanguage: 'JSONata',
        Output: '{% $states.context.Execution.Input.id %}',
        End: true,
      },
    });
    expect(convert(document).findings).toMatchObject([{ kind: 'todo', pointer: '/States/A' }]);
  });
});
