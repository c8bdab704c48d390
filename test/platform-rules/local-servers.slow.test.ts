import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type DesignProcess, startDesign } from '../../scripts/laboratory/design-process.ts';
import { copyProject } from '../../scripts/laboratory/project-copy.ts';
import { launchBrowser } from '../support/browser.ts';
import { accessTests, controlled, controlTests, type LocalServer, send } from '../support/local-servers.ts';
import { scaledTimeout } from '../support/timeout.ts';
import { until } from '../support/waiting.ts';

vi.setConfig({ testTimeout: scaledTimeout(60_000) });

const started: ChildProcess[] = [];
afterAll(async () => {
  for (const child of started) {
    if (child.exitCode !== null) continue;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  }
});

/** Starts a mock on a free port. @returns its URL */
async function start(script: string, ...args: string[]): Promise<string> {
  const child = spawn(process.execPath, [script, '--port', '0', '--json', ...args]);
  started.push(child);
  const text = { out: '', error: '' };
  child.stdout.on('data', (chunk) => {
    text.out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    text.error += chunk;
  });
  const isReady = () => text.out.includes('\n') || child.exitCode !== null;
  await until(isReady, { timeout: scaledTimeout(100_000) });
  expect(text.out, text.error).toContain('\n');
  return JSON.parse(text.out.split('\n', 1).join()).baseUrl;
}

const userId = '5b0e7c1a-52f4-4a0b-8a54-0d6f3c1b9a02';
const authorization = { Authorization: 'any' };
/** An operation, which a page may call with a token that everybody knows. */
const operated = (base: string): LocalServer => ({
  base,
  read: '/organizations/users?size=1',
  write: { method: 'POST', path: `/organizations/users/${userId}/terminate`, headers: authorization },
  async state() {
    return (await send(base, { path: `/organizations/users/${userId}`, headers: authorization })).body;
  },
});

const project = await copyProject();
let design: DesignProcess;
const mocks = { stateless: '', stateful: '', packaged: '' };
beforeAll(async () => {
  [design, mocks.stateless, mocks.stateful, mocks.packaged] = await Promise.all([
    startDesign(project.directory),
    start('scripts/mock/main.ts', '--quiet'),
    start('scripts/mock/main.ts', '--stateful', '--quiet'),
    start('scripts/mock/package/main.ts'),
  ]);
}, scaledTimeout(150_000));
afterAll(async () => {
  await design.stop();
  await project.remove();
});

for (const [name, base] of [
  ['npm run mock', () => mocks.stateless],
  ['npm run mock -- --stateful', () => mocks.stateful],
  ['npx wrp-mock', () => mocks.packaged],
  ['the mock of npm run design', () => design.mock],
] as const) {
  accessTests(`${name}, a control`, () => controlled(base()));
  accessTests(`${name}, an operation`, () => operated(base()));
  controlTests(name, base);
}
accessTests('the page of npm run design', () => ({
  base: design.page,
  read: '/openapi.json',
  write: { method: 'POST', path: '/design/shown?version=99&openFor=1' },
}));

/**
 * What the script of a page finds out about a server, and tries to change there. It must not refer to anything outside.
 * `reads` are paths of any kind, `writes` of what changes something.
 */
async function attack({ base, reads, writes }: { base: string; reads: string[]; writes: string[] }) {
  const results: string[] = [];
  const types = ['text/plain', 'application/json', 'application/x-www-form-urlencoded'];
  const body = '{"status":503}';
  const within = (result: Promise<string>) =>
    Promise.race([result, new Promise<string>((done) => setTimeout(done, 3_000, 'nothing'))]);
  const add = async (what: string, result: Promise<string>) => {
    results.push(`${what}: ${(await within(result.catch(() => 'nothing'))) || 'nothing'}`);
  };
  const element = (name: 'img' | 'script' | 'iframe', url: string) =>
    new Promise<string>((done) => {
      const made = document.createElement(name);
      made.onload = () => done(name === 'iframe' ? 'nothing' : 'loaded');
      made.onerror = () => done('nothing');
      made.src = url;
      document.body.append(made);
    });
  const attempts = [...reads, ...writes].flatMap((path) => [
    add(
      `fetch ${path}`,
      fetch(base + path).then((response) => response.text()),
    ),
    add(`image ${path}`, element('img', base + path)),
    add(`script ${path}`, element('script', base + path)),
    add(`frame ${path}`, element('iframe', base + path)),
    add(
      `events ${path}`,
      new Promise((done) => {
        const events = new EventSource(base + path);
        events.onmessage = ({ data }) => done(data);
        events.onopen = () => done('open');
        events.onerror = () => {
          events.close();
          done('nothing');
        };
      }),
    ),
    add(
      `socket ${path}`,
      new Promise((done) => {
        const socket = new WebSocket(base.replace('http', 'ws') + path);
        socket.onopen = () => done('open');
        socket.onerror = () => done('nothing');
      }),
    ),
  ]);
  for (const path of writes) {
    for (const method of ['POST', 'PUT', 'DELETE']) {
      for (const type of types) {
        const init = { method, headers: { 'Content-Type': type, Authorization: 'any' }, body };
        attempts.push(
          add(
            `${method} ${type} ${path}`,
            fetch(base + path, init).then((got) => got.text()),
          ),
        );
      }
    }
    for (const type of types) {
      const init = { method: 'POST', mode: 'no-cors', headers: { 'Content-Type': type }, body } as const;
      attempts.push(
        add(
          `no-cors ${type} ${path}`,
          fetch(base + path, init).then((got) => got.text()),
        ),
      );
      navigator.sendBeacon(base + path, new Blob([body], { type }));
    }
    for (const enctype of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
      const frame = document.createElement('iframe');
      frame.name = `frame-${Math.random()}`;
      const form = Object.assign(document.createElement('form'), {
        action: base + path,
        method: 'post',
        target: frame.name,
        enctype,
      });
      form.append(
        Object.assign(document.createElement('input'), { name: '{"status":503,"a":"', value: '"}' }),
      );
      document.body.append(frame, form);
      attempts.push(
        add(`form ${path}`, new Promise((done) => frame.addEventListener('load', () => done('nothing')))),
      );
      form.submit();
    }
  }
  await Promise.all(attempts);
  return results;
}

