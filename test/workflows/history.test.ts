import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../server/json/index.ts';
import { removeDeletedBlobs, sweepBlobs } from '../../server/src/files/sweep.ts';
import { openLogger } from '../../server/src/observability/logger.ts';
import { blobStatuses } from '../../server/src/store/blobs.ts';
import { deleteExpiredResults } from '../../server/src/store/results.ts';
import type { HistoryEntry } from '../../server/src/store/threads.ts';
import { maxLargeBytes, storeLargeValues, withLargeValues } from '../../server/src/workflows/large-values.ts';
import { otherSystem, workflowWorld } from './support.ts';

const { executions, begin, historyOf, database, blobs } = await workflowWorld();
let flaky = 0;
const system = await otherSystem(({ url }, response) => {
  const failed = url === '/flaky' && flaky++ === 0;
  response.writeHead(failed ? 503 : 200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ access_token: 'hidden', url }));
});
const logger = openLogger('silent');
const large = 70_000;

/** The details of an execution's entries, without what differs between runs. */
async function detailsOf(states: JsonObject, status: 'COMPLETED' | 'FAILED' = 'COMPLETED', parameters = {}) {
  const execution = await begin(states, { parameters });
  await executions.ended(execution, status);
  const entries = await historyOf(execution.id);
  return entries.map(({ kind, state, detail }) => {
    const { enteredAt: _, ...rest } = detail as JsonObject;
    return { kind, state, ...rest };
  });
}

describe('the history has', () => {
  test('the raw result, the assigned variables and the output of a task', async () => {
    const url = `${system.url}/ok`;
    const [called, done] = await detailsOf({
      Call: {
        Type: 'Task',
        Resource: 'wrp:http:call',
        Arguments: { url, headers: { authorization: 'Bearer 1' } },
        Assign: { status: '{% $states.result.statusCode %}', old: 1 },
        Output: '{% $states.result.body.url %}',
        Next: 'Done',
      },
      Done: { Type: 'Succeed', Output: {} },
    });
    expect(called).toEqual({
      kind: 'task',
      state: 'Call',
      resource: 'wrp:http:call',
      timeoutSeconds: 60,
      attempt: 1,
      arguments: { url, headers: { authorization: '[redacted]' } },
    });
    expect(done).toMatchObject({
      kind: 'state',
      type: 'Task',
      result: { statusCode: 200, body: { access_token: '[redacted]', url: '/ok' } },
      assigned: { status: 200, old: 1 },
      output: '/ok',
    });
  });

  test('a result once if it is the output', async () => {
    const [, done] = await detailsOf({
      Call: { Type: 'Task', Resource: 'wrp:http:call', Arguments: { url: system.url }, End: true },
    });
    expect(done).toMatchObject({ output: { statusCode: 200 } });
    expect(done).not.toHaveProperty('result');
    expect(done).not.toHaveProperty('assigned');
  });

  test.each([
    [{ n: 1 }, { via: 'Choices/0', assigned: { way: 'first' } }],
    [{ n: 2 }, { via: 'Choices/1' }],
    [{ n: 3 }, {}],
  ])('the rule of a Choice for %j', async (parameters, expected) => {
    const n = '$states.context.Execution.Input.parameters.n';
    const [chosen] = await detailsOf(
      {
        Choose: {
          Type: 'Choice',
          Choices: [
            { Condition: `{% ${n} = 1 %}`, Assign: { way: 'first' }, Next: 'Done' },
            { Condition: `{% ${n} = 2 %}`, Next: 'Done' },
          ],
          Default: 'Done',
        },
        Done: { Type: 'Succeed', Output: {} },
      },
      'COMPLETED',
      parameters,
    );
    expect(chosen).toMatchObject({ kind: 'state', type: 'Choice', ...expected });
    expect(Object.keys(chosen ?? {}).includes('via')).toBe('via' in expected);
  });

  test('each attempt with its error, and the Catcher', async () => {
    const entries = await detailsOf({
      Call: {
        Type: 'Task',
        Resource: 'wrp:http:call',
        Arguments: { url: `${system.url}/flaky` },
        Retry: [{ ErrorEquals: ['Http.Status.503'], IntervalSeconds: 1, MaxAttempts: 1 }],
        Catch: [{ ErrorEquals: ['States.ALL'], Next: 'Done' }],
        Output: '{% $nope() %}',
        Next: 'Done',
      },
      Done: { Type: 'Succeed', Output: {} },
    });
    expect(entries).toMatchObject([
      { kind: 'task', attempt: 1 },
      {
        kind: 'retry',
        attempt: 1,
        via: 'Retry/0',
        error: 'Http.Status.503',
        cause: expect.stringContaining('"access_token":"[redacted]"'),
      },
      { kind: 'task', attempt: 2 },
      {
        kind: 'state',
        via: 'Catch/0',
        failure: { error: 'States.QueryEvaluationError' },
        result: { statusCode: 200 },
      },
      { kind: 'state', state: 'Done' },
    ]);
  });

  test('the result of a task that failed afterwards', async () => {
    const [, failed] = await detailsOf(
      {
        Call: {
          Type: 'Task',
          Resource: 'wrp:http:call',
          Arguments: { url: system.url },
          Output: '{% $nope() %}',
          End: true,
        },
      },
      'FAILED',
    );
    expect(failed).toMatchObject({ kind: 'failed', attempt: 1, result: { statusCode: 200 }, input: {} });
  });

  test('the token of a callback nowhere', async () => {
    const execution = await begin({
      Ask: {
        Type: 'Task',
        Resource: 'wrp:callback:wait',
        Arguments: {
          request: { url: system.url, body: { reply: "{% 'to ' & $states.context.Task.Token %}" } },
        },
        TimeoutSeconds: 1,
        Catch: [{ ErrorEquals: ['States.ALL'], Output: {}, Next: 'Done' }],
        End: true,
      },
      Done: { Type: 'Succeed', Output: {} },
    });
    await executions.ended(execution);
    const [asked] = await historyOf(execution.id);
    expect(asked?.detail).toMatchObject({ arguments: { request: { body: { reply: 'to [redacted]' } } } });
  });
});

