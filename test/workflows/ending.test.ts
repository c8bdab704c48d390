import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { WorkflowExecution } from '../../generated/types.ts';
import type { JsonObject } from '../../server/json/index.ts';
import { readConfig } from '../../server/src/config.ts';
import { workers } from '../../server/src/maintenance/workers.ts';
import { openLogger } from '../../server/src/observability/logger.ts';
import { demoDefinitions } from '../support/definitions.ts';
import { eventsOf } from '../support/events.ts';
import { until } from '../support/waiting.ts';
import { json, otherSystem, workflowWorld } from './support.ts';

const platform = await workflowWorld();
const { executions, begin, define, failureOf, threadsOf, historyOf, database, clock, pass, noJobsFor } =
  platform;
const hour = 3_600_000;

const wait: JsonObject = { Rest: { Type: 'Wait', Seconds: 3600, End: true } };
const branch = (states: JsonObject) => ({ StartAt: Object.keys(states)[0] as string, States: states });

describe('cancel', async () => {
  const silent = await otherSystem(() => {});
  const refusing = await otherSystem((_request, response) => void response.writeHead(503).end());
  const call = { Type: 'Task', Resource: 'wrp:http:call', End: true };

  test.each<[what: string, states: JsonObject, awaiting: string]>([
    ['a wait', wait, 'wait'],
    ['a call', { Call: { ...call, Arguments: { url: silent.url }, TimeoutSeconds: 600 } }, 'call'],
    [
      'a callback',
      { Ask: { ...call, Resource: 'wrp:callback:wait', Arguments: {}, TimeoutSeconds: 600 } },
      'callback',
    ],
    [
      'the delay of a retry',
      {
        Call: {
          ...call,
          Arguments: { url: refusing.url },
          Retry: [{ ErrorEquals: ['States.ALL'], IntervalSeconds: 600 }],
        },
      },
      'retry',
    ],
    ['a Parallel', { Both: { Type: 'Parallel', Branches: [branch(wait), branch(wait)], End: true } }, 'fork'],
    [
      'a Map',
      { Each: { Type: 'Map', Items: [1, 2, 3], MaxConcurrency: 1, ItemProcessor: branch(wait), End: true } },
      'fork',
    ],
  ])('ends an execution in %s, for good', async (_what, states, awaiting) => {
    const execution = await begin(states);
    const threads = await until(async () => {
      const all = await threadsOf(execution.id);
      return all.some((thread) => thread.awaiting === awaiting) && all;
    });
    expect((await executions.cancel(execution.id)).response.status).toBe(204);
    expect(await threadsOf(execution.id)).toEqual([]);
    const before = await historyOf(execution.id);
    // Everything that it waited for has arrived, and its jobs are done.
    await pass(3600);
    await noJobsFor(threads);
    expect(await historyOf(execution.id)).toEqual(before);
    expect(await executions.read(execution.id)).toMatchObject({ status: 'CANCELLED', executionVersion: 2 });
  });

  test('aborts a call in progress', async () => {
    let brokenOff = false;
    const system = await otherSystem((_request, response) => {
      response.on('close', () => {
        brokenOff = true;
      });
    });
    const execution = await begin({ Call: { ...call, Arguments: { url: system.url }, TimeoutSeconds: 600 } });
    await until(() => system.received.length === 1);
    await executions.cancel(execution.id);
    await until(() => brokenOff);
  });

  test('races a completion: exactly one wins, each of 20 times', async () => {
    const definition = await define({ Done: { Type: 'Succeed', Output: { done: true } } });
    const winners: string[] = [];
    for (let round = 0; round < 20; round++) {
      const events = await eventsOf(database, async () => {
        const { id } = await executions.start({ workflowDefinitionId: definition });
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 15));
        const [first, second] = await Promise.all([executions.cancel(id), executions.cancel(id)]);
        await executions.ended({ id }, expect.stringMatching(/COMPLETED|CANCELLED/) as never);
        const { status, executionVersion } = await executions.read(id);
        const expected = status === 'CANCELLED' ? 204 : 409;
        expect([first.response.status, second.response.status]).toEqual([expected, expected]);
        expect((await executions.result(id)).status).toBe(status === 'CANCELLED' ? 404 : 200);
        expect(executionVersion).toBe(2);
        winners.push(status);
      });
      const ends = events.filter(({ type }) => type !== 'workflow.started');
      expect(ends.map(({ type }) => type)).toEqual([`workflow.${winners.at(-1)?.toLowerCase()}`]);
    }
  });
});

