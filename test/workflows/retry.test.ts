import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../server/json/index.ts';
import { type Retry, retryExecution } from '../../server/src/workflows/retry.ts';
import { definitionOf } from '../support/definitions.ts';
import { until } from '../support/waiting.ts';
import { json, otherSystem, workflowWorld } from './support.ts';

const platform = await workflowWorld({ maxHistoryEntries: 300 });
const { executions, begin, failureOf, threadsOf, historyOf, database, jobs, clock, pass, given } = platform;

const retry = (executionId: string, options: Partial<Retry> = {}) =>
  retryExecution({ database, jobs, now: clock.now() }, { executionId, by: 'ada', ...options });

const branch = (states: JsonObject): JsonObject => ({
  StartAt: Object.keys(states)[0] as string,
  States: states,
});
const wait = (seconds: number, output: JsonObject): JsonObject => ({
  Rest: { Type: 'Wait', Seconds: seconds, Output: output, End: true },
});
const result = { Output: { all: '{% $states.result %}' }, End: true };
const item = '{% $string($states.input) %}';

/** Another system. Its calls fail while `isDown`: those with a body of `failing`, or all. */
async function partner(...failing: string[]) {
  const state = { isDown: true, now: 0, most: 0 };
  const counts: Record<string, number> = {};
  const system = await otherSystem(async ({ body }, response) => {
    counts[body] = (counts[body] ?? 0) + 1;
    state.most = Math.max(state.most, ++state.now);
    if (!state.isDown) await new Promise((resolve) => setTimeout(resolve, 20));
    state.now -= 1;
    const fails = state.isDown && (failing.length === 0 || failing.includes(body));
    json(response, fails ? 503 : 200, body);
  });
  const call = (body: string, fields: JsonObject = {}): JsonObject => ({
    Type: 'Task',
    Resource: 'wrp:http:call',
    Arguments: { url: system.url, method: 'POST', headers: { 'Content-Type': 'text/plain' }, body },
    Output: '{% $states.result.body %}',
    ...(fields['Next'] ? {} : { End: true }),
    ...fields,
  });
  const mend = () => Object.assign(state, { isDown: false, most: 0 });
  return { ...system, state, counts, call, mend };
}

/** Begins states, which fail. @returns their execution */
async function failed(states: JsonObject, fields: JsonObject = {}) {
  const execution = await begin(states, { fields });
  await executions.ended(execution, 'FAILED');
  return execution;
}

/** Retries an execution to its end. @returns its result */
async function retried({ id }: { id: string }, options: Partial<Retry> = {}) {
  expect(await retry(id, options)).toMatchObject({ kind: 'retried', version: 3 });
  await executions.ended({ id });
  expect(await threadsOf(id)).toEqual([]);
  return (await executions.result(id)).json();
}

/** Makes the states those of the newest revision of an execution's definition. */
async function revise(execution: { workflowDefinitionId: string }, states: JsonObject) {
  await given.definitionRevision({
    id: execution.workflowDefinitionId,
    revision: '2',
    definition: definitionOf(states),
  });
}

const squares = (system: Awaited<ReturnType<typeof partner>>, fields: JsonObject): JsonObject => ({
  Each: {
    Type: 'Map',
    ItemProcessor: branch({ Call: system.call(item) }),
    ...result,
    ...fields,
  },
});

