import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../server/json/index.ts';
import { definitionOf } from '../support/definitions.ts';
import { until } from '../support/waiting.ts';
import { branch, partner, result, retryWorld, squares } from './retry-world.ts';
import { json, otherSystem } from './support.ts';

const { executions, begin, failureOf, threadsOf, database, clock, pass, given, retry, failed, retried } =
  await retryWorld();

const item = '{% $string($states.input) %}';
const wait = (seconds: number, output: JsonObject): JsonObject => ({
  Rest: { Type: 'Wait', Seconds: seconds, Output: output, End: true },
});

/** Makes the states those of the newest revision of an execution's definition. */
async function revise(execution: { workflowDefinitionId: string }, states: JsonObject) {
  await given.definitionRevision({
    id: execution.workflowDefinitionId,
    revision: '2',
    definition: definitionOf(states),
  });
}

describe('a retry', () => {
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

  test('continues an item whose job of before the retry is still running', async () => {
    const system = await partner('fails');
    const first = Promise.withResolvers<void>();
    // The second call takes longer than the first one, whose job then comes to its next step first.
    system.state.hold = async (body, count) => {
      if (body === 'slow') await (count === 1 ? first.promise : setTimeout(500));
    };
    const execution = await begin({
      Both: {
        Type: 'Parallel',
        Branches: [
          branch({
            Call: system.call('slow', { Next: 'Again' }),
            Again: system.call('again'),
          }),
          branch({ Rest: { Type: 'Wait', Seconds: 1, Next: 'Call' }, Call: system.call('fails') }),
        ],
        ...result,
      },
    });
    await executions.ended(execution, 'FAILED');
    system.mend();
    expect(await retry(execution.id)).toMatchObject({ kind: 'retried' });
    first.resolve();
    await executions.ended(execution);
    expect(await (await executions.result(execution.id)).json()).toEqual({ all: ['again', 'fails'] });
  });

  test('is not ended by the job of before, which is still running', async () => {
    const system = await partner('none');
    const responses = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    system.state.hold = async (_body, count) => responses[count - 1]?.promise;
    const states = { Call: { ...system.call('slow'), ...result } };
    const execution = await begin(states, { fields: { TimeoutSeconds: 60 } });
    await until(() => system.counts['slow'] === 1);
    await pass(61);
    await executions.ended(execution, 'FAILED');
    expect(await retry(execution.id)).toMatchObject({ kind: 'retried' });
    await until(() => system.counts['slow'] === 2);
    responses[0]?.resolve();
    await setTimeout(300);
    expect(await executions.read(execution.id)).toMatchObject({ status: 'RUNNING' });
    responses[1]?.resolve();
    await executions.ended(execution);
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

  test.each<[string, seconds: number]>([
    ['fails', 600],
    ['times out', 1200],
  ])(
    'of a fork that %s ignores threads of an earlier one that a process of version 3.3 left',
    async (end, seconds) => {
      const system = await partner('2');
      const Rest = { Type: 'Wait', Seconds: end === 'fails' ? 600 : 2000, Next: 'Call' };
      const execution = await begin(
        {
          Each: {
            Type: 'Map',
            Items: [1, 2],
            ItemProcessor: branch({ Rest, Call: system.call(item) }),
            ...result,
          },
        },
        { fields: { TimeoutSeconds: 1200 } },
      );
      const threads = await until(async () => {
        const found = await threadsOf(execution.id);
        return found.filter(({ awaiting }) => awaiting === 'wait').length === 2 && found;
      });
      const root = threads.find(({ parent_id }) => parent_id === null)?.id as string;
      for (const position of [-1, -2]) {
        const left = { status: 'stopped' as const, output: '"left"', scope: '[]', frame: 'null' };
        const values = { id: randomUUID(), execution_id: execution.id, parent_id: root, position, ...left };
        await database.insertInto('threads').values(values).execute();
      }
      await pass(seconds);
      await executions.ended(execution, 'FAILED');
      system.mend();
      expect(await retry(execution.id)).toMatchObject({ kind: 'retried' });
      if (end === 'times out') await pass(800);
      await executions.ended(execution);
      expect(await (await executions.result(execution.id)).json()).toEqual({ all: ['1', '2'] });
    },
  );
});
