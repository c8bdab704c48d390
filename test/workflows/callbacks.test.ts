import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../server/json/index.ts';
import { until } from '../support/waiting.ts';
import { otherSystem, task, workflowWorld } from './support.ts';

const { baseUrl, executions, begin, failureOf, threadsOf, pass, stepsOf } = await workflowWorld();

const failsWith = async (resource: string, Arguments: JsonObject, fields: JsonObject = {}) => {
  const execution = await begin(task(resource, Arguments, fields));
  await executions.ended(execution, 'FAILED');
  return failureOf(execution.id);
};

describe('wrp:callback:wait', () => {
  const post = (token: string, body: unknown, what = '') =>
    fetch(`${baseUrl}/callbacks/${token}${what}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });

  /** Starts to wait for a callback that another system is asked for. */
  async function asked(fields: JsonObject = {}) {
    const system = await otherSystem((_request, response) => void response.writeHead(202).end());
    const execution = await begin(
      task(
        'wrp:callback:wait',
        { request: { url: system.url, body: { token: '{% $states.context.Task.Token %}' } } },
        { TimeoutSeconds: 600, ...fields },
      ),
    );
    const thread = await until(async () =>
      (await threadsOf(execution.id)).find(({ awaiting }) => awaiting === 'callback'),
    );
    const [received] = system.received;
    const { token } = JSON.parse(received?.body ?? '{}') as { token: string };
    return { execution, token, received, system, thread };
  }

  test('waits for the callback of the token that it sends', async () => {
    const { execution, token, received } = await asked();
    expect(received?.headers['callback-url']).toBe(`${baseUrl}/callbacks/${token}`);
    expect((await post(token, { output: { approved: true } })).status).toBe(204);
    await executions.ended(execution);
    expect(await (await executions.result(execution.id)).json()).toEqual({ result: { approved: true } });
    expect((await post(token, { output: {} })).status).toBe(410);
  });

  test('fails with the error of the callback', async () => {
    const { execution, token } = await asked();
    expect((await post(token, { error: 'Review.Declined', cause: 'No.' })).status).toBe(204);
    await executions.ended(execution, 'FAILED');
    expect(await failureOf(execution.id)).toEqual({ error: 'Review.Declined', cause: 'No.' });
  });

  test.each<[given: JsonObject, cause: RegExp]>([
    [{ requst: {} }, /^Unknown field ‘requst’; .* Did you mean/],
    [{ request: {}, extra: 1 }, /^Unknown field ‘extra’/],
    ['{% [1] %}' as never, /^Arguments must be an object\.$/],
    ['{% null %}' as never, /^Arguments must be an object\.$/],
  ])('fails at once with wrong arguments: %j', async (given_, cause) => {
    expect(await failsWith('wrp:callback:wait', given_, { TimeoutSeconds: 600 })).toEqual({
      error: 'Wrp.InvalidArguments',
      cause: expect.stringMatching(cause),
    });
  });

  test('accepts one of two concurrent callbacks', async () => {
    const { execution, token } = await asked();
    const responses = await Promise.all([1, 2, 3, 4].map((n) => post(token, { output: { n } })));
    expect(responses.map(({ status }) => status).sort()).toEqual([204, 410, 410, 410]);
    await executions.ended(execution);
  });

  test('fails with States.Timeout without a callback', async () => {
    const { execution, token } = await asked();
    await pass(600);
    await executions.ended(execution, 'FAILED');
    expect(await failureOf(execution.id)).toMatchObject({ error: 'States.Timeout' });
    expect((await post(token, { output: {} })).status).toBe(410);
  });

  test('waits while heartbeats come, and fails with States.HeartbeatTimeout when they stop', async () => {
    const { execution, token, thread } = await asked({ TimeoutSeconds: 86_400, HeartbeatSeconds: 600 });
    // The job that started the wait may not be over yet.
    const dueAt = async () =>
      (await stepsOf(thread.id))
        .map((step) => step.dueAt ?? '')
        .sort()
        .at(-1) ?? '';
    const first = await until(dueAt);
    for (let beat = 0; beat < 2; beat++) {
      await pass(400);
      expect((await post(token, undefined, '/heartbeat')).status).toBe(204);
    }
    // The first interval has ended, and was extended.
    await until(async () => (await dueAt()) > first);
    expect(await executions.read(execution.id)).toMatchObject({ status: 'RUNNING' });
    await pass(600);
    await executions.ended(execution, 'FAILED');
    expect(await failureOf(execution.id)).toMatchObject({ error: 'States.HeartbeatTimeout' });
    expect((await post(token, undefined, '/heartbeat')).status).toBe(410);
  });

  test('responds with 404 to an unknown token, and 410 after the execution is cancelled', async () => {
    const { execution, token } = await asked();
    const forged = `${token.startsWith('A') ? 'B' : 'A'}${token.slice(1)}`;
    for (const wrong of [forged, 'x', token.slice(0, -1)])
      expect((await post(wrong, { output: 1 })).status).toBe(404);
    await executions.cancel(execution.id);
    expect((await post(token, { output: 1 })).status).toBe(410);
  });

  test('refuses any other body, and continues to wait', async () => {
    const { token } = await asked();
    const bodies = [
      {},
      { output: 1, error: 'x' },
      { error: '' },
      { error: 'x', other: 1 },
      [],
      undefined,
      'text',
      { error: 'x'.repeat(201) },
    ];
    for (const body of bodies) expect((await post(token, body)).status, JSON.stringify(body)).toBe(400);
    expect((await post(token, { output: 1 })).status).toBe(204);
  });
});
