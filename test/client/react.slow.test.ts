/** The client with Vite, React, TanStack Query, openapi-react-query and MSW, in a real browser. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { operations } from '@wrp/client/operations';
import type { Browser, Page } from 'playwright-core';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exampleMock } from '../../scripts/mock/examples/server.ts';
import { served, theBundle } from '../mock/support.ts';
import { api } from '../support/api.ts';
import { launchBrowser } from '../support/browser.ts';
import { scaledTimeout } from '../support/timeout.ts';

const types: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript' };
const worker = createRequire(import.meta.url).resolve('msw/mockServiceWorker.js');
const { baseUrl, given, world, owner } = await api({ clock: 'running' });
const other = await given.user({ organization: world.organization });
const { totalPages, content } = await operations(owner).users.list({ query: { size: 2 } });
const email = content[0]?.email;

let directory = '';
let browser: Browser;
const pages = createServer(async ({ url = '/' }, response) => {
  const { pathname } = new URL(url, 'http://127.0.0.1');
  const file =
    pathname === '/mockServiceWorker.js'
      ? worker
      : join(directory, pathname === '/' ? 'index.html' : pathname);
  const content = await readFile(file).catch(() => undefined);
  response
    .writeHead(content ? 200 : 404, { 'Content-Type': types[extname(file)] ?? 'text/plain' })
    .end(content);
});

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'wrp-react-'));
  const root = join(import.meta.dirname, 'react');
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    build: { outDir: directory, emptyOutDir: true },
  });
  await new Promise<void>((listening) => pages.listen(0, '127.0.0.1', listening));
  browser = await launchBrowser();
}, scaledTimeout(60_000));
afterAll(async () => {
  await browser?.close();
  pages.close();
  await rm(directory, { recursive: true, force: true });
});

async function open(query: Record<string, string> = {}): Promise<Page> {
  const page = await browser.newPage();
  page.setDefaultTimeout(scaledTimeout(20_000));
  const { port } = pages.address() as AddressInfo;
  await page.goto(`http://127.0.0.1:${port}/?${new URLSearchParams(query)}`);
  return page;
}

describe('a page with React and TanStack Query', () => {
  test('shows the users of the platform, page by page, and reports a refused change', async () => {
    const page = await open({ api: baseUrl, token: world.owner.token });
    await page.getByText(`Page 1 of ${totalPages}`).waitFor();
    // The last owner cannot be terminated.
    await page.getByRole('button', { name: `Terminate ${email}` }).click();
    expect(await page.getByRole('alert').textContent()).toMatch(/^[a-z_]+$/);
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText(`Page 2 of ${totalPages}`).waitFor();
  });

  test('updates the list after a change', async () => {
    const page = await open({ api: baseUrl, token: world.owner.token });
    const terminate = page.getByRole('button', { name: `Terminate ${other.email}` });
    while (!(await terminate.isVisible())) {
      const shown = await page.getByRole('heading').textContent();
      await page.getByRole('button', { name: 'Next' }).click();
      await page
        .getByRole('heading')
        .filter({ hasNotText: shown ?? '' })
        .waitFor();
    }
    await terminate.click();
    await page.getByText(`${other.email} TERMINATED`).waitFor();
  });

  test('shows the code of an error', async () => {
    const page = await open({ api: baseUrl, token: `tot_${'a'.repeat(38)}` });
    expect(await page.getByRole('alert').first().textContent()).toBe('credentials_invalid');
  });

  test('shows the examples of the contract with the handlers of @wrp/client/msw', async () => {
    const page = await open();
    await page.getByRole('heading', { name: /^Page 1 of/ }).waitFor();
    expect(await page.getByRole('listitem').count()).toBeGreaterThan(0);
  });

  test('reads a list with a cursor to its end', async () => {
    const mock = await exampleMock(await theBundle());
    const page = await open({ api: await served(mock.listener), token: 'any' });
    const more = page.getByRole('button', { name: 'More', exact: true });
    for (const count of [20, 40]) {
      await page.getByText(`${count} executions`).waitFor();
      await more.click();
    }
    await page.getByText('45 executions').waitFor();
    expect(await more.isVisible()).toBe(false);
  });
});
