import { expect, test } from 'vitest';
import { expectShortStretches } from '../support/main-thread.ts';
import { scaledTimeout } from '../support/timeout.ts';
import { until } from '../support/waiting.ts';
import { json, loop, openJobs, otherSystem, workflowWorld } from './support.ts';

const world = await workflowWorld();
const { begin, run, define, executions, failureOf, database } = world;

const done = { Done: { Type: 'Succeed', Output: { sum: '{% $sum([1, 2, 3]) %}' } } };

test(
  'a step that takes too much memory fails its execution, and is not repeated',
  async () => {
    const value = '{% $map([1..1000000], function($_) { $shuffle([1..1000000]) }) %}';
    const execution = await begin({ Fill: { Type: 'Pass', Output: { value }, End: true } });
    await executions.ended(execution, 'FAILED', scaledTimeout(60_000));
    expect(await failureOf(execution.id)).toMatchObject({ error: 'States.QueryEvaluationError' });
    await expect.poll(() => openJobs(database)).toEqual([]);
  },
  scaledTimeout(120_000),
);

test(
  'many looping executions do not delay others',
  async () => {
    const id = await define({ Loop: { Type: 'Pass', Output: { value: loop }, End: true } });
    const looping = await Promise.all(
      Array.from({ length: 40 }, () => executions.start({ workflowDefinitionId: id })),
    );
    expect(await run(done, { timeout: scaledTimeout(60_000) })).toEqual({ sum: 6 });
    const statuses = await Promise.all(looping.map(async (each) => (await executions.read(each.id)).status));
    expect(statuses.filter((status) => status === 'RUNNING').length).toBeGreaterThan(10);
    await Promise.all(looping.map((each) => executions.cancel(each.id)));
    await until(async () => (await openJobs(database)).length === 0, { timeout: scaledTimeout(60_000) });
  },
  scaledTimeout(120_000),
);

test(
  'a large response of small parts passes from state to state without blocking this process',
  async () => {
    const body = `[${'{},'.repeat(490_000)}${'0,'.repeat(1_500_000)}0]`;
    const system = await otherSystem((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(body);
    });
    const execution = await expectShortStretches(async () => {
      const started = await begin({
        Call: {
          Type: 'Task',
          Resource: 'wrp:http:call',
          Arguments: { url: system.url },
          Output: '{% {"list": $states.result.body} %}',
          Next: 'Pass',
        },
        Pass: { Type: 'Pass', Next: 'Done' },
        Done: { Type: 'Succeed' },
      });
      await executions.ended(started, 'COMPLETED', scaledTimeout(60_000));
      return started;
    });
    const response = await executions.result(execution.id);
    expect(await response.text()).toBe(`{"list":${body}}`);
  },
  scaledTimeout(300_000),
);

test(
  'threads with too large values together fail the state',
  async () => {
    const execution = await begin({
      Set: { Type: 'Pass', Assign: { text: "{% $pad('', 1000000, 'x') %}" }, Next: 'Each' },
      Each: {
        Type: 'Map',
        Items: '{% [1..1000] %}',
        ItemProcessor: { StartAt: 'Item', States: { Item: { Type: 'Pass', End: true } } },
        End: true,
      },
    });
    await executions.ended(execution, 'FAILED', scaledTimeout(60_000));
    expect(await failureOf(execution.id)).toMatchObject({
      error: 'States.DataLimitExceeded',
      cause: 'The initial frames of the threads exceed 33554432 bytes in total.',
    });
  },
  scaledTimeout(120_000),
);

test(
  'a step that was stopped is retried and caught as its definition says, and its call is made once',
  async () => {
    const system = await otherSystem((_request, response) => json(response, 200, { n: 1 }));
    const result = await run(
      {
        Call: {
          Type: 'Task',
          Resource: 'wrp:http:call',
          Arguments: { url: system.url },
          Output: { value: loop },
          Catch: [
            {
              ErrorEquals: ['States.QueryEvaluationError'],
              Output: { caught: '{% $states.errorOutput.Error %}' },
              Next: 'Again',
            },
          ],
          End: true,
        },
        Again: {
          Type: 'Parallel',
          Arguments: { value: loop },
          Branches: [{ StartAt: 'Inner', States: { Inner: { Type: 'Succeed' } } }],
          Retry: [{ ErrorEquals: ['States.ALL'], MaxAttempts: 1, IntervalSeconds: 1 }],
          Catch: [
            {
              ErrorEquals: ['States.ALL'],
              Output: {
                retries: '{% $states.context.State.RetryCount %}',
                first: '{% $states.input.caught %}',
              },
              Next: 'End',
            },
          ],
          End: true,
        },
        End: { Type: 'Succeed' },
      },
      { timeout: scaledTimeout(60_000) },
    );
    expect(result).toEqual({ retries: 1, first: 'States.QueryEvaluationError' });
    expect(system.received).toHaveLength(1);
  },
  scaledTimeout(120_000),
);

test(
  'results of branches that are too large together can be caught',
  async () => {
    const branch = (name: string) => ({
      StartAt: name,
      States: { [name]: { Type: 'Pass', Output: `{% $pad('', 9000000, '${name}') %}`, End: true } },
    });
    const result = await run(
      {
        Both: {
          Type: 'Parallel',
          Branches: [branch('A'), branch('B')],
          Catch: [
            {
              ErrorEquals: ['States.ALL'],
              Output: { why: '{% $states.errorOutput.Cause %}' },
              Next: 'End',
            },
          ],
          End: true,
        },
        End: { Type: 'Succeed' },
      },
      { timeout: scaledTimeout(60_000) },
    );
    expect(result).toEqual({ why: 'The result is larger than 16777216 bytes.' });
  },
  scaledTimeout(120_000),
);
