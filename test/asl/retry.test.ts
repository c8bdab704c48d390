import { describe, expect, test } from 'vitest';
import { definitionOf, execute, only, type TaskResponse } from './run.ts';

const retrying = (...Retry: object[]) => only({ Type: 'Task', Resource: 'wrp:http:call', Retry });
const errors = (...names: string[]): TaskResponse[] => names.map((error) => ({ error }));
const delaysOf = async (retrier: object, failures: number, random = () => 0.5) => {
  const definition = retrying({ ErrorEquals: ['States.ALL'], ...retrier });
  const tasks = { S: [...errors(...Array<string>(failures).fill('Mine')), { result: 'done' }] };
  return await execute(definition, { tasks, random });
};

describe('Retry', () => {
  test.each<[what: string, retrier: object, failures: number, delays: number[]]>([
    ['three times by default, after 1, 2 and 4 seconds', {}, 3, [1, 2, 4]],
    ['IntervalSeconds before the first', { IntervalSeconds: 10 }, 2, [10, 20]],
    ['BackoffRate times longer each', { IntervalSeconds: 3, BackoffRate: 1.5 }, 3, [3, 4.5, 6.75]],
    ['BackoffRate of 1 for equal delays', { IntervalSeconds: 3, BackoffRate: 1 }, 3, [3, 3, 3]],
    ['MaxDelaySeconds at most', { IntervalSeconds: 3, MaxDelaySeconds: 5, MaxAttempts: 4 }, 4, [3, 5, 5, 5]],
    ['a part of the delay with jitter', { IntervalSeconds: 4, JitterStrategy: 'FULL' }, 3, [2, 4, 8]],
    [
      'jitter of the delay that was cut',
      { IntervalSeconds: 9, MaxDelaySeconds: 6, JitterStrategy: 'FULL' },
      1,
      [3],
    ],
    ['no jitter with NONE', { IntervalSeconds: 4, JitterStrategy: 'NONE' }, 1, [4]],
  ])('waits %s', async (_, retrier, failures, delays) => {
    const trace = await delaysOf(retrier, failures);
    expect(trace.delays).toEqual(delays);
    expect(trace.ending).toEqual({ output: 'done' });
  });

  test.each([0, 0.25, 0.999])('jitter spreads the delay from 0 up to the full delay: %d', async (chance) => {
    const { delays } = await delaysOf({ IntervalSeconds: 8, JitterStrategy: 'FULL' }, 1, () => chance);
    expect(delays).toEqual([8 * chance]);
  });

  test('a delay is at most 30 days', async () => {
    const { delays } = await delaysOf({ BackoffRate: 1e200, MaxAttempts: 3 }, 3);
    expect(delays).toEqual([1, 2_592_000, 2_592_000]);
  });

  test.each<[what: string, retrier: object, failures: number, calls: number]>([
    ['three by default', {}, 9, 4],
    ['MaxAttempts', { MaxAttempts: 1 }, 9, 2],
    ['none with MaxAttempts of 0', { MaxAttempts: 0 }, 9, 1],
  ])('gives up after %s, with the last error', async (_, retrier, failures, calls) => {
    const trace = await delaysOf(retrier, failures);
    expect(trace.calls).toHaveLength(calls);
    expect(trace.ending).toEqual({ error: 'Mine', cause: '' });
  });

  test.each<[names: string[], error: string, retried: boolean]>([
    [['Mine'], 'Mine', true],
    [['Mine'], 'mine', false],
    [['Mine'], 'MineToo', false],
    [['Other', 'Mine'], 'Mine', true],
    [['States.ALL'], 'Mine', true],
    [['States.ALL'], 'States.Timeout', true],
    [['States.ALL'], 'States.Permissions', true],
    [['States.ALL'], 'States.DataLimitExceeded', false],
    [['States.ALL'], 'States.Runtime', false],
    [['States.Runtime'], 'States.Runtime', false],
    [['States.DataLimitExceeded'], 'States.DataLimitExceeded', true],
    [['States.TaskFailed'], 'Mine', true],
    [['States.TaskFailed'], 'States.Permissions', true],
    [['States.TaskFailed'], 'States.Timeout', false],
    [['States.TaskFailed'], 'States.DataLimitExceeded', false],
    [['States.Timeout'], 'States.Timeout', true],
    [['States.Timeout'], 'States.HeartbeatTimeout', true],
    [['States.HeartbeatTimeout'], 'States.HeartbeatTimeout', true],
    [['States.HeartbeatTimeout'], 'States.Timeout', false],
    [['States.Permissions'], 'States.Permissions', true],
    [['States.BranchFailed'], 'Mine', false],
    [['Http.StatusCode.503'], 'Http.StatusCode.503', true],
  ])('ErrorEquals %j names %s: %s', async (names, error, retried) => {
    const { calls } = await execute(retrying({ ErrorEquals: names }), {
      tasks: { S: [...errors(error), { result: 1 }] },
    });
    expect(calls).toHaveLength(retried ? 2 : 1);
  });

  test('the first retrier that names the error decides; each counts separately', async () => {
    const definition = retrying(
      { ErrorEquals: ['A', 'B'], IntervalSeconds: 1, BackoffRate: 2, MaxAttempts: 2 },
      { ErrorEquals: ['C'], IntervalSeconds: 5 },
    );
    const trace = await execute(definition, { tasks: { S: errors('A', 'B', 'C', 'B') } });
    expect(trace.delays).toEqual([1, 2, 5]);
    expect(trace.ending).toEqual({ error: 'B', cause: '' });
  });

  test('a later retrier does not follow an exhausted one', async () => {
    const definition = retrying({ ErrorEquals: ['A'], MaxAttempts: 1 }, { ErrorEquals: ['States.ALL'] });
    const trace = await execute(definition, { tasks: { S: errors('A') } });
    expect(trace.delays).toEqual([1]);
    expect(trace.ending).toEqual({ error: 'A', cause: '' });
  });

  test('has the retry count, and evaluates its Arguments again', async () => {
    const definition = only({
      Type: 'Task',
      Resource: 'wrp:http:call',
      Arguments: [
        '{% $states.context.State.RetryCount %}',
        '{% $states.context.State.EnteredTime %}',
        '{% $now() %}',
      ],
      Retry: [{ ErrorEquals: ['A'] }, { ErrorEquals: ['B'] }],
    });
    const { calls } = await execute(definition, { tasks: { S: [...errors('A', 'B'), { result: 1 }] } });
    const entered = '2027-03-01T09:00:00.000Z';
    expect(calls.map((call) => call.arguments)).toEqual([
      [0, entered, entered],
      [1, entered, '2027-03-01T09:00:01.000Z'],
      [2, entered, '2027-03-01T09:00:02.000Z'],
    ]);
  });

  test('applies to expressions of the state as well', async () => {
    const definition = only({
      Type: 'Task',
      Resource: 'wrp:http:call',
      Output: '{% $states.result.value %}',
      Retry: [{ ErrorEquals: ['States.QueryEvaluationError'], MaxAttempts: 1 }],
    });
    const trace = await execute(definition, { tasks: { S: [{ result: {} }, { result: { value: 1 } }] } });
    expect(trace.ending).toEqual({ output: 1 });
  });

  test('restarts its count when the state is entered again', async () => {
    const definition = definitionOf({
      Begin: { Type: 'Pass', Assign: { i: 0 }, Next: 'S' },
      S: {
        Type: 'Task',
        Resource: 'wrp:http:call',
        Retry: [{ ErrorEquals: ['A'], MaxAttempts: 1, IntervalSeconds: 3 }],
        Next: 'More',
      },
      More: {
        Type: 'Choice',
        Choices: [{ Condition: '{% $i < 1 %}', Assign: { i: '{% $i + 1 %}' }, Next: 'S' }],
        Default: 'Done',
      },
      Done: { Type: 'Succeed' },
    });
    const responses: TaskResponse[] = [{ error: 'A' }, { result: 1 }, { error: 'A' }, { result: 2 }];
    const trace = await execute(definition, { tasks: { S: responses } });
    expect(trace.ending).toEqual({ output: 2 });
    expect(trace.delays).toEqual([3, 3]);
  });
});
