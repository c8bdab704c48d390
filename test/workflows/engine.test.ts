import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../server/json/index.ts';
import { until } from '../support/waiting.ts';
import { json, otherSystem, workflowWorld } from './support.ts';

const {
  executions,
  define,
  begin,
  run,
  failureOf,
  threadsOf,
  historyOf,
  given,
  database,
  clock,
  pass,
  stepsOf,
} = await workflowWorld();

test('states run one after the other, each with the previous output and the variables', async () => {
  const result = await run({
    First: { Type: 'Pass', Output: { n: 1 }, Assign: { seen: ['first'] }, Next: 'Second' },
    Second: {
      Type: 'Choice',
      Choices: [{ Condition: '{% $states.input.n = 1 %}', Next: 'Third' }],
      Default: 'Never',
    },
    Third: {
      Type: 'Pass',
      Output: { n: '{% $states.input.n + 1 %}' },
      Assign: { seen: "{% $append($seen, 'third') %}" },
      Next: 'Last',
    },
    Never: { Type: 'Fail' },
    Last: { Type: 'Succeed', Output: { n: '{% $states.input.n %}', seen: '{% $seen %}' } },
  });
  expect(result).toEqual({ n: 2, seen: ['first', 'third'] });
});

test('a state sees the execution in its context', async () => {
  const id = await define({
    Only: {
      Type: 'Succeed',
      Output: { execution: '{% $states.context.Execution %}', machine: '{% $states.context.StateMachine %}' },
    },
  });
  const execution = await executions.start({ workflowDefinitionId: id, parameters: { p: 1 }, locale: 'fr' });
  await executions.ended(execution);
  const result = (await (await executions.result(execution.id)).json()) as { execution: { Input: object } };
  expect(result).toMatchObject({
    execution: { Id: execution.id, Input: { parameters: { p: 1 }, workflowId: execution.id, locale: 'fr' } },
    machine: { Id: id, Name: 'echo' },
  });
});

test('states without an effect are committed together, with the next effect', async () => {
  const pass = (next: string) => ({ Type: 'Pass', Output: '{% $states.input %}', Next: next });
  const execution = await begin({
    A: pass('B'),
    B: pass('C'),
    C: pass('Rest'),
    Rest: { Type: 'Wait', Seconds: 600, Next: 'Done' },
    Done: { Type: 'Succeed' },
  });
  const thread = await until(async () =>
    (await threadsOf(execution.id)).find(({ awaiting }) => awaiting === 'wait'),
  );
  // On a slow machine the first of them may be committed earlier: see `passed-states.ts`.
  expect(thread?.step).toBeLessThan(4);
  expect((await historyOf(execution.id)).map(({ state }) => state)).toEqual(['A', 'B', 'C', 'Rest']);
});

test('a wait takes its time, without a job in progress', async () => {
  const begun = clock.now().getTime();
  const execution = await begin({
    Rest: { Type: 'Wait', Seconds: 600, Next: 'Done' },
    Done: { Type: 'Succeed' },
  });
  const thread = await until(async () =>
    (await threadsOf(execution.id)).find(({ status }) => status === 'waiting'),
  );
  const end = thread.timeout_at?.getTime() ?? 0;
  expect(end).toBeGreaterThanOrEqual(begun + 600_000);
  expect(end).toBeLessThanOrEqual(clock.now().getTime() + 600_000);
  // Its job is delayed: after the job that started the wait, none is active.
  await expect
    .poll(() => stepsOf(thread.id))
    .toMatchObject([{ state: 'created', inSeconds: expect.closeTo(600, -2) }]);
  await pass(600);
  await executions.ended(execution);
});

test('a Wait until a time in the past continues at once', async () => {
  expect(
    await run({ Rest: { Type: 'Wait', Timestamp: '2020-01-01T00:00:00Z', Output: {}, End: true } }),
  ).toEqual({});
});

