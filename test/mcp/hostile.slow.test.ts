import { beforeAll, describe, expect, test } from 'vitest';
import { freshPortal } from '../../scripts/prepare/built-portal.ts';
import { api } from '../support/api.ts';
import { fiftyMs } from '../support/main-thread.ts';
import {
  hugeValues,
  incompleteCalls,
  messagesWith,
  operationsWith,
  toolCall,
  wrongValues,
} from './hostile-messages.ts';
import { attack, post } from './responses.ts';
import { agentOf } from './support.ts';

// A build takes longer than the client waits.
await freshPortal();
const { baseUrl, sandboxUrl, owner } = await api({ mcpCalls: ['production'] });
const agent = await agentOf(baseUrl, owner.token);
const { tools } = await agent.client.listTools();
const token = owner.token ?? '';

test.each([
  ['every member of every message', () => messagesWith(tools, wrongValues)],
  ['every argument of every tool', () => incompleteCalls(tools, wrongValues)],
  ['every parameter, body and field', () => operationsWith(wrongValues)],
])(
  'an agent gets a short error, whatever is in %s',
  async (_what, messages) => {
    expect((await attack(baseUrl, token, messages())).wrong).toEqual([]);
  },
  300_000,
);

describe('an agent that sends as much as is accepted, or more', () => {
  beforeAll(async () => {
    // Loading for the first time is not measured.
    await agent.search('user');
    await agent.describe('/docs/errors');
  });

  test.each([
    ['every member of every message', () => messagesWith(tools, hugeValues)],
    ['every argument of every tool', () => incompleteCalls(tools, hugeValues)],
    ['every parameter, body and field', () => operationsWith(hugeValues)],
  ])(
    'holds up nobody with %s',
    async (_what, messages) => {
      const health = watchHealth();
      const { wrong } = await attack(baseUrl, token, messages(), fiftyMs());
      expect(wrong).toEqual([]);
      expect(await health.end()).toEqual(new Set([200]));
    },
    900_000,
  );

  test('takes no memory for good, however often', async () => {
    const body = toolCall(
      'call',
      `{"operationId":"listUsers","parameters":${JSON.stringify("'".repeat(250_000))}}`,
    );
    const rounds = async (count: number) => {
      for (let round = 0; round < count; round++)
        await Promise.all(Array.from({ length: 8 }, () => post(baseUrl, { body, headers: {} })));
      return process.memoryUsage.rss();
    };
    // The heap grows to the size that it then keeps.
    const before = await rounds(20);
    const after: number[] = [];
    for (let time = 0; time < 5; time++) after.push(await rounds(20));
    // What is kept is in each of them; what is not collected yet is not.
    expect(Math.min(...after) - before).toBeLessThan(100 * 2 ** 20);
  }, 300_000);
});

/** Requests `/healthz` of both environments, one request after the other. */
function watchHealth() {
  const statuses = new Set<number>();
  let isOver = false;
  const watched = (async () => {
    while (!isOver)
      for (const url of [baseUrl, sandboxUrl]) statuses.add((await fetch(`${url}/healthz`)).status);
  })();
  return {
    /** @returns the statuses of the responses */
    async end() {
      isOver = true;
      await watched;
      return statuses;
    },
  };
}
