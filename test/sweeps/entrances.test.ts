import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Entrance, type EntranceName, entranceOf, entrances } from '../../server/src/http/entrances.ts';
import { linksOf } from '../links/support.ts';
import { api as startApi } from '../support/api.ts';
import { expectShortStretches } from '../support/main-thread.ts';
import { send } from '../support/raw-requests.ts';
import { bodyOf } from '../support/responses.ts';
import { scaledTimeout } from '../support/timeout.ts';
import { until } from '../support/waiting.ts';
import { codesOf, refusalError } from './support/refusals.ts';

/** Every row of the table of entrances (decision 44): what it serves, and that it withstands what an operation withstands. */
const api = await startApi({ metricsPort: 0 });
const { baseUrl, ports, world, owner, log } = api;
const links = linksOf(api);

const rows = Object.entries(entrances) as [EntranceName, Entrance][];

/** A URL that works for each path with a parameter: one path has one, and a path of a new row fails here by name. */
const working: Record<string, () => Promise<string>> = {
  '/files/attachments/{id}': async () => {
    const path = { tableId: world.table.id, recordId: world.record.id };
    const creation = owner.POST('/tables/{tableId}/records/{recordId}/attachments', {
      params: { path },
      body: { file: new File(['content'], 'a.txt') },
    });
    const { id: attachmentId } = (await bodyOf(201, creation)) as { id: string };
    const reading = owner.GET('/tables/{tableId}/records/{recordId}/attachments/{attachmentId}', {
      params: { path: { ...path, attachmentId } },
    });
    return pathOf(((await bodyOf(200, reading)) as { link: string }).link);
  },
  '/links/{token}': async () => pathOf(await links.link({ definition: await links.definition() })),
};
const pathOf = (url: string) => url.slice(new URL(url).origin.length);

/** A path of each template; with a token that was never issued if there is no other. */
async function pathsOf({ paths }: Entrance): Promise<string[]> {
  const forged = paths.map((path) => path.replaceAll(/\{\w+\}/g, 'x').replace(/\/\*$/, ''));
  const real = await Promise.all(paths.flatMap((path) => working[path]?.() ?? []));
  return [...real, ...forged];
}

/** Up to three attempts: what grows does so each time, what the collector has not freed yet does not. */
async function expectNoGrowth(work: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const before = process.memoryUsage.rss();
    await work();
    const grown = process.memoryUsage.rss() - before;
    if (grown < 50 << 20) return;
    if (attempt === 3) return expect(grown).toBeLessThan(50 << 20);
  }
}

/** Others are served meanwhile, the event loop is not held, and memory does not grow. */
async function expectHarmless(work: () => Promise<unknown>): Promise<void> {
  await expectNoGrowth(() =>
    expectShortStretches(async () => {
      const done = work();
      for (let asked = 0; asked < 3; asked++)
        expect((await send(baseUrl, { method: 'GET', target: '/healthz' })).status).toBe(200);
      await done;
    }),
  );
}

function open(text: string) {
  const socket = connect({ port: ports.production, host: '127.0.0.1' });
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => {});
  socket.write(text);
  return socket;
}

const head = (method: string, target: string, ...headers: string[]) =>
  [`${method} ${target} HTTP/1.1`, 'Host: test', ...headers, '', ''].join('\r\n');

