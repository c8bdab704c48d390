import { expect, test } from 'vitest';
import { freshPortal } from '../../scripts/prepare/built-portal.ts';
import { api } from '../support/api.ts';
import { toolCall } from './hostile-messages.ts';
import { post } from './responses.ts';
import { agentOf } from './support.ts';

const budgets = { requests: 20, uploads: 20, signIns: 20 };
// A build takes longer than the client waits.
await freshPortal();
const { baseUrl, owner, clock } = await api({ mcpCalls: ['production'], budgets, refusedAttempts: 2 });

test('every request counts against the budget of its address, and a call against that of its caller, too', async () => {
  const agent = await agentOf(baseUrl, owner.token);
  for (let made = 0; made < 5; made++) await agent.call('listWorkspaces');
  const response = await owner.fetch('/organizations/workspaces');
  expect(response.headers.get('RateLimit')).toMatch(/^"requests";r=14;/);
  const search = async () => {
    for (let made = 0; made < 20; made++) await agent.search('user');
  };
  await expect(search()).rejects.toThrow(/rate_limit_exceeded|429/);
  clock.forward(60_000);
  await agent.search('user');
});

test('refused credentials of calls count against the address of the agent', async () => {
  clock.forward(60_000);
  const agent = await agentOf(baseUrl, 'wrong');
  const codes = [];
  for (let made = 0; made < 3; made++) {
    const { body } = await agent.call('listWorkspaces');
    codes.push((body as { errors: { code: string }[] }).errors[0]?.code);
  }
  expect(codes).toEqual(['credentials_invalid', 'credentials_invalid', 'rate_limit_exceeded']);
});

test('a message counts once for each 16 KiB, and a message of unknown size as one of the largest size', async () => {
  clock.forward(60_000);
  const remaining = async (body: string | ReadableStream) => {
    const headers = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
    // A stream needs it.
    const init = { method: 'POST', headers, body, duplex: 'half' as const };
    const response = await fetch(`${baseUrl}/mcp`, init);
    return [response.status, response.headers.get('RateLimit')?.split(';')[1]];
  };
  const message = (size: number) => toolCall('describe', JSON.stringify({ name: 'x'.repeat(size) }));
  expect(await remaining(message(100))).toEqual([200, 'r=19']);
  expect(await remaining(message(16 * 1024))).toEqual([200, 'r=17']);
  expect(await remaining(new Blob([message(100)]).stream())).toEqual([200, 'r=1']);
  expect(await remaining(message(16 * 1024))).toEqual([429, 'r=0']);
  expect(await remaining(message(100))).toEqual([200, 'r=0']);
});

test('an agent cannot choose the address of its calls', async () => {
  clock.forward(60_000);
  const body = toolCall('call', '{"operationId":"listWorkspaces"}');
  const codes = [];
  for (let made = 0; made < 3; made++) {
    const headers = { Authorization: 'wrong', 'X-Forwarded-For': `203.0.113.${made}`, Host: 'elsewhere' };
    const { text } = await post(baseUrl, { body, headers });
    codes.push(/(?:credentials_invalid|rate_limit_exceeded)/.exec(text)?.[0]);
  }
  expect(codes).toEqual(['credentials_invalid', 'credentials_invalid', 'rate_limit_exceeded']);
});
