import { expect, test } from 'vitest';
import type { JsonObject } from '../../server/json/index.ts';
import { until } from '../support/waiting.ts';
import { json, otherSystem, workflowWorld } from './support.ts';

const { executions, begin, run, failureOf, threadsOf, pass } = await workflowWorld();

const wait = (seconds: number, output: JsonObject): JsonObject => ({
  Rest: { Type: 'Wait', Seconds: seconds, Output: output, End: true },
});
const branch = (states: JsonObject): JsonObject => ({
  StartAt: Object.keys(states)[0] as string,
  States: states,
});
const fail = { Stop: { Type: 'Fail', Error: 'Test.Stopped', Cause: 'It was to.' } };
const result = { Output: { all: '{% $states.result %}' }, End: true };

test('branches of a Parallel run concurrently; their outputs keep their order', async () => {
  const execution = await begin({
    Both: {
      Type: 'Parallel',
      Branches: [branch(wait(600, { n: 1 })), branch(wait(600, { n: 2 })), branch(wait(300, { n: 3 }))],
      ...result,
    },
  });
  // All of them wait at the same time.
  await until(
    async () => (await threadsOf(execution.id)).filter(({ awaiting }) => awaiting === 'wait').length === 3,
  );
  await pass(300);
  await until(async () => (await threadsOf(execution.id)).some(({ status }) => status === 'ended'));
  await pass(300);
  await executions.ended(execution);
  expect(await (await executions.result(execution.id)).json()).toEqual({
    all: [{ n: 1 }, { n: 2 }, { n: 3 }],
  });
});

test('a branch that fails stops the others, and can be caught', async () => {
  const execution = await begin({
    Both: {
      Type: 'Parallel',
      Branches: [
        branch(wait(3600, {})),
        branch({ ...wait(1, {}), Rest: { Type: 'Wait', Seconds: 1, Next: 'Stop' }, ...fail }),
      ],
      Catch: [
        {
          ErrorEquals: ['Test.Stopped'],
          Output: { caught: '{% $states.errorOutput.Cause %}' },
          Next: 'Caught',
        },
      ],
      Next: 'Caught',
    },
    Caught: { Type: 'Succeed' },
  });
  await executions.ended(execution);
  expect(await (await executions.result(execution.id)).json()).toEqual({ caught: 'It was to.' });
});

test('a branch that fails uncaught fails the execution, and stops the others', async () => {
  const execution = await begin({
    Both: { Type: 'Parallel', Branches: [branch(wait(3600, {})), branch(fail)], End: true },
  });
  await executions.ended(execution, 'FAILED');
  expect(await failureOf(execution.id)).toEqual({ error: 'Test.Stopped', cause: 'It was to.' });
  // They are kept for a retry.
  expect((await threadsOf(execution.id)).map(({ status }) => status).sort()).toEqual([
    'failed',
    'stopped',
    'stopped',
  ]);
});

test('a Map runs at most MaxConcurrency items at once, and each item once', async () => {
  let most = 0;
  let now = 0;
  const three = Promise.withResolvers<void>();
  const system = await otherSystem(async ({ body }, response) => {
    now += 1;
    most = Math.max(most, now);
    if (now === 3) three.resolve();
    // The first ones wait until there are three; then a fourth would have time to start.
    await three.promise;
    await new Promise((resolve) => setTimeout(resolve, 100));
    now -= 1;
    json(response, 200, JSON.parse(body));
  });
  const call = {
    Type: 'Task',
    Resource: 'wrp:http:call',
    Arguments: { url: system.url, body: '{% $states.input %}' },
    Output: '{% $states.result.body.n * 10 %}',
    End: true,
  };
  const given = await run({
    Each: {
      Type: 'Map',
      Items: '{% [1..10] %}',
      ItemSelector: { n: '{% $states.context.Map.Item.Value %}' },
      MaxConcurrency: 3,
      ItemProcessor: branch({ Call: call }),
      ...result,
    },
  });
  expect(given).toEqual({ all: [10, 20, 30, 40, 50, 60, 70, 80, 90, 100] });
  expect(system.received).toHaveLength(10);
  expect(most).toBe(3);
});

test('a Map of hundreds of items keeps their order', async () => {
  const given = await run({
    Each: {
      Type: 'Map',
      Items: '{% [1..300] %}',
      ItemProcessor: branch({
        Square: { Type: 'Pass', Output: '{% $states.input * $states.input %}', End: true },
      }),
      ...result,
    },
  });
  expect(given).toEqual({ all: Array.from({ length: 300 }, (_, index) => (index + 1) ** 2) });
});

test('a Map tolerates as many failures as configured, and fails with one more', async () => {
  const each = (tolerated: number): JsonObject => ({
    Each: {
      Type: 'Map',
      Items: [1, 2, 3, 4],
      MaxConcurrency: 1,
      ToleratedFailureCount: tolerated,
      ItemProcessor: branch({
        Even: {
          Type: 'Choice',
          Choices: [{ Condition: '{% $states.input % 2 = 0 %}', Next: 'Stop' }],
          Default: 'Fine',
        },
        Fine: { Type: 'Pass', End: true },
        ...fail,
      }),
      ...result,
    },
  });
  expect(await run(each(2))).toEqual({ all: [1, 3] });
  const execution = await begin(each(1));
  await executions.ended(execution, 'FAILED');
  expect(await failureOf(execution.id)).toMatchObject({ error: 'States.ExceedToleratedFailureThreshold' });
});

test('forks in forks join from the inside out, with the variables of the scopes around', async () => {
  const given = await run({
    Set: { Type: 'Pass', Assign: { outer: 'o' }, Next: 'Each' },
    Each: {
      Type: 'Map',
      Items: ['a', 'b'],
      ItemProcessor: branch({
        Keep: { Type: 'Pass', Assign: { item: '{% $states.input %}' }, Next: 'Both' },
        Both: {
          Type: 'Parallel',
          Branches: [
            branch({ One: { Type: 'Pass', Output: "{% $outer & $item & '1' %}", End: true } }),
            branch(wait(1, { two: '{% $item %}' })),
          ],
          End: true,
        },
      }),
      ...result,
    },
  });
  expect(given).toEqual({
    all: [
      ['oa1', { two: 'a' }],
      ['ob1', { two: 'b' }],
    ],
  });
});

test('a fork that is retried starts all its threads again', async () => {
  const system = await otherSystem((_request, response, count) =>
    json(response, count === 1 ? 500 : 200, { count }),
  );
  const call = {
    Type: 'Task',
    Resource: 'wrp:http:call',
    Arguments: { url: system.url },
    Output: '{% $states.result.body.count %}',
    End: true,
  };
  const given = await run({
    Both: {
      Type: 'Parallel',
      Branches: [branch({ Call: call })],
      Retry: [{ ErrorEquals: ['States.BranchFailed'], IntervalSeconds: 1 }],
      ...result,
    },
  });
  expect(given).toEqual({ all: [2] });
});

test('a cancelled execution ends the threads of all its forks', async () => {
  const execution = await begin({
    Each: {
      Type: 'Map',
      Items: [1, 2],
      ItemProcessor: branch({
        Both: { Type: 'Parallel', Branches: [branch(wait(3600, {})), branch(wait(3600, {}))], End: true },
      }),
      End: true,
    },
  });
  await until(async () => (await threadsOf(execution.id)).length === 7);
  expect((await executions.cancel(execution.id)).response.status).toBe(204);
  expect(await threadsOf(execution.id)).toEqual([]);
});