describe.each(rows)('%s', async (name, entrance) => {
  const targets = await pathsOf(entrance);
  const [method] = entrance.methods as [string];
  const others = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'].filter(
    (one) => !entrance.methods.some((allowed) => allowed === (one === 'HEAD' ? 'GET' : one)),
  );
  const body = method === 'GET' ? undefined : '{}';
  const json = { 'Content-Type': 'application/json' };

  test('serves its own paths', () => {
    for (const target of targets) expect(entranceOf(target.replace(/\?.*/s, ''))).toBe(name);
  });

  test('refuses other methods: 405 with Allow', async () => {
    for (const target of targets)
      for (const other of others) {
        const response = await send(baseUrl, { method: other, target });
        expect(response.status).toBe(405);
        if (other !== 'HEAD')
          expect([refusalError(undefined, response), ...codesOf(response)]).toEqual([
            undefined,
            'method_not_allowed',
          ]);
        const allowed = entrance.methods.flatMap((one) => (one === 'GET' ? ['GET', 'HEAD'] : [one]));
        expect(response.headers['allow']).toBe(allowed.join(', '));
      }
  });

  test('responds within the size and time of its row, with the Request-Id of its log line', async () => {
    for (const target of targets) {
      // Loads what only the first request loads; tests build the portal then.
      await send(baseUrl, { method, target, body, headers: json });
      const startedAt = performance.now();
      const response = await send(baseUrl, { method, target, body, headers: json });
      expect(performance.now() - startedAt).toBeLessThan(scaledTimeout(entrance.seconds * 1000));
      expect(response.status).toBeLessThan(500);
      if (entrance.bytesOut !== 'stored') expect(response.text.length).toBeLessThanOrEqual(entrance.bytesOut);
      const requestId = response.headers['request-id'];
      expect(requestId).toMatch(/^[0-9a-f-]{36}$/);
      const lines = () => log.filter((line) => line['requestId'] === requestId && line['entrance'] === name);
      // The log of tests is that of the default level.
      if (entrance.logLevel === 'info') await until(() => lines().length === 1);
      else expect(lines()).toEqual([]);
    }
    const metrics = await (await fetch(`http://127.0.0.1:${api.metricsPort}/metrics`)).text();
    expect(metrics).toContain(
      `wrp_request_duration_seconds_count{environment="production",operation="${name}"`,
    );
  });

  test('does not treat a foreign Host or Origin as its own', async () => {
    const foreign = {
      Host: 'evil.example',
      Origin: 'https://evil.example',
      'X-Forwarded-Host': 'evil.example',
    };
    for (const target of targets) {
      const { text, headers } = await send(baseUrl, {
        method,
        target,
        body,
        headers: { ...json, ...foreign },
      });
      expect(text + JSON.stringify(headers)).not.toContain('evil.example');
      expect(headers['access-control-allow-origin']).toBeUndefined();
    }
  });

  test('withstands queries, headers and bodies of any kind', async () => {
    const long = 'a'.repeat(8_000);
    const queries = [
      '?',
      `?${long}`,
      '?a[b][c]=1&__proto__[x]=1',
      `?${'x&'.repeat(3_000)}`,
      '?%',
      '?%00=%ff',
      '?lang=%',
    ];
    const headers = [
      { Accept: 'text/markdown;q=x, */*;q=9' },
      { Accept: `${'text/html,'.repeat(700)}*/*` },
      { 'Accept-Language': `${'en;q=0.1,'.repeat(700)}fr` },
      { 'Accept-Encoding': `${'gzip;q=0.1,'.repeat(600)}br` },
      { 'If-None-Match': `${'W/"x",'.repeat(1_000)}"y"` },
      { Range: `bytes=${'0-1,'.repeat(1_000)}2-3` },
      { traceparent: long },
      { 'X-Forwarded-For': `${'1.1.1.1,'.repeat(800)}x` },
      { Cookie: long },
    ];
    const bodies = [
      '',
      '{',
      '[]',
      'null',
      '"x"',
      '{"__proto__":{"x":1}}',
      `${'['.repeat(5_000)}`,
      '\0',
      long,
    ];
    for (const target of targets)
      await expectHarmless(async () => {
        const requests = [
          ...queries.map((query) => ({
            method,
            target: `${target.replace(/\?.*/s, '')}${query}`,
            body,
            headers: json,
          })),
          ...headers.map((each) => ({ method, target, body, headers: { ...json, ...each } })),
          ...bodies.map((each) => ({ method, target, body: each, headers: json })),
          ...bodies.map((each) => ({ method, target, body: each, headers: { 'Content-Type': 'a/b; c=d' } })),
        ];
        for (const request of requests) expect((await send(baseUrl, request)).status).toBeLessThan(500);
      });
  });

  test(`reads no more of a body than ${entrance.bytesIn} bytes`, async () => {
    const large = Buffer.alloc(8 << 20, ' ');
    for (const target of targets)
      for (const headers of [json, { ...json, 'Transfer-Encoding': 'chunked' }])
        await expectHarmless(async () => {
          const before = process.memoryUsage().arrayBuffers;
          const response = await send(baseUrl, { method, target, body: large, headers }, false).catch(
            () => undefined,
          );
          expect(response?.status ?? 413).toBeLessThan(500);
          expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(
            4 * (large.length + entrance.bytesIn),
          );
        });
  });

  test('withstands 1,000 requests at once whose responses nobody reads', async () => {
    for (const target of targets) {
      // Loads what only the first request loads.
      await send(baseUrl, { method, target, body, headers: json });
      await expectHarmless(async () => {
        const socket = open(
          head(method, target, `Content-Length: ${body?.length ?? 0}`, 'Content-Type: application/json')
            .concat(body ?? '')
            .repeat(1_000),
        );
        await new Promise((resolve) => setTimeout(resolve, 50));
        socket.destroy();
      });
    }
  });

  test('withstands 100 clients that leave halfway', async () => {
    for (const target of targets)
      await expectHarmless(async () => {
        for (let client = 0; client < 100; client++) {
          const half = head(method, target, 'Content-Length: 1000', 'Content-Type: application/json');
          const socket = open(client % 2 === 0 ? `${half}{"a":` : half.slice(0, half.length / 2));
          await new Promise((resolve) => setImmediate(resolve));
          socket.resetAndDestroy();
        }
      });
  });
});

test('requests without credentials count against the budget of their address, and probes against none', async () => {
  const limited = await startApi({ budgets: { requests: 1, uploads: 1, signIns: 1 } });
  for (const [name, { paths, budget }] of rows) {
    if (budget === 'own') continue;
    const [path] = paths;
    const target = path.replaceAll(/\{\w+\}/g, 'x').replace(/\/\*$/, '');
    const statuses = new Set<number>();
    // Each server counts, and the project `s3` has two.
    for (let count = 0; count < 24; count++)
      statuses.add((await send(limited.baseUrl, { method: 'GET', target })).status);
    expect([name, statuses.has(429)]).toEqual([name, budget === 'address']);
  }
});

test('the guide to operating the platform lists every entrance', async () => {
  const guide = await readFile(new URL('../../spec/guides/operations.md', import.meta.url), 'utf8');
  const bytes = (limit: Entrance['bytesOut']) => (limit === 'stored' ? 'as stored' : `${limit / 1024} KiB`);
  for (const [name, { paths, methods, who, budget, bytesIn, bytesOut, seconds, logLevel }] of rows) {
    const cells = [
      `\`${name}\``,
      `${methods.join(', ')} ${paths.map((path) => `\`${path}\``).join(', ')}`,
      who,
      budget,
      bytesIn === 0 ? 'none' : bytes(bytesIn),
      bytes(bytesOut),
      `${seconds} s`,
      logLevel,
    ];
    expect(guide, `spec/guides/operations.md lacks this row of server/src/http/entrances.ts`).toContain(
      `| ${cells.join(' | ')} |`,
    );
  }
});
