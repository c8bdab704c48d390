import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { welcome } from '../../server/src/server.ts';
import { scaledTimeout } from '../support/timeout.ts';

const baseUrls = { production: 'http://127.0.0.1:8080', sandbox: 'http://127.0.0.1:8081' };
const quickStart = await readFile(new URL('../../spec/guides/quick-start.md', import.meta.url), 'utf8');

describe('the start', () => {
  test("names the demo file, where the sandbox's token is, and the quick start", () => {
    const lines = welcome(baseUrls, { token: 'tot_1', path: '/srv/data/demo.json' });
    expect(lines).toContain('http://127.0.0.1:8080/docs/quick-start\n');
    expect(lines).toMatch(/Demo file +\/srv\/data\/demo\.json \(.*sandbox\.organizationToken\)/);
  });

  test('names no demo file without a demo', () => {
    expect(welcome(baseUrls)).not.toMatch(/Demo|Token|curl/);
  });
});

describe('the quick start', () => {
  const [fetching = ''] = quickStart.match(/(?<=Fetch the result.*?```sh\n).*?(?=```)/s) ?? [];

  test.each([
    ['refuses the token', 401, '{"errors":[{"code":"token_invalid"}]}', 'token_invalid'],
    ['reports a failed execution', 200, '{"status":"FAILED"}', '"status":"FAILED"'],
  ])('stops polling and says why if the platform %s', async (_, status, body, shown) => {
    let requests = 0;
    const server = createServer((_request, response) => {
      requests += 1;
      response.writeHead(status).end(body);
    });
    onTestFinished(() => void server.close());
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const env = {
      PATH: process.env['PATH'],
      WRP_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      WORKFLOW_ID: 'undefined',
    };
    const options = { env, timeout: scaledTimeout(20_000) };
    const { stdout } = await promisify(execFile)('bash', ['-c', fetching], options);
    expect(stdout).toContain('There is no result.');
    expect(stdout).toContain(shown);
    expect(requests).toBe(1);
  });
});
