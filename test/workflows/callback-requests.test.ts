import { expect, test } from 'vitest';
import type { JsonObject } from '../../server/src/domain/json.ts';
import { until } from '../support/waiting.ts';
import { otherSystem, workflowWorld } from './support.ts';

const { executions, begin, run, failureOf, threadsOf, clock } = await workflowWorld();

const json = { 'Content-Type': 'application/json' };
const answerAt = (url: unknown, body: object) =>
  fetch(String(url), { method: 'POST', headers: json, body: JSON.stringify(body) });
const waitFor = (url: string, fields: JsonObject = {}) => ({
  Ask: { Type: 'Task', Resource: 'wrp:callback:wait', Arguments: { request: { url } }, End: true, ...fields },
});

test('an answer that was taken counts, though the request for it fails afterwards', async () => {
  const system = await otherSystem(async ({ headers }, response) => {
    const early = await answerAt(headers['callback-url'], { output: { approved: true } });
    expect(early.status).toBe(204);
    response.writeHead(500).end();
  });
  expect(await run(waitFor(system.url))).toEqual({ approved: true });
});

test('once the request has failed, no answer is taken', async () => {
  const system = await otherSystem((_request, response) => void response.writeHead(500).end());
  const execution = await begin(waitFor(system.url));
  await executions.ended(execution, 'FAILED');
  expect(await failureOf(execution.id)).toMatchObject({ error: 'Http.Status.500' });
  const late = await answerAt(system.received[0]?.headers['callback-url'], { output: {} });
  expect(late.status).toBe(410);
});

test('the time of the step runs while the request is made', async () => {
  const begun = clock.now().getTime();
  const system = await otherSystem((_request, response) => {
    clock.forward(400_000);
    response.writeHead(202).end();
  });
  const { id } = await begin(waitFor(system.url, { TimeoutSeconds: 600, HeartbeatSeconds: 500 }));
  const thread = await until(async () =>
    (await threadsOf(id)).find(({ awaiting }) => awaiting === 'callback'),
  );
  const after = (at: Date | null) => ((at?.getTime() ?? 0) - begun) / 1000;
  for (const [at, seconds] of [
    [thread.timeout_at, 600],
    [thread.heartbeat_until, 500],
  ] as const) {
    expect(after(at)).toBeGreaterThanOrEqual(seconds);
    expect(after(at)).toBeLessThan(seconds + 300);
  }
});

test('a call that is silent for HeartbeatSeconds fails with States.HeartbeatTimeout', async () => {
  const system = await otherSystem(() => {});
  const { id } = await begin({
    Call: {
      Type: 'Task',
      Resource: 'wrp:http:call',
      Arguments: { url: system.url },
      TimeoutSeconds: 600,
      HeartbeatSeconds: 1,
      End: true,
    },
  });
  await executions.ended({ id }, 'FAILED');
  expect(await failureOf(id)).toEqual({
    error: 'States.HeartbeatTimeout',
    cause: 'No heartbeat came within 1 seconds.',
  });
});

test('an answer cannot fail with a name that is the language’s own', async () => {
  const system = await otherSystem((_request, response) => void response.writeHead(202).end());
  const { id } = await begin(waitFor(system.url));
  const url = await until(async () => system.received[0]?.headers['callback-url']);
  const answer = await answerAt(url, { error: 'States.Runtime' });
  expect([answer.status, await answer.json()]).toMatchObject([
    400,
    { errors: [{ code: 'body_invalid', pointer: '/error' }] },
  ]);
  await executions.cancel(id);
});

test('a Fail with such a name fails with States.QueryEvaluationError', async () => {
  const { id } = await begin({ Stop: { Type: 'Fail', Error: "{% 'States.' & 'Runtime' %}" } });
  await executions.ended({ id }, 'FAILED');
  expect(await failureOf(id)).toMatchObject({ error: 'States.QueryEvaluationError' });
});

test('only a Task has a token', async () => {
  const context = await run({ Look: { Type: 'Pass', Output: '{% $states.context %}', End: true } });
  expect(context).toHaveProperty('Execution');
  expect(context).not.toHaveProperty('Task');
});