describe('a page in a browser', () => {
  let page: Page;
  let closeBrowser: () => Promise<void>;
  let foreign: string;
  const requests: { url: string; status: number }[] = [];
  beforeAll(async () => {
    const browser = await launchBrowser('--host-resolver-rules=MAP *.example 127.0.0.1');
    closeBrowser = () => browser.close();
    page = await browser.newPage();
    page.on('response', (response) => requests.push({ url: response.url(), status: response.status() }));
    foreign = await pageServer((_request, response) =>
      response.writeHead(200, { 'Content-Type': 'text/html' }).end('<!doctype html><body></body>'),
    );
  }, scaledTimeout(60_000));
  afterAll(() => closeBrowser());

  const reads = ['/', '/openapi.json', '/__mock', '/__mock/faults', '/organizations/users', '/docs'];
  const designReads = ['/', '/design/events', '/design/report.json', '/openapi.json', '/docs/reference'];
  const controls = ['/__mock/faults', '/__mock/faults/clear', '/__mock/reset', '/__mock/clock'];
  const targets = [
    { name: 'the stateless mock', base: () => mocks.stateless, reads, writes: controls },
    { name: 'the stateful mock', base: () => mocks.stateful, reads, writes: [...controls, '/workflows'] },
    { name: 'the packaged mock', base: () => mocks.packaged, reads, writes: controls },
    {
      name: 'the design loop',
      base: () => design.page,
      reads: designReads,
      writes: ['/design/shown?version=1&openFor=1', '/design/open?place=spec/openapi.yaml:1:1'],
    },
  ];
  /** The state of a mock: its faults, and what the last request of a workflow left. */
  const stateOf = async (base: string) => {
    const [faults, users] = await Promise.all([
      send(base, { path: '/__mock/faults' }),
      send(base, { path: `/organizations/users/${userId}`, headers: authorization }),
    ]);
    return [faults.body, users.status];
  };

  test.each(targets)('of another site reads nothing of $name and changes nothing', async (target) => {
    const base = target.base();
    const before = await stateOf(base);
    await page.goto(foreign.replace('127.0.0.1', 'evil.example'));
    requests.length = 0;
    const { reads, writes } = target;
    const results = await page.evaluate(attack, { base, reads, writes });
    expect(results.length).toBeGreaterThan(60);
    expect(results.filter((result) => !result.endsWith(': nothing'))).toEqual([]);
    expect(await stateOf(base)).toEqual(before);
    const reached = requests.filter(({ url }) => url.startsWith(base));
    expect(reached.length, 'the requests arrive, and are refused').toBeGreaterThan(5);
    expect(reached.filter(({ status }) => status !== 403)).toEqual([]);
  });

  test.each(targets)(
    'whose name resolves to this machine reads nothing of $name',
    async ({ base, reads }) => {
      for (const path of reads) {
        const response = await page.goto(base().replace('127.0.0.1', 'evil.example') + path);
        expect([path, response?.status()]).toEqual([path, 403]);
        expect(await page.evaluate((url) => fetch(url).then((got) => got.status), path)).toBe(403);
      }
    },
  );

  test('of another site may link to the page of the mock, in a tab', async () => {
    await page.goto(foreign.replace('127.0.0.1', 'evil.example'));
    await page.evaluate((url) => void location.assign(url), `${mocks.stateless}/__mock`);
    await page.getByRole('heading', { name: 'Mock of the platform' }).waitFor();
  });

  test.each(['localhost', '127.0.0.1'])('of %s calls a mock, and shows its files', async (host) => {
    await page.goto(foreign.replace('127.0.0.1', host));
    const status = await page.evaluate(async (base) => {
      const init = { headers: { Authorization: 'any', 'Content-Type': 'application/json' } };
      const read = await fetch(`${base}/organizations/users?size=1`, init);
      const body = '{"status": 503, "times": 1}';
      const added = await fetch(`${base}/__mock/faults`, { ...init, method: 'POST', body });
      const cleared = await fetch(`${base}/__mock/faults`, { method: 'DELETE' });
      return [read.status, added.status, cleared.status, (await read.json()).content.length];
    }, mocks.stateless);
    expect(status).toEqual([200, 200, 200, 1]);
    const path =
      '/tables/9a3c5e70-1b2d-4f48-a6c9-8d7e6f5a4b01/records/2f4e6a80-3c5d-4b79-b8e1-1a2b3c4d5e01/attachments/e1d2c3b4-a596-4788-8c6b-5f4e3d2c1b01';
    const { link } = JSON.parse((await send(mocks.stateless, { path, headers: authorization })).body);
    const width = await page.evaluate(async (url) => {
      const image = Object.assign(new Image(), { src: url });
      await image.decode();
      return image.naturalWidth;
    }, link);
    expect(width).toBeGreaterThan(0);
  });
});

/** A site, which is called by any name. @returns its URL */
async function pageServer(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterAll(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}
