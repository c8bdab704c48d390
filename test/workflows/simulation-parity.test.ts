import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../server/json/index.ts';
import { type Mocks, runDefinition } from '../../server/src/workflows/simulation/index.ts';
import { definitionOf } from '../support/definitions.ts';
import { json, otherSystem, workflowWorld } from './support.ts';

const { executions, begin, historyOf } = await workflowWorld();

/** Responds with the status in the path: 200 with what it was sent, or an error. */
const { url } = await otherSystem(({ url: path, body }, response, count) =>
  json(response, Number(path.slice(1)), { sent: body && JSON.parse(body), first: count === 0 }),
);
const call = (status: number, more: JsonObject = {}): JsonObject => ({
  Type: 'Task',
  Resource: 'wrp:http:call',
  Arguments: { url: `${url}/${status}`, body: '{% $states.input.n %}' },
  ...more,
});
const responseTo = (sent: Json) => ({ output: { body: { sent, first: false } } });
const all = { Output: { all: '{% $states.result %}' }, End: true };
const body = { Output: '{% $states.result.body.sent %}', End: true };
const inner = (states: JsonObject): JsonObject => ({
  StartAt: Object.keys(states)[0] as string,
  States: states,
});

/** What a test of a definition says must be what the platform does: the same outcome by the same states. */
describe('a simulated run is that of the platform', () => {
  test.each<[what: string, states: JsonObject, mocks: Mocks]>([
    [
      'with a loop, variables and a Choice',
      {
        Start: { Type: 'Pass', Assign: { n: 0 }, Next: 'Count' },
        Count: { Type: 'Pass', Assign: { n: '{% $n + 1 %}' }, Next: 'Enough?' },
        'Enough?': {
          Type: 'Choice',
          Choices: [{ Condition: '{% $n < 3 %}', Next: 'Count' }],
          Default: 'Done',
          Output: { last: '{% $n %}' },
        },
        Done: { Type: 'Succeed' },
      },
      {},
    ],
    [
      'with a call',
      { Call: call(200, { Output: { got: '{% $states.result.body.sent %}' }, End: true }) },
      { Call: responseTo(1) },
    ],
    [
      'with an error that is caught',
      {
        Call: call(409, {
          Catch: [
            { ErrorEquals: ['Http.Status.404'], Next: 'Done' },
            {
              ErrorEquals: ['Http.Status.409'],
              Output: { sent: '{% $states.errorOutput.Response.body.sent %}' },
              Next: 'Done',
            },
          ],
          End: true,
        }),
        Done: { Type: 'Succeed' },
      },
      {
        Call: {
          error: { name: 'Http.Status.409', response: { body: { sent: 1, first: false } } },
        },
      },
    ],
    ['with a failure that has no name', { F: { Type: 'Fail', Cause: 'Enough.' } }, {}],
    ['with a failure', { F: { Type: 'Fail', Error: 'Test.Refused', Cause: "{% 'It is ' & 1 %}" } }, {}],
    [
      'with arguments that are refused',
      {
        Send: {
          Type: 'Task',
          Resource: 'wrp:mail:send',
          Arguments: { to: 'nobody', subject: 'Hello', text: 'Hello.' },
          End: true,
        },
      },
      { Send: { output: {} } },
    ],
    ['with a result that is not an object', { P: { Type: 'Pass', Output: [1], End: true } }, {}],
    ['with an expression that fails', { P: { Type: 'Pass', Output: { a: "{% 1 + 'x' %}" }, End: true } }, {}],
    [
      'with iterations, one at a time',
      {
        Each: {
          Type: 'Map',
          Items: [{ n: 1 }, { n: 2 }, { n: 3 }],
          MaxConcurrency: 1,
          ItemProcessor: inner({ Call: call(200, body) }),
          ...all,
        },
      },
      { Call: [responseTo(1), responseTo(2), responseTo(3)] },
    ],
    [
      'with failed iterations that are tolerated',
      {
        Each: {
          Type: 'Map',
          Items: [1, 2, 3],
          MaxConcurrency: 1,
          ToleratedFailureCount: 1,
          ItemProcessor: inner({
            'Two?': {
              Type: 'Choice',
              Choices: [{ Condition: '{% $states.input = 2 %}', Next: 'No' }],
              Default: 'Yes',
            },
            No: { Type: 'Fail', Error: 'Test.Two', Cause: '' },
            Yes: { Type: 'Succeed' },
          }),
          ...all,
        },
      },
      {},
    ],
    [
      'with more failed iterations than tolerated',
      {
        Each: {
          Type: 'Map',
          Items: [1, 2, 3],
          MaxConcurrency: 1,
          ToleratedFailureCount: 1,
          ItemProcessor: inner({ No: { Type: 'Fail', Error: 'Test.All', Cause: 'Each one.' } }),
          Catch: [{ ErrorEquals: ['States.ALL'], Output: '{% $states.errorOutput %}', Next: 'Done' }],
          ...all,
        },
        Done: { Type: 'Succeed' },
      },
      {},
    ],
    [
      'with nested forks',
      {
        Both: {
          Type: 'Parallel',
          Arguments: { n: 4 },
          Branches: [
            inner({
              Each: {
                Type: 'Map',
                Items: '{% [$states.input] %}',
                ItemProcessor: inner({ Call: call(200, body) }),
                End: true,
              },
            }),
          ],
          ...all,
        },
      },
      { Call: responseTo(4) },
    ],
    [
      'with a retry and a wait',
      {
        Call: call(503, {
          Retry: [{ ErrorEquals: ['Http.Status.503'], MaxAttempts: 1, IntervalSeconds: 1 }],
          Catch: [{ ErrorEquals: ['States.ALL'], Output: { n: 2 }, Next: 'Rest' }],
          End: true,
        }),
        Rest: { Type: 'Wait', Seconds: 1, Next: 'Done' },
        Done: { Type: 'Succeed' },
      },
      { Call: { error: 'Http.Status.503' } },
    ],
  ])('%s', async (_what, states, mocks) => {
    const first = { Type: 'Pass', Output: { n: 1 }, Next: Object.keys(states)[0] as string };
    const definition = { First: first, ...states };
    const execution = await begin(definition);
    const run = await runDefinition(definitionOf(definition), { mocks });
    await executions.ended(execution, run.status);
    const history = await historyOf(execution.id);
    const ended = history.filter(({ kind }) => kind === 'state' || kind === 'failed');
    const simulated = run.steps.filter(({ via }) => !via?.startsWith('Retry/'));
    // Branches run concurrently.
    const sorted = (steps: { state: string | null }[]) => steps.map(({ state }) => state).toSorted();
    expect(sorted(simulated)).toEqual(sorted(ended));
    if (run.status === 'COMPLETED') {
      expect(run.output).toEqual((await (await executions.result(execution.id)).json()) as Json);
    } else {
      const { error, cause } = run;
      expect((await executions.read(execution.id)).failure).toMatchObject({ error, cause });
    }
  });
});