test('a task that fails is retried as its Retrier says, each attempt with a key of its own', async () => {
  const system = await otherSystem((_request, response, count) =>
    count < 3 ? json(response, 503, {}) : json(response, 200, { count }),
  );
  const result = await run({
    Call: {
      Type: 'Task',
      Resource: 'wrp:http:call',
      Arguments: { url: system.url },
      Retry: [{ ErrorEquals: ['Http.Status.503'], IntervalSeconds: 1, BackoffRate: 1, MaxAttempts: 2 }],
      Output: { answer: '{% $states.result.body %}', retries: '{% $states.context.State.RetryCount %}' },
      End: true,
    },
  });
  expect(result).toEqual({ answer: { count: 3 }, retries: 2 });
  expect(new Set(system.received.map(({ headers }) => headers['idempotency-key'])).size).toBe(3);
});

test('an error without a Retrier goes to the Catcher, and without a Catcher it ends the execution', async () => {
  const system = await otherSystem((_request, response) => json(response, 404, { no: 'such thing' }));
  const call = { Type: 'Task', Resource: 'wrp:http:call', Arguments: { url: system.url }, End: true };
  const result = await run({
    Call: {
      ...call,
      Catch: [
        {
          ErrorEquals: ['Http.Status.404'],
          Output: { caught: '{% $states.errorOutput.Error %}' },
          Next: 'Instead',
        },
      ],
    },
    Instead: { Type: 'Succeed' },
  });
  expect(result).toEqual({ caught: 'Http.Status.404' });
  const execution = await begin({ Call: call });
  await executions.ended(execution, 'FAILED');
  expect(await failureOf(execution.id)).toEqual({
    error: 'Http.Status.404',
    cause: 'The response to GET has status 404. {"no":"such thing"}',
  });
});

test('a Catcher can read the response of a failed call', async () => {
  const long = JSON.stringify({ text: 'é'.repeat(40_000) });
  const deep = '['.repeat(600) + ']'.repeat(600);
  const bodies: Record<string, string> = { '/json': '{"code":"taken"}', '/long': long, '/deep': deep };
  const system = await otherSystem(({ url }, response) => {
    const type = url === '/text' ? 'text/plain' : 'application/problem+json';
    response.writeHead(409, { 'Content-Type': type, 'X-Reason': 'taken' }).end(bodies[url] ?? 'no');
  });
  const responseOf = (path: string) =>
    run({
      Call: {
        Type: 'Task',
        Resource: 'wrp:http:call',
        Arguments: { url: system.url + path },
        Catch: [
          { ErrorEquals: ['Http.Status.409'], Output: '{% $states.errorOutput.Response %}', Next: 'E' },
        ],
        Next: 'E',
      },
      E: { Type: 'Succeed' },
    });
  expect(await responseOf('/json')).toMatchObject({
    statusCode: 409,
    headers: { 'x-reason': 'taken' },
    body: { code: 'taken' },
  });
  expect(await responseOf('/text')).toMatchObject({ body: 'no' });
  expect(await responseOf('/deep')).toMatchObject({ body: deep });
  const { body } = (await responseOf('/long')) as { body: string };
  expect(long.startsWith(body.slice(0, -1))).toBe(true);
  expect(Buffer.byteLength(body)).toBeLessThanOrEqual(65_540);
});

test('a Catcher reads no header that authenticates, and the others also after the step moved to another job', async () => {
  const system = await otherSystem((_request, response) => {
    response.writeHead(401, [
      ...['Set-Cookie', 'session=secret', 'Set-Cookie', 'b=secret', 'Authorization', 'Basic secret'],
      ...['Authentication-Info', 'secret', 'WWW-Authenticate', 'Bearer', 'Retry-After', '7'],
      ...['Content-Type', 'application/json'],
    ]);
    response.end('{"code":"expired"}');
  });
  const states: JsonObject = {
    Call: {
      Type: 'Task',
      Resource: 'wrp:http:call',
      Arguments: { url: system.url },
      Catch: [{ ErrorEquals: ['States.ALL'], Output: '{% $states.errorOutput %}', Next: 'E' }],
      Next: 'E',
    },
    E: { Type: 'Succeed' },
  };
  for (const parameters of [{}, { large: 'x'.repeat(600_000) }]) {
    const caught = (await run(states, { parameters })) as { Response: { headers: JsonObject } };
    expect(caught).toMatchObject({
      Error: 'Http.Status.401',
      Cause: 'The response to GET has status 401. {"code":"expired"}',
      Response: { statusCode: 401, body: { code: 'expired' } },
    });
    expect(caught.Response.headers).toMatchObject({ 'www-authenticate': 'Bearer', 'retry-after': '7' });
    expect(JSON.stringify(caught)).not.toContain('secret');
  }
  expect(system.received).toHaveLength(2);
});

