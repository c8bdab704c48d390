import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../server/json/index.ts';
import { until } from '../support/waiting.ts';
import { branch, partner, result, retryWorld, squares } from './retry-world.ts';
import { otherSystem } from './support.ts';

const { executions, begin, failureOf, threadsOf, historyOf, database, clock, pass, retry, failed, retried } =
  await retryWorld({ maxHistoryEntries: 300 });

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
