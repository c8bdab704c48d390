import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import express from 'express';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, vi } from 'vitest';
import { buildPortal } from '../../scripts/portal.ts';
import { portal } from '../../server/src/pages/portal.ts';
import { openPortalSite } from '../../server/src/pages/portal-site.ts';
import { launchBrowser } from '../support/browser.ts';

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The portal as the platform serves it, for one test file. @returns its address */
export function servedPortal(options: Parameters<typeof portal>[1] = {}): () => string {
  const app = express().disable('etag');
  app.use(portal(async () => openPortalSite(await buildPortal()), options));
  app.use((_request, response) => void response.status(404).json({ errors: [] }));
  const server = createServer(app);
  beforeAll(() => new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening)));
  afterAll(() => void server.close());
  return () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Opens pages in one browser; a page that asks elsewhere, or of which the console complains, fails its test. */
export function readers(address: () => string) {
  let browser: Browser;
  let opened: Page[] = [];
  const faults: string[] = [];
  // A browser is slow where a machine does much else at the same time.
  vi.setConfig({ testTimeout: 60_000 });
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());
  afterEach(async () => {
    await Promise.all(opened.map((page) => page.context().close()));
    opened = [];
    expect(faults.splice(0), 'complaints of the console, and requests beside the portal').toEqual([]);
  });

  /** @param allowed other origins that a page may call */
  return async (path: string, options: BrowserContextOptions = {}, allowed: string[] = []): Promise<Page> => {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
    const page = await context.newPage();
    opened.push(page);
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) faults.push(message.text());
    });
    page.on('request', (request) => {
      const { origin, protocol } = new URL(request.url());
      if (protocol.startsWith('http') && ![address(), ...allowed].includes(origin))
        faults.push(request.url());
    });
    await page.goto(`${address()}${path}`);
    return page;
  };
}

/** What axe finds, a line for each rule and its first place. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const found = await page.evaluate(`axe.run({ resultTypes: ['violations'] })`);
  const { violations: all } = found as { violations: { id: string; nodes: { html: string }[] }[] };
  return all.map(({ id, nodes }) => `${id}: ${nodes.length} times, such as ${nodes[0]?.html}`);
}

/** The width that the page takes, in CSS pixels. */
export function widthOf(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth);
}
