import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../server/json/index.ts';
import { deleteExpiredResults } from '../../server/src/store/results.ts';
import { definitionOf } from '../support/definitions.ts';
import { eventsOf } from '../support/events.ts';
import { until } from '../support/waiting.ts';
import { branch, retryWorld } from './retry-world.ts';
import { json, otherSystem } from './support.ts';

const platform = await retryWorld();
const { executions, begin, threadsOf, historyOf, database, jobs, clock, given, noJobsFor, retry, failed } =
  platform;

const fail: JsonObject = { Stop: { Type: 'Fail', Error: 'Test.Stopped' } };
/** Fails while the input of its second state is an array, so that a retry with an object completes. */
const mendable: JsonObject = {
  First: { Type: 'Pass', Output: [], Next: 'Choose' },
  Choose: {
    Type: 'Choice',
    Choices: [{ Condition: "{% $type($states.input) = 'object' %}", Next: 'Rest' }],
  },
  Rest: { Type: 'Wait', Seconds: 3600, End: true },
};

const statusOf = async (id: string) => (await executions.read(id)).status;

describe('a retry', () => {
  test.each<[string, end: (id: string) => unknown, states: JsonObject, expected: JsonObject]>([
    ['completed', () => {}, { Done: { Type: 'Succeed', Output: {} } }, { status: 'COMPLETED' }],
    [
      'was cancelled',
      (id) => executions.cancel(id),
      { Rest: { Type: 'Wait', Seconds: 600, End: true } },
      { status: 'CANCELLED' },
    ],
  ])('refuses an execution that %s', async (_what, end, states, expected) => {
    const execution = await begin(states);
    await end(execution.id);
    await until(async () => (await statusOf(execution.id)) !== 'RUNNING');
    expect(await retry(execution.id)).toEqual({ kind: 'not_failed', ...expected });
  });

  test('of a running execution changes nothing', async () => {
    const execution = await failed(mendable);
    expect(await retry(execution.id, { input: {} })).toMatchObject({ kind: 'retried' });
    await until(async () => (await threadsOf(execution.id))[0]?.awaiting === 'wait');
    const before = [await threadsOf(execution.id), await historyOf(execution.id)];
    expect(await retry(execution.id, { input: {} })).toEqual({ kind: 'running' });
    expect([await threadsOf(execution.id), await historyOf(execution.id)]).toEqual(before);
  });

  test('refuses an execution that does not exist, or has no threads', async () => {
    expect(await retry('6a5b4c3d-2e1f-4a9b-8c7d-0e1f2a3b4c01')).toEqual({ kind: 'unknown' });
    const execution = await failed(fail);
    await sql`delete from threads where execution_id = ${execution.id}`.execute(database);
    expect(await retry(execution.id)).toEqual({ kind: 'no_checkpoint' });
    expect(await executions.read(execution.id)).toMatchObject({ status: 'FAILED', executionVersion: 2 });
  });

  test('refuses an input for several failed states, and one that is too deep', async () => {
    const execution = await failed({
      Each: {
        Type: 'Map',
        Items: [1, 2, 3],
        ToleratedFailureCount: 2,
        ItemProcessor: branch(fail),
        End: true,
      },
    });
    expect(await retry(execution.id, { input: 1 })).toEqual({ kind: 'input_ambiguous', failed: 'several' });
    const deep = JSON.parse('['.repeat(501) + ']'.repeat(501));
    expect(await retry(execution.id, { input: deep })).toMatchObject({ kind: 'input_invalid' });
  });

  const parallel = (branches: JsonObject[]) => ({
    Both: { Type: 'Parallel', Branches: branches, End: true },
  });
  test.each<[string, before: JsonObject, after: JsonObject, state: string]>([
    ['is gone', { ...fail }, { Other: { Type: 'Fail' } }, 'Stop'],
    [
      'is in another scope',
      { Each: { Type: 'Map', Items: [1], ItemProcessor: branch(fail), End: true } },
      {
        Each: {
          Type: 'Map',
          Items: [1],
          ItemProcessor: branch({ Go: { Type: 'Pass', End: true } }),
          Next: 'Stop',
        },
        ...fail,
      },
      'Each/Stop',
    ],
    ['has another type', { ...fail }, { Stop: { Type: 'Succeed', Output: {} } }, 'Stop'],
    ['has more branches', parallel([branch(fail)]), parallel([branch(fail), branch(fail)]), 'Both'],
  ])('refuses the newest revision if the state %s', async (_what, before, after, state) => {
    // A state before it begins the execution, so that its checkpoint has a frame.
    const first = Object.keys(before)[0] as string;
    const begins = { Begin: { Type: 'Pass', Next: first } };
    const execution = await failed({ ...begins, ...before });
    const revision = { id: execution.workflowDefinitionId, revision: '2' };
    const Next = Object.keys(after)[0] as string;
    await given.definitionRevision({
      ...revision,
      definition: definitionOf({ Begin: { Type: 'Pass', Next }, ...after }),
    });
    expect(await retry(execution.id, { newest: true })).toEqual({
      kind: 'state_missing',
      state,
      revision: '2',
    });
    expect(await statusOf(execution.id)).toBe('FAILED');
    expect(await retry(execution.id)).toMatchObject({ kind: 'retried', revision: '1' });
  });

  test('races another one: exactly one wins, each of 10 times', async () => {
    for (let round = 0; round < 10; round++) {
      const execution = await failed(mendable);
      const outcomes = await Promise.all([1, 2, 3, 4].map(() => retry(execution.id, { input: {} })));
      expect(outcomes.map(({ kind }) => kind).sort()).toEqual(['retried', 'running', 'running', 'running']);
      const history = await historyOf(execution.id);
      expect(history.filter(({ kind }) => kind === 'retried')).toHaveLength(1);
    }
  });

  test('races a cancellation: it is refused, or ends the retried execution, each of 10 times', async () => {
    for (let round = 0; round < 10; round++) {
      const execution = await failed(mendable);
      const events = await eventsOf(database, async () => {
        const [{ kind }, { response }] = await Promise.all([
          retry(execution.id, { input: {} }),
          executions.cancel(execution.id),
        ]);
        expect(kind).toBe('retried');
        const isCancelled = response.status === 204;
        expect(isCancelled || response.status === 409).toBe(true);
        expect(await statusOf(execution.id)).toBe(isCancelled ? 'CANCELLED' : 'RUNNING');
        if (isCancelled) expect(await threadsOf(execution.id)).toEqual([]);
      });
      expect(events.length).toBe((await statusOf(execution.id)) === 'CANCELLED' ? 1 : 0);
    }
  });

  test('races the retention: the execution runs with its history, or it is refused, each of 10 times', async () => {
    const ended = new Date(clock.now().getTime() - 31 * 86_400_000);
    for (let round = 0; round < 10; round++) {
      const execution = await failed(mendable);
      await sql`update executions set ended_at = ${ended} where id = ${execution.id}`.execute(database);
      const [{ kind }] = await Promise.all([
        retry(execution.id, { input: {} }),
        deleteExpiredResults(database, new Date(ended.getTime() + 1)),
      ]);
      const history = await historyOf(execution.id);
      if (kind === 'retried') {
        expect(history.slice(0, 3)).toMatchObject([
          { kind: 'state' },
          { kind: 'failed' },
          { kind: 'retried' },
        ]);
        expect(await statusOf(execution.id)).toBe('RUNNING');
      } else {
        expect(kind).toBe('no_checkpoint');
        expect(history).toEqual([]);
        expect(await threadsOf(execution.id)).toEqual([]);
      }
    }
  });
});

