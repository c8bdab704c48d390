import {
  createClient,
  ExecutionEndedError,
  NotFoundError,
  TimeoutError,
  unwrap,
  waitForResult,
} from '@wrp/client';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../server/json/index.ts';
import { definitionOf } from '../../support/definitions.ts';
import { platform } from './platform.ts';

const { baseUrl, clock, given, world } = platform;
const sent: Request[] = [];
const client = createClient({
  baseUrl,
  token: world.owner.token,
  fetch: (request) => {
    sent.push(request);
    return fetch(request);
  },
});
const waiting = { Wait: { Type: 'Wait', Seconds: 86_400, End: true } };

/** Starts an execution. @returns its ID */
async function start(states: JsonObject, fields: { expiresAt?: string } = {}): Promise<string> {
  const definition = definitionOf(states);
  const { id } = await given.workflowDefinition({ workspace: world.workspace, definition });
  const body = { workflowDefinitionId: id, ...fields };
  return (await unwrap(client.POST('/workflows', { body }))).id;
}

describe('waitForResult', () => {
  test('returns the result of a completed execution', async () => {
    const id = await start({
      Wait: { Type: 'Wait', Seconds: 1, Next: 'Done' },
      Done: { Type: 'Succeed', Output: { paid: true } },
    });
    expect(await waitForResult<{ paid: boolean }>(client, id, { interval: 50 })).toEqual({ paid: true });
  });

  test('follows the redirect to a large result without the token', async () => {
    const id = await start({
      Part: { Type: 'Pass', Assign: { part: "{% $pad('', 100000, 'x') %}" }, Next: 'Whole' },
      Whole: { Type: 'Succeed', Output: { text: '{% $join([1..100].$part) %}' } },
    });
    const { text } = await waitForResult<{ text: string }>(client, id, { interval: 50 });
    expect(text).toHaveLength(10_000_000);
  });

  test.each([
    ['FAILED', { Fail: { Type: 'Fail', Error: 'Claims.Refused', Cause: 'Not covered.' } }, async () => {}],
    ['CANCELLED', waiting, cancel],
    ['EXPIRED', waiting, async () => clock.forward(3_600_000)],
  ] as const)(
    'throws an ExecutionEndedError with the execution if it ends as %s',
    async (status, states, end) => {
      const expiresAt = new Date(clock.now().getTime() + 3_600_000).toISOString();
      const id = await start(states as never, { expiresAt });
      await end(id);
      const error = await waitForResult(client, id, { interval: 50 }).catch((caught) => caught);
      expect(error).toBeInstanceOf(ExecutionEndedError);
      expect(error).toMatchObject({ status, execution: { id, status } });
      const failure = { error: 'Claims.Refused', cause: 'Not covered.' };
      expect(error.failure).toEqual(status === 'FAILED' ? failure : undefined);
      const reason = status === 'FAILED' ? ' Claims.Refused: Not covered.' : '';
      expect(error.message).toBe(`The execution ${id} ended as ${status}.${reason}`);
    },
  );

  test('stops on timeout and abort, while the execution continues', async () => {
    const id = await start(waiting);
    await expect(waitForResult(client, id, { timeout: 150 })).rejects.toThrow(TimeoutError);
    const reason = new Error('Stopped by the caller.');
    const controller = new AbortController();
    setTimeout(() => controller.abort(reason), 50);
    await expect(waitForResult(client, id, { signal: controller.signal })).rejects.toBe(reason);
    const params = { path: { workflowId: id } };
    expect((await unwrap(client.GET('/workflows/{workflowId}', { params }))).status).toBe('RUNNING');
    await cancel(id);
  });

  test('throws a NotFoundError for an unknown execution', async () => {
    await expect(waitForResult(client, crypto.randomUUID())).rejects.toThrow(NotFoundError);
  });
});

async function cancel(id: string): Promise<void> {
  await unwrap(client.POST('/workflows/{workflowId}/cancel', { params: { path: { workflowId: id } } }));
}