describe('createdDateTime and endedDateTime', () => {
  const succeed = { Type: 'Succeed' };
  test.each<[WorkflowExecution['status'], stop: JsonObject, end: (id: string) => unknown]>([
    ['COMPLETED', succeed, () => pass(3600)],
    ['FAILED', { Type: 'Fail' }, () => pass(3600)],
    ['CANCELLED', succeed, (id) => executions.cancel(id)],
    ['EXPIRED', succeed, () => {}],
  ])('are those of the events of an execution that ends as %s', async (status, Stop, end) => {
    const definitionId = await define({ Rest: { Type: 'Wait', Seconds: 3600, Next: 'Stop' }, Stop });
    const expiresAt = new Date(clock.now().getTime() + 0.75 * hour).toISOString();
    let executionId = '';
    const events = await eventsOf(database, async () => {
      const started = await executions.start({
        workflowDefinitionId: definitionId,
        ...(status === 'EXPIRED' && { expiresAt }),
      });
      executionId = started.id;
      await until(async () => (await threadsOf(executionId)).some((thread) => thread.status === 'waiting'));
      expect(await executions.read(executionId)).toEqual(started);
      expect(started).not.toHaveProperty('endedDateTime');
      clock.forward(0.75 * hour);
      await end(executionId);
      await executions.ended(started, status);
    });
    const [start, stop] = events.filter(
      ({ data }) => (data as { workflowId?: string }).workflowId === executionId,
    );
    expect(await executions.read(executionId)).toMatchObject({
      createdDateTime: start?.createdDateTime,
      endedDateTime: stop?.createdDateTime,
    });
    expect(stop?.type).toBe(`workflow.${status.toLowerCase()}`);
    const milliseconds = Date.parse(stop?.createdDateTime ?? '') - Date.parse(start?.createdDateTime ?? '');
    expect(milliseconds).toBeGreaterThanOrEqual(0.75 * hour);
  });
});

describe('the clock', () => {
  test('expires an execution that waits, and one whose threads are many', async () => {
    const parallel = { Both: { Type: 'Parallel', Branches: [branch(wait), branch(wait)], End: true } };
    for (const states of [
      { Rest: { Type: 'Wait', Seconds: 999_999, End: true } },
      parallel,
    ] as JsonObject[]) {
      const expiresAt = new Date(clock.now().getTime() + 0.75 * hour).toISOString();
      const { id } = await executions.start({ workflowDefinitionId: await define(states), expiresAt });
      await until(async () => (await threadsOf(id)).some(({ status }) => status === 'waiting'));
      clock.forward(0.75 * hour);
      await executions.ended({ id }, 'EXPIRED');
      expect(await threadsOf(id)).toEqual([]);
    }
  });

  test('a Fail state without Error has no error name inside the workflow, and Fail outside', async () => {
    const execution = await begin({ Stop: { Type: 'Fail', Cause: 'Enough.' } });
    await executions.ended(execution, 'FAILED');
    expect(await failureOf(execution.id)).toEqual({ error: '', cause: 'Enough.' });
    expect(await executions.read(execution.id)).toMatchObject({
      failure: { error: 'Fail', cause: 'Enough.' },
    });
  });

  test("fails an execution with States.Timeout when its definition's TimeoutSeconds are over", async () => {
    const execution = await begin(wait, { fields: { TimeoutSeconds: 2 } });
    await executions.ended(execution, 'FAILED');
    expect(await failureOf(execution.id)).toMatchObject({ error: 'States.Timeout' });
  });

  test('a timeout of the execution can be told from that of a task', async () => {
    const silent = await otherSystem(() => {});
    const call = { Type: 'Task', Resource: 'wrp:http:call', TimeoutSeconds: 1, End: true };
    const endingOf = async (states: JsonObject, fields?: JsonObject) => {
      let ended: WorkflowExecution | undefined;
      const events = await eventsOf(database, async () => {
        const execution = await begin(states, { ...(fields && { fields }) });
        await executions.ended(execution, 'FAILED');
        ended = await executions.read(execution.id);
      });
      const { data } = events.find(({ type }) => type === 'workflow.failed') as { data: JsonObject };
      return { failure: ended?.failure, event: data };
    };
    const whole = await endingOf(wait, { TimeoutSeconds: 2 });
    expect(whole.failure).toMatchObject({ error: 'States.Timeout', timedOut: true });
    expect(whole.event).toMatchObject({ error: 'States.Timeout', timedOut: true });
    const task = await endingOf(
      { Call: { ...call, Arguments: { url: silent.url } } },
      { TimeoutSeconds: 600 },
    );
    expect(task.failure).toEqual({ error: 'States.Timeout', cause: expect.stringContaining('call') });
    expect(task.event).not.toHaveProperty('timedOut');
  });

  test('keeps a failure of any length with a name of 200 and a cause of 32768 characters', async () => {
    const long = "{% $pad('', 70000, 'x') %}";
    const failing = { Fail: { Type: 'Fail', Error: long, Cause: long } };
    const both = { Both: { Type: 'Parallel', Branches: [branch(failing)], End: true } };
    for (const states of [failing, both] as JsonObject[]) {
      const execution = await begin(states);
      await executions.ended(execution, 'FAILED');
      const bounded = { error: 'x'.repeat(200), cause: 'x'.repeat(32_768) };
      expect(await failureOf(execution.id)).toEqual(bounded);
      expect((await historyOf(execution.id)).at(-1)?.detail).toMatchObject(bounded);
    }
  });

  test('deletes a result with its bytes and history after 30 days', async () => {
    const execution = await begin({
      Done: { Type: 'Succeed', Output: { kept: "{% $pad('', 70000, 'x') %}" } },
    });
    await executions.ended(execution);
    const kept = await database
      .selectFrom('executions')
      .selectAll()
      .where('id', '=', execution.id)
      .executeTakeFirstOrThrow();
    const { blobs } = platform;
    const isStored = () =>
      blobs.read(kept.result_blob_key as string).then(
        (stream) => Boolean(stream.destroy()),
        () => false,
      );
    const maintain = async (now: Date) =>
      workers({
        database,
        blobs,
        blobQuarantineDays: 14,
        identityProviderUrl: undefined,
        retention: readConfig({}).retention,
        maintenance: {},
        logger: openLogger('silent'),
        now: () => now,
      }).maintenance?.({}, {} as never);
    const end = kept.ended_at as Date;
    await maintain(new Date(end.getTime() + 30 * 24 * hour - 1));
    expect(await isStored()).toBe(true);
    expect(await historyOf(execution.id)).toHaveLength(1);
    await maintain(new Date(end.getTime() + 30 * 24 * hour));
    expect(await isStored()).toBe(false);
    expect(await historyOf(execution.id)).toEqual([]);
    expect(await executions.read(execution.id)).toMatchObject({ status: 'COMPLETED' });
  });
});

