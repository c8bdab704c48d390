import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, describe, expect, test } from 'vitest';
import { installPackedClient } from '../../scripts/client/package.ts';
import { freshPortal } from '../../scripts/portal/fresh-portal.ts';
import { api } from '../support/api.ts';
import { agentOf, agentOver, type Mode } from './support.ts';

// A build takes longer than the client waits.
await freshPortal();
const { baseUrl, owner } = await api({ mcpCalls: ['production'] });
const application = await mkdtemp(join(tmpdir(), 'wrp-mcp-'));
afterAll(() => rm(application, { recursive: true, force: true }));
await installPackedClient(application);
const program = join(application, 'node_modules/@wrp/client/node/mcp.js');

const agentOverStdio = (mode: Mode, url = baseUrl, token = owner.token ?? '') =>
  agentOver(
    new StdioClientTransport({ command: process.execPath, args: [program, url], env: { WRP_TOKEN: token } }),
    mode,
  );

describe('wrp-mcp, the program of the packed client', () => {
  test.each<Mode>(['auto', 'legacy'])('has the tools of the platform: %s', async (mode) => {
    const agent = await agentOverStdio(mode);
    const direct = await agentOf(baseUrl, owner.token);
    expect((await agent.client.listTools()).tools).toEqual((await direct.client.listTools()).tools);
    expect(await agent.search('reinstate')).toEqual(await direct.search('reinstate'));
    const listed = await agent.call('listWorkspaces');
    expect(listed.isError).toBe(false);
    expect(listed.body).toEqual((await owner.GET('/organizations/workspaces')).data);
    expect((await agent.call('getUser', { parameters: { userId: 'x' } })).isError).toBe(true);
  });

  test('handles requests concurrently', async () => {
    const agent = await agentOverStdio('auto');
    const named = await Promise.all(
      ['listUsers', 'getUser', 'createLink'].map((name) => agent.describe(name)),
    );
    expect(named.map((text) => JSON.parse(text).operationId)).toEqual(['listUsers', 'getUser', 'createLink']);
  });

  test('responds with the reason if the platform cannot be reached', async () => {
    await expect(agentOverStdio('legacy', 'http://127.0.0.1:9')).rejects.toThrow(
      'http://127.0.0.1:9/mcp: fetch failed',
    );
  });

  test('explains its usage without a URL', async () => {
    const env = { PATH: process.env['PATH'] };
    const { promise, resolve } = Promise.withResolvers<{ code: unknown; stderr: string }>();
    execFile(process.execPath, [program], { env }, (error, _stdout, stderr) =>
      resolve({ code: error?.code, stderr }),
    );
    expect(await promise).toEqual({ code: 2, stderr: expect.stringContaining('Usage: wrp-mcp URL') });
  });
});
