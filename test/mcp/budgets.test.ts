import { expect, test } from 'vitest';
import { freshPortal } from '../../scripts/portal/fresh-portal.ts';
import { api } from '../support/api.ts';
import { agentOf } from './support.ts';

const budgets = { requests: 20, uploads: 20, signIns: 20 };
// A build takes longer than the client waits.
await freshPortal();
const { baseUrl, owner, clock } = await api({ mcpCalls: ['production'], budgets, refusedAttempts: 2 });

test('every request counts against the budget of its address, a call against that of the caller too', async () => {
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