describe('the demo', async () => {
  const demo = await demoDefinitions();
  const defined = async (name: string) => {
    const { definition, inputSchema } = demo[name] as { definition: JsonObject; inputSchema: JsonObject };
    return (
      await platform.given.workflowDefinition({
        workspace: platform.world.workspace,
        name,
        definition,
        inputSchema,
      })
    ).id;
  };

  test('echo returns its input', async () => {
    const parameters = { any: [{ thing: null }] };
    expect(await executions.run({ workflowDefinitionId: await defined('echo'), parameters })).toMatchObject({
      parameters,
    });
  });

  test('wait runs until it is cancelled', async () => {
    const { id } = await executions.start({ workflowDefinitionId: await defined('wait') });
    await until(async () => (await threadsOf(id))[0]?.awaiting === 'wait');
    await executions.cancel(id);
    await executions.ended({ id }, 'CANCELLED');
  });

  test('fail fails', async () => {
    const execution = await executions.start({ workflowDefinitionId: await defined('fail') });
    await executions.ended(execution, 'FAILED');
    expect(await failureOf(execution.id)).toMatchObject({ error: 'Demo.Refused' });
  });

  test('large returns more than 9,000,000 bytes', async () => {
    const redirect = (await executions.run({ workflowDefinitionId: await defined('large') })) as {
      size: number;
    };
    expect(redirect.size).toBeGreaterThan(9_000_000);
  });

  test('steps takes about five seconds', async () => {
    const begun = performance.now();
    const result = await executions.run({ workflowDefinitionId: await defined('steps') });
    expect(result).toEqual({
      claimNumber: 'none',
      rounds: 2,
      assessment: { damage: 1840, cover: 'comprehensive' },
      decision: 'paid',
    });
    expect(performance.now() - begun).toBeGreaterThan(4_900);
    const urgent = { claimNumber: 'C-1', urgent: true };
    expect(
      await executions.run({ workflowDefinitionId: await defined('steps'), parameters: urgent }),
    ).toMatchObject({
      claimNumber: 'C-1',
      decision: 'paid at once',
    });
  });

  test('http returns the response, or that the call failed', async () => {
    const system = await otherSystem((_request, response) => json(response, 200, { a: 1 }));
    const id = await defined('http');
    const reached = await executions.run({ workflowDefinitionId: id, parameters: { url: system.url } });
    expect(reached).toEqual({ reached: true, statusCode: 200, answer: { a: 1 } });
    const missing = await executions.run({
      workflowDefinitionId: id,
      parameters: { url: 'http://127.0.0.1:1/' },
    });
    expect(missing).toMatchObject({ reached: false, error: 'Http.Failed' });
  });
});

test('a step that PostgreSQL refuses fails the execution with States.Runtime, and its call is not repeated', async () => {
  await sql`create function refuse_value() returns trigger language plpgsql as
    $$ begin raise exception 'unsupported Unicode escape sequence' using errcode = '22P05'; end $$`.execute(
    database,
  );
  await sql`create trigger refuse_value before update on threads for each row
    when (new.frame->>'state' = 'Refused') execute function refuse_value()`.execute(database);
  const system = await otherSystem((_request, response) => json(response, 201, {}));
  const Arguments = { url: system.url, method: 'POST' };
  const execution = await begin({
    Pay: { Type: 'Task', Resource: 'wrp:http:call', Arguments, Next: 'Refused' },
    Refused: { Type: 'Wait', Seconds: 600, End: true },
  });
  await executions.ended(execution, 'FAILED');
  expect(await failureOf(execution.id)).toEqual({
    error: 'States.Runtime',
    cause: 'A value of the step cannot be stored; see the log of the platform.',
  });
  expect(system.received).toHaveLength(1);
});