describe('a value over 64 KiB', () => {
  const grow = { Type: 'Pass', Output: { text: `{% $pad('', ${large}, 'x') %}` }, Next: 'Same' };
  const states = {
    Grow: grow,
    Same: { Type: 'Pass', Next: 'Done' },
    Done: { Type: 'Succeed', Output: {} },
  };
  const valuesOf = (id: string) =>
    database.selectFrom('history_values').selectAll().where('execution_id', '=', id).execute();

  test('is stored once, known to the sweep, and deleted with the history', async () => {
    const execution = await begin(states);
    await executions.ended(execution);
    const values = await valuesOf(execution.id);
    expect(values).toHaveLength(1);
    const [value] = values as [(typeof values)[number]];
    const [grown, same, done] = await historyOf(execution.id);
    const digest = value.sha256.toString('hex');
    expect(grown?.detail).toMatchObject({ outputSize: large + 11, outputSha256: digest });
    expect(same?.detail).toMatchObject({ inputSha256: digest, outputSha256: digest });
    expect(done?.detail).toMatchObject({ inputSha256: digest, output: {} });
    const read = await withLargeValues({ database, blobs }, execution.id, grown as HistoryEntry);
    expect(read.detail).toMatchObject({ output: { text: 'x'.repeat(large) } });

    const { blob_key: blobKey } = value;
    expect(await blobStatuses(database, [blobKey])).toEqual(new Map([[blobKey, 'named']]));
    const now = new Date(Date.now() + 86_400_000);
    const report = await sweepBlobs({ blobs, database, quarantineDays: 1, logger, now, mode: 'dry-run' });
    expect(report.unknown.count).toBe(0);

    expect(await deleteExpiredResults(database, now)).toBeGreaterThan(0);
    expect(await valuesOf(execution.id)).toEqual([]);
    await removeDeletedBlobs({ blobs, database, logger });
    await expect(blobs.read(blobKey)).rejects.toThrow();
  });

  test('is not stored beyond the limit of the execution, which keeps its size', async () => {
    const execution = await begin({ Done: { Type: 'Succeed', Output: {} } });
    await executions.ended(execution);
    await database
      .insertInto('history_values')
      .values({
        execution_id: execution.id,
        sha256: Buffer.alloc(32),
        blob_key: randomUUID(),
        size: maxLargeBytes - 100_000,
      })
      .execute();
    const entry = (text: string) => ({
      at: new Date(),
      kind: 'state' as const,
      state: 'A',
      detail: { outputSize: text.length },
      largeValues: { output: text },
    });
    const fits = JSON.stringify('a'.repeat(large));
    const exceeds = JSON.stringify('b'.repeat(large));
    const stored = await storeLargeValues({ database, blobs }, execution.id, [
      entry(fits),
      entry(exceeds),
      entry(fits),
    ]);
    expect(stored.map(({ detail }) => 'outputSha256' in detail)).toEqual([true, false, true]);
    expect(stored.some((each) => 'largeValues' in each)).toBe(false);
    expect(await valuesOf(execution.id)).toHaveLength(2);
  });
});