test('an output that is not an object fails with Wrp.ResultNotAnObject', async () => {
  for (const Output of [[1], 'text', null, 7]) {
    const execution = await begin({ End: { Type: 'Succeed', Output } });
    await executions.ended(execution, 'FAILED');
    expect(await failureOf(execution.id)).toMatchObject({ error: 'Wrp.ResultNotAnObject' });
  }
});

test('an expression that fails ends the execution with the error of the specification', async () => {
  const execution = await begin({ End: { Type: 'Succeed', Output: { x: "{% $number('x') %}" } } });
  await executions.ended(execution, 'FAILED');
  expect(await failureOf(execution.id)).toMatchObject({ error: 'States.QueryEvaluationError' });
});

test('a loop of many states does not block others, and can be cancelled', async () => {
  // Each round computes, so that the loop does not reach the history limit while the test looks at it.
  const execution = await begin({
    Round: { Type: 'Pass', Output: '{% $sum([1..1000]) %}', Next: 'Again' },
    Again: { Type: 'Choice', Choices: [{ Condition: true, Next: 'Round' }], Default: 'Round' },
  });
  await until(async () => ((await threadsOf(execution.id))[0]?.turn ?? 0) > 1);
  expect(await run({ Only: { Type: 'Succeed', Output: { ok: true } } })).toEqual({ ok: true });
  expect((await executions.cancel(execution.id)).response.status).toBe(204);
  const states = async () => {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from execution_history where execution_id = ${execution.id}`.execute(database);
    return rows[0]?.count;
  };
  await until(async () => {
    const before = await states();
    await new Promise((resolve) => setTimeout(resolve, 300));
    return (await states()) === before;
  });
});

test('a new revision applies to later starts only', async () => {
  const id = await define({
    Rest: { Type: 'Wait', Seconds: 2, Next: 'Done' },
    Done: { Type: 'Succeed', Output: { by: 'first' } },
  });
  const old = await executions.start({ workflowDefinitionId: id });
  await given.definitionRevision({
    id,
    revision: '2',
    definition: {
      QueryLanguage: 'JSONata',
      StartAt: 'Done',
      States: { Done: { Type: 'Succeed', Output: { by: 'second' } } },
    },
  });
  expect(await executions.run({ workflowDefinitionId: id })).toEqual({ by: 'second' });
  expect(await executions.ended(old)).toMatchObject({ revision: '1' });
  expect(await (await executions.result(old.id)).json()).toEqual({ by: 'first' });
});

test('history records the input and output of each state, and the size of large ones', async () => {
  const execution = await begin({
    Small: { Type: 'Pass', Output: { a: 1 }, Next: 'Large' },
    Large: { Type: 'Pass', Output: { text: "{% $pad('', 70000, 'x') %}" }, Next: 'Done' },
    Done: { Type: 'Succeed', Output: {} },
  });
  await executions.ended(execution);
  const entries = (await historyOf(execution.id)).map(({ kind, state, detail }) => ({ kind, state, detail }));
  expect(entries).toMatchObject([
    { kind: 'state', state: 'Small', detail: { type: 'Pass', output: { a: 1 } } },
    { kind: 'state', state: 'Large', detail: { input: { a: 1 }, outputSize: 70_011 } },
    { kind: 'state', state: 'Done', detail: { type: 'Succeed', inputSize: 70_011, output: {} } },
  ]);
});

test('an execution that has ended leaves no thread', async () => {
  const execution = await begin({ Done: { Type: 'Succeed' } });
  await executions.ended(execution);
  expect(await threadsOf(execution.id)).toEqual([]);
});