describe('a retry', () => {
  test('calls the system of a Task again, with a new key, and keeps what came before', async () => {
    const system = await partner('second');
    const execution = await failed({
      Before: system.call('first', { Assign: { kept: 1 }, Next: 'Call' }),
      Call: system.call('second', { Output: { kept: '{% $kept %}', input: '{% $states.input %}' } }),
    });
    system.mend();
    expect(await retried(execution)).toEqual({ kept: 1, input: 'first' });
    expect(system.counts).toEqual({ first: 1, second: 2 });
    expect(new Set(system.received.map(({ headers }) => headers['idempotency-key'])).size).toBe(3);
  });

  test('counts Retry from zero', async () => {
    const system = await partner();
    const Retry = [{ ErrorEquals: ['States.ALL'], IntervalSeconds: 1, MaxAttempts: 1 }];
    const execution = await failed({ Call: system.call('x', { Retry, Output: {} }) });
    expect(await retry(execution.id)).toMatchObject({ kind: 'retried' });
    await executions.ended(execution, 'FAILED');
    expect(system.counts).toEqual({ x: 4 });
  });

  test('of a Map repeats the item that failed and those that were stopped', async () => {
    const system = await partner('3');
    const execution = await failed(squares(system, { Items: [1, 2, 3, 4, 5], MaxConcurrency: 1 }));
    system.mend();
    expect(await retried(execution)).toEqual({ all: ['1', '2', '3', '4', '5'] });
    expect(system.counts).toEqual({ 1: 1, 2: 1, 3: 2, 4: 1, 5: 1 });
  });

  test('of a Map runs at most MaxConcurrency items at once', async () => {
    const system = await partner('6');
    const Items = Array.from({ length: 15 }, (_, index) => index);
    const execution = await failed(squares(system, { Items, MaxConcurrency: 3 }));
    system.mend();
    expect(await retried(execution)).toEqual({ all: Items.map(String) });
    expect(system.state.most).toBeLessThanOrEqual(3);
  });

  test('of a Map with a tolerance repeats all items that failed, within MaxConcurrency', async () => {
    const system = await partner('2', '4', '5');
    const fields = { Items: [1, 2, 3, 4, 5, 6], MaxConcurrency: 1, ToleratedFailureCount: 2 };
    const execution = await failed(squares(system, fields));
    expect(await failureOf(execution.id)).toMatchObject({ error: 'States.ExceedToleratedFailureThreshold' });
    system.mend();
    expect(await retried(execution)).toEqual({ all: ['1', '2', '3', '4', '5', '6'] });
    expect(system.counts).toEqual({ 1: 1, 2: 2, 3: 1, 4: 2, 5: 2, 6: 1 });
    expect(system.state.most).toBe(1);
  });

  test('of nested Maps with a tolerance keeps the inner items that succeeded', async () => {
    const system = await partner('b1', 'b2', 'b3');
    const inner = {
      Type: 'Map',
      Items: "{% ['a' & $states.input, 'b' & $states.input] %}",
      MaxConcurrency: 1,
      ItemProcessor: branch({ Call: system.call('{% $states.input %}') }),
      End: true,
    };
    const execution = await failed({
      Each: {
        Type: 'Map',
        Items: [1, 2, 3],
        MaxConcurrency: 1,
        ToleratedFailureCount: 2,
        ItemProcessor: branch({ Inner: inner }),
        ...result,
      },
    });
    system.mend();
    expect(await retried(execution)).toEqual({
      all: [
        ['a1', 'b1'],
        ['a2', 'b2'],
        ['a3', 'b3'],
      ],
    });
    expect(system.counts).toEqual({ a1: 1, b1: 2, a2: 1, b2: 2, a3: 1, b3: 2 });
    expect(system.state.most).toBe(1);
  });

  test('of a Parallel keeps the branches that ended, and continues those that waited', async () => {
    const system = await partner('failing');
    const execution = await begin({
      Both: {
        Type: 'Parallel',
        Branches: [
          branch({ Call: system.call('ended') }),
          branch(wait(3600, { rested: true })),
          branch({ Rest: { Type: 'Wait', Seconds: 1, Next: 'Call' }, Call: system.call('failing') }),
        ],
        ...result,
      },
    });
    await until(async () => (await threadsOf(execution.id)).some(({ status }) => status === 'ended'));
    await executions.ended(execution, 'FAILED');
    system.mend();
    clock.forward(1_800_000);
    expect(await retry(execution.id)).toMatchObject({ kind: 'retried' });
    await until(() => system.counts['failing'] === 2);
    // What is left of the hour.
    await pass(1800);
    await executions.ended(execution);
    expect(await (await executions.result(execution.id)).json()).toEqual({
      all: ['ended', { rested: true }, 'failing'],
    });
    expect(system.counts).toEqual({ ended: 1, failing: 2 });
  });

  test('of a Map in a Parallel in a Map keeps the items that succeeded', async () => {
    const system = await partner('x2');
    const items = {
      Type: 'Map',
      Items: "{% ['x1', 'x2', 'x3'] %}",
      MaxConcurrency: 1,
      ItemProcessor: branch({ Call: system.call('{% $states.input %}') }),
      End: true,
    };
    const both = {
      Type: 'Parallel',
      Branches: [branch({ Each: items }), branch({ One: { Type: 'Pass', Output: 1, End: true } })],
      End: true,
    };
    const execution = await failed({
      Outer: { Type: 'Map', Items: [0], ItemProcessor: branch({ Both: both }), ...result },
    });
    system.mend();
    expect(await retried(execution)).toEqual({ all: [[['x1', 'x2', 'x3'], 1]] });
    expect(system.counts).toEqual({ x1: 1, x2: 2, x3: 1 });
  });

  test('repeats a call that was stopped with its key', async () => {
    const arrived = Promise.withResolvers<void>();
    let isDown = true;
    const system = await otherSystem(async ({ body }, response) => {
      if (body === 'fails' && isDown) await arrived.promise;
      if (body === 'hangs' && isDown) return arrived.resolve();
      json(response, body === 'fails' && isDown ? 500 : 200, body);
    });
    const call = (body: string) => {
      const headers = { 'Content-Type': 'text/plain' };
      const Arguments = { url: system.url, method: 'POST', headers, body };
      const Output = '{% $states.result.body %}';
      return branch({
        Call: { Type: 'Task', Resource: 'wrp:http:call', Arguments, Output, TimeoutSeconds: 600, End: true },
      });
    };
    const execution = await failed({
      Both: { Type: 'Parallel', Branches: [call('hangs'), call('fails')], ...result },
    });
    isDown = false;
    expect(await retried(execution)).toEqual({ all: ['hangs', 'fails'] });
    const keysOf = (sent: string) =>
      system.received.filter(({ body }) => body === sent).map(({ headers }) => headers['idempotency-key']);
    expect(new Set(keysOf('hangs')).size).toBe(1);
    expect(keysOf('hangs')).toHaveLength(2);
    expect(new Set(keysOf('fails')).size).toBe(2);
  });

  test('of a callback asks again, and refuses the callback of the failed run', async () => {
    const asked: string[] = [];
    const system = await otherSystem(({ headers }, response) => {
      asked.push(headers['callback-url'] as string);
      response.writeHead(202).end();
    });
    const Ask = {
      Type: 'Task',
      Resource: 'wrp:callback:wait',
      Arguments: { request: { url: system.url } },
      TimeoutSeconds: 600,
      End: true,
    };
    const post = async (url: string | undefined) => {
      const headers = { 'Content-Type': 'application/json' };
      return (await fetch(url as string, { method: 'POST', headers, body: '{"output":{"yes":true}}' }))
        .status;
    };
    const other = await partner();
    const Rest = { Type: 'Wait', Seconds: 60, Next: 'Call' };
    const failing = branch({ Rest, Call: other.call('x') });
    const stopping = { Both: { Type: 'Parallel', Branches: [branch({ Ask }), failing], ...result } };
    for (const [states, output] of [
      [{ Ask }, { yes: true }],
      [stopping, { all: [{ yes: true }, 'x'] }],
    ] as [JsonObject, JsonObject][]) {
      asked.length = 0;
      const execution = await begin(states);
      await until(async () =>
        (await threadsOf(execution.id)).some((thread) => thread.awaiting === 'callback'),
      );
      await pass(600);
      await executions.ended(execution, 'FAILED');
      expect(await post(asked[0])).toBe(410);
      other.mend();
      expect(await retry(execution.id)).toMatchObject({ kind: 'retried' });
      await until(() => asked.length === 2);
      expect(asked[1]).not.toBe(asked[0]);
      expect(await post(asked[0])).toBe(410);
      expect(await post(asked[1])).toBe(204);
      await executions.ended(execution);
      expect(await (await executions.result(execution.id)).json()).toEqual(output);
    }
  });

  test('of a Choice without a match continues with another input, in the slow lane too', async () => {
    for (const length of [1, 1_500_000]) {
      const execution = await failed({
        Large: { Type: 'Pass', Output: { text: `{% $pad('', ${length}, 'x') %}` }, Next: 'Choose' },
        Choose: {
          Type: 'Choice',
          Choices: [{ Condition: '{% $states.input.go = true %}', Next: 'Done' }],
        },
        Done: { Type: 'Succeed', Output: { go: '{% $states.input.go %}' } },
      });
      expect(await failureOf(execution.id)).toMatchObject({ error: 'States.NoChoiceMatched' });
      expect(await retried(execution, { input: { go: true } })).toEqual({ go: true });
    }
  });

  test('of a first state continues with another input', async () => {
    const execution = await failed({
      Choose: {
        Type: 'Choice',
        Choices: [{ Condition: '{% $states.input.go = true %}', Next: 'Done' }],
      },
      Done: { Type: 'Succeed', Output: '{% $states.input %}' },
    });
    expect(await retried(execution, { input: { go: true } })).toEqual({ go: true });
  });

  test('of one item replaces its input', async () => {
    const system = await partner('2');
    const execution = await failed(squares(system, { Items: [1, 2, 3], MaxConcurrency: 1 }));
    expect(await retried(execution, { input: 20 })).toEqual({ all: ['1', '20', '3'] });
  });

  test('with the newest revision keeps the results of a Map whose Output failed', async () => {
    const system = await partner('none');
    const execution = await failed(squares(system, { Items: [1, 2], Output: '{% $missing.x() %}' }));
    expect(await failureOf(execution.id)).toMatchObject({ error: 'States.QueryEvaluationError' });
    await revise(execution, squares(system, { Items: [1, 2] }));
    expect(await retried(execution, { newest: true })).toEqual({ all: ['1', '2'] });
    expect(system.counts).toEqual({ 1: 1, 2: 1 });
    expect(await executions.read(execution.id)).toMatchObject({ revision: '2' });
  });

  test('of a Map whose results were too large runs all items again', async () => {
    const items = (length: number) => ({
      Each: {
        Type: 'Map',
        Items: [1, 2, 3],
        ItemProcessor: branch({
          Pad: { Type: 'Pass', Output: `{% $pad('', ${length}, 'x') %}`, End: true },
        }),
        Output: { count: '{% $count($states.result) %}' },
        End: true,
      },
    });
    const execution = await failed(items(6_000_000));
    expect(await failureOf(execution.id)).toMatchObject({ error: 'States.DataLimitExceeded' });
    await revise(execution, items(10));
    expect(await retried(execution, { newest: true })).toEqual({ count: 3 });
  });

  test('of a Fail state fails again, with an event and a higher version each time', async () => {
    const execution = await failed({ Stop: { Type: 'Fail', Error: 'Test.Stopped', Cause: 'It was to.' } });
    expect(await retry(execution.id)).toMatchObject({ kind: 'retried', version: 3 });
    await executions.ended(execution, 'FAILED');
    const events = await database
      .selectFrom('events')
      .select(['type', 'data'])
      .where('type', 'like', 'workflow.%')
      .orderBy('created_at')
      .execute();
    const own = events.map(({ type, data }) => ({ type, ...(data as { workflowId: string }) }));
    expect(own.filter(({ workflowId }) => workflowId === execution.id)).toMatchObject([
      { type: 'workflow.started', executionVersion: 1 },
      { type: 'workflow.failed', executionVersion: 2 },
      { type: 'workflow.failed', executionVersion: 4 },
    ]);
  });

  test('of an execution that timed out grants its TimeoutSeconds again, and moves its expiry', async () => {
    const execution = await begin(
      { Rest: { Type: 'Wait', Seconds: 3600, Output: { done: true }, End: true } },
      { fields: { TimeoutSeconds: 2400 } },
    );
    await until(async () => (await threadsOf(execution.id))[0]?.awaiting === 'wait');
    await pass(2400);
    await executions.ended(execution, 'FAILED');
    expect(await failureOf(execution.id)).toMatchObject({ error: 'States.Timeout' });
    clock.forward(600_000);
    expect(await retry(execution.id, { input: {} })).toEqual({ kind: 'input_ambiguous', failed: 'none' });
    expect(await retry(execution.id)).toMatchObject({ kind: 'retried' });
    const moved =
      Date.parse((await executions.read(execution.id)).expiresAt) - Date.parse(execution.expiresAt);
    expect(moved).toBeGreaterThanOrEqual(600_000);
    expect(moved).toBeLessThan(660_000);
    await pass(1200);
    await executions.ended(execution);
  });

  test('of an execution at the limit of history entries counts them from zero', async () => {
    const execution = await failed({
      Begin: { Type: 'Pass', Output: 0, Next: 'Count' },
      Count: { Type: 'Pass', Output: '{% $states.input + 1 %}', Next: 'Check' },
      Check: {
        Type: 'Choice',
        Choices: [{ Condition: '{% $states.input < 200 %}', Next: 'Count' }],
        Default: 'Done',
      },
      Done: { Type: 'Succeed', Output: { count: '{% $states.input %}' } },
    });
    expect((await failureOf(execution.id)).cause).toContain('300 history entries');
    expect(await retried(execution)).toEqual({ count: 200 });
  });

  test('of a state after a caught fork does not continue the fork', async () => {
    const system = await partner('2');
    const execution = await failed({
      ...squares(system, {
        Items: [1, 2],
        Catch: [{ ErrorEquals: ['States.ALL'], Next: 'Later' }],
        Next: 'Later',
        End: undefined as never,
      }),
      Later: system.call('2', { Output: {} }),
    });
    expect(await threadsOf(execution.id)).toMatchObject([{ parent_id: null, status: 'stopped' }]);
    system.mend();
    expect(await retried(execution)).toEqual({});
  });

  test('is an entry of the history, which goes on', async () => {
    const system = await partner('2');
    const execution = await failed(squares(system, { Items: [1, 2], MaxConcurrency: 1 }));
    const before = await historyOf(execution.id);
    system.mend();
    await retried(execution);
    const after = await historyOf(execution.id);
    expect(after.slice(0, before.length)).toEqual(before);
    expect(after.slice(before.length).map(({ kind, state }) => [kind, state])).toEqual([
      ['retried', 'Each'],
      ['task', 'Call'],
      ['state', 'Call'],
      ['state', 'Each'],
    ]);
    expect(after[before.length]?.detail).toEqual({
      by: 'ada',
      error: 'Http.Status.503',
      failed: 'Each[1]/Call',
    });
  });
});
