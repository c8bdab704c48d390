import { describe, expect, test } from 'vitest';
import { endingOf, execute, only } from './run.ts';

const input = { id: 7, seconds: 20, name: 'Ada' };
const task = (fields: object = {}) => only({ Type: 'Task', Resource: 'wrp:http:call', ...fields });

describe('Task', () => {
  test.each<[what: string, fields: object, given: unknown]>([
    ['its input without Arguments', {}, input],
    ['Arguments as they stand', { Arguments: { a: [1, 'x'] } }, { a: [1, 'x'] }],
    ['evaluated Arguments', { Arguments: { id: '{% $states.input.id %}' } }, { id: 7 }],
    ['Arguments that are one expression', { Arguments: '{% $states.input.name %}' }, 'Ada'],
    ['the token for a callback', { Arguments: '{% $states.context.Task.Token %}' }, 'token-1'],
  ])('is given %s', async (_, fields, given) => {
    const { calls } = await execute(task(fields), { input });
    expect(calls).toEqual([
      {
        state: 'S',
        resource: 'wrp:http:call',
        arguments: given,
        timeoutSeconds: 60,
        heartbeatSeconds: undefined,
      },
    ]);
  });

  test.each<[what: string, fields: object, output: unknown]>([
    ['the result without an Output', {}, { status: 200 }],
    ['an Output of the result', { Output: '{% $states.result.status %}' }, 200],
    [
      'an Output of result and input',
      { Output: ['{% $states.result.status %}', '{% $states.input.id %}'] },
      [200, 7],
    ],
    ['an Output that is not about the result', { Output: 'done' }, 'done'],
  ])('gives %s', async (_, fields, output) => {
    expect(await endingOf(task(fields), { input, tasks: { S: [{ result: { status: 200 } }] } })).toEqual({
      output,
    });
  });

  test.each([null, false, 0, '', [], {}])('returns the result %j as it is', async (result) => {
    expect(await endingOf(task(), { tasks: { S: [{ result }] } })).toEqual({ output: result });
    const seen = await endingOf(task({ Output: ['{% $states.result %}'] }), { tasks: { S: [{ result }] } });
    expect(seen).toEqual({ output: [result] });
  });

  test.each<[what: string, fields: object, timeoutSeconds: number, heartbeatSeconds: number | undefined]>([
    ['60 seconds by default', {}, 60, undefined],
    ['TimeoutSeconds', { TimeoutSeconds: 5 }, 5, undefined],
    ['an expression for it', { TimeoutSeconds: '{% $states.input.seconds %}' }, 20, undefined],
    ['HeartbeatSeconds', { TimeoutSeconds: 100, HeartbeatSeconds: 10 }, 100, 10],
    ['an expression for that', { HeartbeatSeconds: '{% $states.input.seconds %}' }, 60, 20],
  ])('has a timeout: %s', async (_, fields, timeoutSeconds, heartbeatSeconds) => {
    const { calls } = await execute(task(fields), { input });
    expect(calls[0]).toMatchObject({ timeoutSeconds });
    expect(calls[0]?.heartbeatSeconds).toBe(heartbeatSeconds);
  });

  test.each<[what: string, fields: object]>([
    ['TimeoutSeconds of 0', { TimeoutSeconds: '{% 0 %}' }],
    ['a fraction of TimeoutSeconds', { TimeoutSeconds: '{% 2.5 %}' }],
    ['TimeoutSeconds that are a string', { TimeoutSeconds: '{% $states.input.name %}' }],
    [
      'a heartbeat as long as the timeout',
      { TimeoutSeconds: 20, HeartbeatSeconds: '{% $states.input.seconds %}' },
    ],
    ['a heartbeat that is nothing', { HeartbeatSeconds: '{% $states.input.missing %}' }],
    ['Arguments that fail', { Arguments: { a: '{% $states.input.name + 1 %}' } }],
    ['Arguments with a part that is nothing', { Arguments: { a: '{% $states.input.missing %}' } }],
  ])('fails with States.QueryEvaluationError before it is called: %s', async (_, fields) => {
    const { ending, calls } = await execute(task(fields), { input });
    expect(ending).toMatchObject({ error: 'States.QueryEvaluationError' });
    expect(calls).toEqual([]);
  });

  test('fails with States.QueryEvaluationError when its Output fails, though it was called', async () => {
    const { ending, calls } = await execute(task({ Output: '{% $states.result.missing %}' }), { input });
    expect(ending).toEqual({
      error: 'States.QueryEvaluationError',
      cause: '‘ $states.result.missing ’ in Output returns nothing (undefined).',
      expression: { field: 'Output' },
    });
    expect(calls).toHaveLength(1);
  });

  test('fails with the error of its task', async () => {
    const tasks = { S: [{ error: 'Http.StatusCode.503', cause: 'Service Unavailable' }] };
    expect(await endingOf(task(), { tasks })).toEqual({
      error: 'Http.StatusCode.503',
      cause: 'Service Unavailable',
    });
  });
});
