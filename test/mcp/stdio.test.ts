import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { installPackedClient } from '../../scripts/client/package.ts';
import { freshPortal } from '../../scripts/prepare/built-portal.ts';
import { served } from '../mock/support.ts';
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

/** Runs the program until it ends. */
async function run(args: string[], env: Record<string, string>, input = '') {
  const { promise, resolve } = Promise.withResolvers<{ code: unknown; stdout: string; stderr: string }>();
  const child = execFile(process.execPath, [program, ...args], { env }, (error, stdout, stderr) =>
    resolve({ code: error?.code, stdout, stderr }),
  );
  child.stdin?.end(input);
  return promise;
}

/** A server that records the headers of its requests. */
async function recorder(respond: (response: ServerResponse, received: readonly object[]) => void) {
  const received: IncomingHttpHeaders[] = [];
  const url = await served((request, response) => {
    received.push(request.headers);
    request.resume();
    respond(response, received);
  });
  return { received, url };
}

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

  test('responds to each line that is no message, and goes on', async () => {
    const child = spawn(process.execPath, [program, baseUrl], { stdio: ['pipe', 'pipe', 'inherit'] });
    onTestFinished(() => void child.kill());
    const lines = createInterface({ input: child.stdout });
    const respond = async (line: string) => {
      const responded = once(lines, 'line');
      child.stdin.write(`${line}\n`);
      const [response] = await responded;
      return JSON.parse(response);
    };
    const parseError = { code: -32700, message: 'Parse error: the line is not JSON.' };
    expect(await respond('{')).toEqual({ jsonrpc: '2.0', id: null, error: parseError });
    for (const line of [
      'null',
      '1',
      '[]',
      '{}',
      '{"id":1,"method":{"toString":1}}',
      '{"id":{},"method":"ä"}',
    ])
      expect(await respond(line), line).toMatchObject({ jsonrpc: '2.0', error: { code: -32600 } });
    const params = '{"name":"\u{1f600}","_meta":5}';
    expect(await respond(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":${params}}`)).toMatchObject({
      id: 2,
      error: { code: -32602, message: 'Invalid params: params._meta must be an object' },
    });
    const ping = await respond('{"jsonrpc":"2.0","id":3,"method":"ping"}');
    expect(ping).toEqual({ jsonrpc: '2.0', id: 3, result: {} });
  });

  test('names the status of a response that is not of this protocol', async () => {
    const server = createServer((_request, response) => void response.writeHead(502).end('<html>')).listen(0);
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    await expect(agentOverStdio('legacy', `http://127.0.0.1:${port}`)).rejects.toThrow('status 502: <html>');
  });

  test.each([
    ['', {}],
    ['127.0.0.1:8080', {}],
    ['file:///secret', {}],
    ['https://user:secret@api.example.com', {}],
    ['https://api.example.com?token=secret', {}],
    ['https://api.example.com#secret', {}],
    ['https://api.example.com', { WRP_TOKEN: 'tot_secret\nX-Admin: 1' }],
  ])('explains its usage for the URL "%s" and the environment %j, without a secret', async (url, env) => {
    const { code, stderr } = await run([url], env);
    expect([code, stderr.startsWith('Usage: wrp-mcp URL'), stderr.includes('secret')]).toEqual([
      2,
      true,
      false,
    ]);
  });

  test('encodes the name of a tool that is no header value', async () => {
    const { received, url } = await recorder((response) => void response.end());
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'a\nX-Admin: 1 🦊' } };
    await run([url], { WRP_TOKEN: 'tot_1\n' }, `${JSON.stringify(call)}\n`);
    const name = `=?base64?${Buffer.from(call.params.name).toString('base64')}?=`;
    expect(received[0]).toMatchObject({
      'mcp-name': name,
      'mcp-method': 'tools/call',
      authorization: 'tot_1',
    });
    expect(received[0]).not.toHaveProperty('x-admin');
  });

  test('shows the beginning of a response that is not from the platform, and follows no redirect', async () => {
    const elsewhere = await recorder((response) => void response.end());
    const { url } = await recorder((response, { length }) =>
      length === 1
        ? void response.writeHead(502).end(`<h1>Bad Gateway</h1>${'x'.repeat(1_000_000)}`)
        : void response.writeHead(307, { Location: elsewhere.url }).end(),
    );
    const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
    const { stdout } = await run([url], {}, `${ping}\n`);
    const { message } = JSON.parse(stdout).error;
    expect(message).toContain('status 502: <h1>Bad Gateway</h1>xxx');
    expect(message.length).toBeLessThan(1_000);
    await run([url], {}, `${ping}\n`);
    expect(elsewhere.received).toEqual([]);
  });
});
