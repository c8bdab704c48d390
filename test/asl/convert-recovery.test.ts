import { describe, expect, test } from 'vitest';
import type { Json } from '../../server/json/index.ts';
import { convert, onAws, run } from './converted.ts';
import type { TaskResponse } from './run.ts';

const input = { id: 7, keep: 'x' };
const sqs = 'arn:aws:states:::sqs:sendMessage';

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
    ['States.DataLimitExceeded', 'States.DataLimitExceeded'],
    ['States.DataLimitExceeded', 'Http.TooLarge'],
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

  const transient: [onAws: string, here: string[]][] = [
    ['Lambda.TooManyRequestsException', ['Http.Status.429']],
    ['DynamoDB.ProvisionedThroughputExceededException', ['Http.Status.429']],
    ['DynamoDb.ThrottlingException', ['Http.Status.429']],
    ['Lambda.SdkClientException', ['Http.Failed']],
    ['Lambda.ClientExecutionTimeoutException', ['Http.Status.504', 'Http.Failed']],
    ['Lambda.Unknown', ['Http.Status.500', 'Http.Status.502']],
    ['Lambda.ServiceException', ['Http.Status.500', 'Http.Status.502', 'Http.Status.503']],
    ['Lambda.AWSLambdaException', ['Http.Status.500', 'Http.Status.502', 'Http.Status.503']],
    ['SQS.InternalError', ['Http.Status.500', 'Http.Status.502', 'Http.Status.503']],
    ['S3.ServiceUnavailable', ['Http.Status.503']],
  ];
  test.each(transient.flatMap(([name, here]) => here.map((error) => [name, error] as const)))(
    'the transient %s is retried and caught as %s',
    async (name, here) => {
      const document = catching(
        { ErrorEquals: [name] },
        { Retry: [{ ErrorEquals: [name], MaxAttempts: 1 }] },
      );
      const { delays, ending } = await run(document, input, { tasks: failing(here) });
      expect(delays).toEqual([1]);
      expect(ending).toEqual({ output: { Error: here, Cause: 'why' } });
      expect(
        convert(document).findings.filter(
          ({ kind, pointer }) => pointer.includes('Retry') || kind === 'todo',
        ),
      ).toEqual([
        { kind: 'todo', pointer: '/States/T/Resource', message: expect.any(String) },
        {
          kind: 'note',
          pointer: '/States/T/Retry/0/ErrorEquals',
          message: expect.stringMatching(/\(and 1 more\)$/),
        },
      ]);
    },
  );

  test('transient errors with the same equal are named once, and States.ALL stays alone and last', () => {
    const names = transient.map(([name]) => name);
    const document = catching(
      {},
      { Retry: [{ ErrorEquals: [...names, 'States.Timeout'] }, { ErrorEquals: ['States.ALL'] }] },
    );
    expect(convert(document).definition.States['T']).toMatchObject({
      Retry: [
        { ErrorEquals: [...new Set(transient.flatMap(([, here]) => here)), 'States.Timeout'] },
        { ErrorEquals: ['States.ALL'] },
      ],
      Catch: [{ ErrorEquals: ['States.ALL'] }],
    });
  });

  const inner = { StartAt: 'I', States: { I: { Type: 'Pass', End: true } } };
  test.each<[what: string, state: object, name: string, isReported: boolean]>([
    ['the function', { Type: 'Task', Resource: 'arn:aws:lambda:r:1:function:f' }, 'Mine', true],
    [
      'the function',
      { Type: 'Task', Resource: 'arn:aws:lambda:r:1:function:f' },
      'Lambda.ResourceNotFoundException',
      true,
    ],
    ['the function', { Type: 'Task', Resource: 'arn:aws:lambda:r:1:function:f' }, 'States.TaskFailed', false],
    [
      'the endpoint',
      { Type: 'Task', Resource: 'arn:aws:states:::http:invoke' },
      'States.Http.StatusCode.404',
      false,
    ],
    ['the endpoint', { Type: 'Task', Resource: 'arn:aws:states:::http:invoke' }, 'Mine', true],
    ['the callback', { Type: 'Task', Resource: `${sqs}.waitForTaskToken` }, 'Mine', false],
    ['the callback', { Type: 'Task', Resource: `${sqs}.waitForTaskToken` }, 'SQS.QueueDoesNotExist', true],
    ['the Parallel', { Type: 'Parallel', Branches: [inner] }, 'Mine', false],
    ['the Parallel', { Type: 'Parallel', Branches: [inner] }, 'States.Mine', false],
    ['the Parallel', { Type: 'Parallel', Branches: [inner] }, 'ECS.TaskFailed', true],
  ])('whether, of %s, %j with the error %s is to do: %j', (_, state, name, isReported) => {
    const document = onAws({ T: { ...state, Retry: [{ ErrorEquals: [name] }], End: true } });
    expect(convert(document).findings.filter(({ pointer }) => pointer.includes('Retry'))).toEqual(
      isReported
        ? [{ kind: 'todo', pointer: '/States/T/Retry/0/ErrorEquals', message: expect.stringContaining(name) }]
        : [],
    );
  });
});
