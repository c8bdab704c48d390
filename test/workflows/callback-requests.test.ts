import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../server/json/index.ts';
import { sendRaw } from '../support/raw-requests.ts';
import { until } from '../support/waiting.ts';
import { otherSystem, workflowWorld } from './support.ts';

const { executions, begin, run, failureOf, threadsOf, clock, baseUrl } = await workflowWorld({
  bodyIdleSeconds: 1,
});

const json = { 'Content-Type': 'application/json' };
const callBack = (url: unknown, body: object) =>
  fetch(String(url), { method: 'POST', headers: json, body: JSON.stringify(body) });
const waitFor = (url: string, fields: JsonObject = {}) => ({
  Ask: { Type: 'Task', Resource: 'wrp:callback:wait', Arguments: { request: { url } }, End: true, ...fields },
});

test('a callback that was accepted counts, even if its request fails afterwards', async () => {
  const system = await otherSystem(async ({ headers }, response) => {
    const early = await callBack(headers['callback-url'], { output: { approved: true } });
    expect(early.status).toBe(204);
    response.writeHead(500).end();
  });
  expect(await run(waitFor(system.url))).toEqual({ approved: true });
});

test('a callback after the failure of its request is refused', async () => {
  const system = await otherSystem((_request, response) => void response.writeHead(500).end());
  const execution = await begin(waitFor(system.url));
  await executions.ended(execution, 'FAILED');
  expect(await failureOf(execution.id)).toMatchObject({ error: 'Http.Status.500' });
  const late = await callBack(system.received[0]?.headers['callback-url'], { output: {} });
  expect(late.status).toBe(410);
});

test('the timeout of the step includes the request', async () => {
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
    cause: 'No heartbeat arrived within 1 seconds.',
  });
});

test('a callback cannot fail with a reserved error name', async () => {
  const system = await otherSystem((_request, response) => void response.writeHead(202).end());
  const { id } = await begin(waitFor(system.url));
  const url = await until(async () => system.received[0]?.headers['callback-url']);
  const response = await callBack(url, { error: 'States.Runtime' });
  expect([response.status, await response.json()]).toMatchObject([
    400,
    { errors: [{ code: 'body_invalid', pointer: '/error' }] },
  ]);
  await executions.cancel(id);
});

test('a Fail with a reserved name fails with States.QueryEvaluationError', async () => {
  const { id } = await begin({ Stop: { Type: 'Fail', Error: "{% 'States.' & 'Runtime' %}" } });
  await executions.ended({ id }, 'FAILED');
  expect(await failureOf(id)).toMatchObject({ error: 'States.QueryEvaluationError' });
});

test('only a Task has a callback token', async () => {
  const context = await run({ Look: { Type: 'Pass', Output: '{% $states.context %}', End: true } });
  expect(context).toHaveProperty('Execution');
  expect(context).not.toHaveProperty('Task');
});

describe('the body of a callback', () => {
  const port = Number(new URL(baseUrl).port);
  const headOf = (path: string, length: number, type = 'application/json') =>
    `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n`;
  const mebibyte = 1 << 20;

  /** The path of a waiting step's callback. */
  async function waitingPath(): Promise<string> {
    const system = await otherSystem((_request, response) => void response.writeHead(202).end());
    await begin(waitFor(system.url));
    const url = await until(async () => system.received[0]?.headers['callback-url']);
    return new URL(String(url)).pathname;
  }

  test.each(['/callbacks/x', `/callbacks/${'A'.repeat(72)}`, '/callbacks/x/heartbeat'])(
    'is not read if the token is forged: %s',
    async (path) => {
      // Nothing of the body is ever sent; a server that waited for it would respond with 408 or not at all.
      expect(await sendRaw(port, [headOf(path, mebibyte)])).toMatchObject({ status: 404, ended: true });
      const sent = await sendRaw(port, [headOf(path, mebibyte), Buffer.alloc(mebibyte, 'x')]);
      expect(sent).toMatchObject({ status: 404, ended: true });
    },
  );

  test('is not read if the step no longer waits', async () => {
    const path = await waitingPath();
    expect((await callBack(baseUrl + path, { output: {} })).status).toBe(204);
    expect(await sendRaw(port, [headOf(path, mebibyte)])).toMatchObject({ status: 410, ended: true });
    const heartbeat = await sendRaw(port, [headOf(`${path}/heartbeat`, mebibyte)]);
    expect(heartbeat).toMatchObject({ status: 410, ended: true });
  });

  test('has BODY_IDLE_SECONDS to arrive', async () => {
    expect(await sendRaw(port, [headOf(await waitingPath(), 9), '{'])).toMatchObject({ status: 408 });
  });

  test('may be as large as any JSON body, but not too expensive to parse', async () => {
    const path = await waitingPath();
    const names = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`name ${at}`, 1]));
    for (const body of [{ output: names(70_000) }, names(70_000)]) {
      const response = await callBack(baseUrl + path, body);
      expect([response.status, await response.json()]).toMatchObject([
        400,
        {
          errors: [
            { code: 'body_invalid', message: expect.stringContaining('combinations of property names') },
          ],
        },
      ]);
    }
    const rows = Array.from({ length: 20_000 }, () => ({ one: 1, two: 'b', three: null }));
    expect((await callBack(baseUrl + path, { output: { rows } })).status).toBe(204);
  });
});
