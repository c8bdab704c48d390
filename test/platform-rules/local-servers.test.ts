import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { designServer } from '../../scripts/design/server.ts';
import { startMock } from '../../scripts/mock/package/index.ts';
import { startReceiver } from '../../scripts/spec/journeys/receiver.ts';
import { localAccess } from '../../server/http-server/index.ts';
import { accessTests, controlled, controlTests, send } from '../support/local-servers.ts';
import { atEnd } from '../support/temporary.ts';

// With their command lines: local-servers.slow.test.ts.

const mock = await startMock();
atEnd(mock.close);

const shown: number[] = [];
const design = designServer({
  root: new URL('../../', import.meta.url),
  onShown: (version) => void shown.push(version),
  openInEditor: async () => undefined,
});
await once(design.server.listen(0, '127.0.0.1'), 'listening');
atEnd(async () => design.close());
const designUrl = `http://127.0.0.1:${(design.server.address() as AddressInfo).port}`;

const receiver = await startReceiver({ port: 0, baseUrl: mock.url });
atEnd(async () => receiver.close());

accessTests('a mock', () => controlled(mock.url));
controlTests('a mock', () => mock.url);
accessTests('the page of the design loop', () => ({
  base: designUrl,
  read: '/design/report.json',
  write: { method: 'POST', path: '/design/shown?version=1&openFor=1' },
  state: async () => shown.length,
}));
accessTests('the receiver of the journeys', () => ({
  base: receiver.webhookUrl.slice(0, -1),
  read: '/events/a/b',
  write: { method: 'POST', path: '/', headers: { 'Content-Type': 'application/json' }, body: '{}' },
}));

describe('decision 45: a server with options', async () => {
  const { url, close } = await startMock({
    allowHost: ['Mock', 'tunnel.example'],
    allowOrigin: ['https://App.example', 'capacitor://localhost'],
  });
  atEnd(close);
  const statusOf = async (headers: Record<string, string>) =>
    (await send(url, { path: '/__mock', headers })).status;

  test.each(['mock:4010', 'MOCK', 'tunnel.example', 'tunnel.example.:443'])(
    'responds to the host %s',
    async (Host) => expect(await statusOf({ Host })).toBe(200),
  );

  test.each(['mock.example', 'a.tunnel.example', '10.0.0.1'])('refuses the host %s', async (Host) =>
    expect(await statusOf({ Host })).toBe(403),
  );

  test.each([
    ['https://app.example', '127.0.0.1'],
    ['capacitor://localhost', '127.0.0.1'],
    ['https://tunnel.example', 'tunnel.example'],
    ['http://tunnel.example:3000', 'tunnel.example:4010'],
  ])('serves pages of %s at the host %s', async (Origin, Host) =>
    expect(await statusOf({ Origin, Host })).toBe(200),
  );

  test.each([
    ['http://app.example', '127.0.0.1'],
    ['https://app.example:8443', '127.0.0.1'],
    ['https://x.app.example', '127.0.0.1'],
    ['https://tunnel.example', '127.0.0.1'],
    ['https://evil.example', 'tunnel.example'],
    ['null', 'tunnel.example'],
  ])('refuses pages of %s at the host %s', async (Origin, Host) =>
    expect(await statusOf({ Origin, Host })).toBe(403),
  );

  test('refuses an image of a neighbouring name, which is of the same site', async () => {
    const headers = { Host: 'tunnel.example', 'Sec-Fetch-Site': 'same-site', 'Sec-Fetch-Mode': 'no-cors' };
    expect(await statusOf(headers)).toBe(403);
    expect(await statusOf({ ...headers, Referer: 'http://evil.tunnel.example/' })).toBe(403);
    expect(await statusOf({ ...headers, Referer: 'http://tunnel.example:3000/' })).toBe(200);
  });

  test.each([
    { allowHost: ['mock:4010'] },
    { allowHost: ['http://mock'] },
    { allowHost: [''] },
    { allowHost: ['*.example'] },
    { allowOrigin: ['app.example'] },
    { allowOrigin: ['null'] },
    { allowOrigin: ['*'] },
    { allowOrigin: ['https://*.app.example'] },
    { allowOrigin: ['https://app.example/path'] },
  ])('does not start with %j', async (options) => {
    await expect(startMock(options)).rejects.toThrow(/is not (a host name|an origin)\./);
  });

  test('says why it refused a request', async () => {
    const reasons: string[] = [];
    const reporting = await startMock({ onRefused: (reason) => void reasons.push(reason) });
    atEnd(reporting.close);
    await send(reporting.url, { headers: { Origin: 'https://evil.example\u009b31m' } });
    expect(reasons).toEqual([expect.stringContaining('Pages of https://evil.example?31m ')]);
  });
});

describe('a server on every address', () => {
  const { refusalOf } = localAccess({ host: '0.0.0.0', allowHost: [], allowOrigin: [] });
  const isServed = (headers: Record<string, string>) =>
    refusalOf({ method: 'GET', url: '/', headers } as never) === undefined;

  test.each([
    ['localhost:4010', undefined, true],
    ['192.168.1.5:4010', undefined, true],
    ['[2001:db8::1]:4010', undefined, true],
    ['192.168.1.5:4010', 'http://192.168.1.5:5173', true],
    ['192.168.1.5:4010', 'http://localhost:5173', true],
    ['192.168.1.5:4010', 'http://192.168.1.6:5173', false],
    ['192.168.1.5:4010', 'https://evil.example', false],
    ['mock:4010', undefined, false],
    ['evil.example:4010', undefined, false],
    ['192.168.1.5.evil.example', undefined, false],
    ['3232235781', undefined, false],
  ])('called as %s by a page of %s: served %s', (host, origin, expected) => {
    expect(isServed({ host, ...(origin && { origin }) })).toBe(expected);
  });

  test('responds to the name of --host', () => {
    const { refusalOf } = localAccess({ host: 'devbox.local' });
    expect(refusalOf({ url: '/', headers: { host: 'devbox.local:4010' } } as never)).toBeUndefined();
  });
});
