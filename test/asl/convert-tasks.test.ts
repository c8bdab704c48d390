import { describe, expect, test } from 'vitest';
import type { Json } from '../../server/json/index.ts';
import { convert, onAws, run } from './converted.ts';

const task = (resource: string, fields: object = {}) =>
  onAws({ T: { Type: 'Task', Resource: resource, ...fields, End: true } });

const input = { id: 7, keep: 'x', beat: 2 };
/** The output is an object, whatever the result. */
const placed = { ResultPath: '$.r' };
const sqs = 'arn:aws:states:::sqs:sendMessage';

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
      {
        // biome-ignore lint/suspicious/noTemplateCurlyInString: a placeholder of a deployment tool
        url: 'https://endpoint.invalid/${ChargeArn}',
        method: 'POST',
        body: 7,
      },
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
      2_505_600,
    ],
    [
      'an activity',
      task('arn:aws:states:us-east-1:123456789012:activity:approve', { HeartbeatSeconds: 60 }),
      'wrp:callback:wait',
      { request: { url: 'https://endpoint.invalid/approve', method: 'POST', body: input } },
      2_505_600,
    ],
    ...(
      [
        ['glue:startJobRun', 60],
        ['glue:startJobRun.sync', 1_500],
        ['ecs:runTask.sync', 1_500],
        ['states:startExecution', 60],
        ['states:startExecution.sync', 1_500],
        ['states:startExecution.sync:2', 1_500],
        ['aws-sdk:sfn:startSyncExecution', 300],
        ['aws-sdk:lambda:invoke', 900],
      ] as const
    ).map(([name, seconds]): [string, object, string, Json, number] => [
      `${name} for as long as it may take`,
      task(`arn:aws:states:::${name}`),
      'wrp:http:call',
      {
        url: `https://endpoint.invalid/${encodeURIComponent(name.replace(/\.sync.*/, ''))}`,
        method: 'POST',
        body: input,
      },
      seconds,
    ]),
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

  const lambda = 'arn:aws:states:::lambda:invoke';
  const byPath = { 'FunctionName.$': '$.to', 'Payload.$': '$.id' };
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a placeholder of a deployment tool
  const placeholder = '${Charge.Arn}';
  test.each<[what: string, document: object, url: string]>([
    ['a path', task(lambda, { Parameters: byPath }), 'a%2Fb%20c'],
    [
      'an intrinsic function',
      task(lambda, { Parameters: { 'FunctionName.$': "States.Format('{}-{}', $.to, $.id)" } }),
      'a%2Fb%20c-7',
    ],
    ['the input', task(lambda), 'x%2Fy'],
    ['a callback with a path', task(`${lambda}.waitForTaskToken`, { Parameters: byPath }), 'a%2Fb%20c'],
    [
      'a callback with a literal',
      task(`${lambda}.waitForTaskToken`, { Parameters: { FunctionName: 'arn:aws:lambda:r:1:function:f' } }),
      'f',
    ],
    ['a placeholder', task(lambda, { Parameters: { FunctionName: placeholder } }), placeholder],
    [
      'a part that is a placeholder',
      task(lambda, { Parameters: { FunctionName: `a b-${placeholder}` } }),
      `a%20b-${placeholder}`,
    ],
    [
      'an expression',
      {
        QueryLanguage: 'JSONata',
        ...task(lambda, { Arguments: { FunctionName: '{% $states.input.to %}' } }),
      },
      'a%2Fb%20c',
    ],
  ])('has the name of its function in the URL: %s', async (_, document, url) => {
    const { calls } = await run(document, { ...input, to: 'a/b c', FunctionName: 'x/y' });
    const given = calls[0]?.arguments as { url?: string; request?: { url: string } };
    expect(given.url ?? given.request?.url).toBe(`https://endpoint.invalid/${url}`);
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

  test.each<[what: string, fields: object, pointer: string]>([
    ['ResultSelector', { ResultSelector: { 'v.$': '$.ExecutedVersion' } }, '/ResultSelector/v.$'],
    ['OutputPath', { OutputPath: '$.SdkHttpMetadata' }, '/OutputPath'],
    ['Assign', { Assign: { 'v.$': '$.ExecutedVersion' } }, '/Assign/v.$'],
    [
      'an intrinsic function',
      { ResultSelector: { 'v.$': "States.Format('{}', $.SdkHttpMetadata.HttpStatusCode)" } },
      '/ResultSelector/v.$',
    ],
  ])('has a result with other fields, which is reported in %s', (_, fields, pointer) => {
    const states = {
      T: { Type: 'Task', Resource: 'arn:aws:states:::lambda:invoke', ...fields, Next: 'E' },
      E: { Type: 'Pass', Result: {}, End: true },
    };
    expect(convert(onAws(states)).findings.filter(({ kind }) => kind === 'unsupported')).toEqual([
      {
        kind: 'unsupported',
        pointer: `/States/T${pointer}`,
        message: expect.stringMatching(/only Payload, StatusCode/),
      },
    ]);
  });

  test.each<[what: string, document: object, pointer: string, message: RegExp]>([
    [
      'a function',
      task('arn:aws:lambda:r:1:function:charge', placed),
      '/Resource',
      /endpoint that runs the function charge/,
    ],
    ['a service', task(sqs, placed), '/Resource', /sqs:sendMessage/],
    [
      'a service that waits',
      task('arn:aws:states:::ecs:runTask.sync', placed),
      '/Resource',
      /when the work is done, within 25 minutes \(use wrp:callback:wait for longer work\);/,
    ],
    ['a callback', task(`${sqs}.waitForTaskToken`, placed), '/Resource', /Callback-Url/],
    [
      'the connection of an HTTP endpoint',
      task('arn:aws:states:::http:invoke', {
        Parameters: { ApiEndpoint: 'https://a.example', Method: 'GET', Authentication: {} },
      }),
      '/Resource',
      /Authentication.*headers/,
    ],
    [
      'a function whose name is in the input',
      task('arn:aws:states:::lambda:invoke', { Parameters: { 'FunctionName.$': '$.provider' }, ...placed }),
      '/Resource',
      /runs the function that \$states\.input\.provider names;/,
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