test('the retention deletes the threads of failed executions with their history, and no others', async () => {
  const items = {
    Type: 'Map',
    Items: '{% [1..1200] %}',
    MaxConcurrency: 1,
    ItemProcessor: branch(fail),
    End: true,
  };
  const old = await failed({ Each: items });
  const recent = await failed({ Each: items });
  expect(await threadsOf(old.id)).toHaveLength(1201);
  const ended = new Date(clock.now().getTime() - 40 * 86_400_000);
  await sql`update executions set ended_at = ${ended} where id = ${old.id}`.execute(database);
  await deleteExpiredResults(database, ended);
  expect(await threadsOf(old.id)).toEqual([]);
  expect(await threadsOf(recent.id)).toHaveLength(1201);
  expect(await retry(old.id)).toEqual({ kind: 'no_checkpoint' });
});

test('after a retry, jobs of the failed run do nothing, and of the outcomes of a call that was stopped one counts', async () => {
  const release = Promise.withResolvers<void>();
  let isFirst = true;
  const system = await otherSystem(async (_request, response) => {
    const first = isFirst;
    isFirst = false;
    if (first) await release.promise;
    json(response, 200, { first });
  });
  const execution = await begin({
    Call: {
      Type: 'Task',
      Resource: 'wrp:http:call',
      Arguments: { url: system.url, method: 'POST' },
      Output: '{% $states.result.body %}',
      TimeoutSeconds: 600,
      End: true,
    },
  });
  await until(() => system.received.length === 1);
  const [before] = await threadsOf(execution.id);
  // As if the deadline had passed.
  await sql`update executions set deadline_at = now() - interval '1 second' where id = ${execution.id}`.execute(
    database,
  );
  await executions.ended(execution, 'FAILED');
  expect(await retry(execution.id)).toMatchObject({ kind: 'retried' });
  const thread = before as { id: string; turn: number };
  await database.transaction().execute(async (transaction) => {
    const old = { threadId: thread.id, turn: thread.turn };
    await jobs.enqueue(transaction, 'execution-step', old);
    await jobs.enqueue(transaction, 'execution-call', {
      ...old,
      organizationId: platform.world.organization.id,
    });
  });
  release.resolve();
  await executions.ended(execution);
  await noJobsFor([thread]);
  expect((await historyOf(execution.id)).map(({ kind }) => kind)).toEqual(['task', 'retried', 'state']);
  // If the call was made again, it was the same one.
  expect(new Set(system.received.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
});
