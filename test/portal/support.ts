import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import express from 'express';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { buildPortal } from '../../scripts/portal/main.ts';
import { portal } from '../../server/src/pages/portal.ts';
import { openPortalSite } from '../../server/src/pages/portal-site.ts';
import { launchBrowser } from '../support/browser.ts';
import { hangBound } from '../support/hang-bound.ts';

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

/**
 * Opens pages in one browser; a page that asks elsewhere, or of which the console complains, fails its test. A page
 * that is opened in a test is closed after it, one that `beforeAll` opens stays for all tests of the file.
 */
export function readers(address: () => string) {
  let browser: Browser;
  let opened: Page[] = [];
  let inTest = false;
  const faults: string[] = [];
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());
  beforeEach(() => {
    inTest = true;
  });
  afterEach(async () => {
    inTest = false;
    await Promise.all(opened.map((page) => page.context().close()));
    opened = [];
    expect(faults.splice(0), 'complaints of the console, and requests beside the portal').toEqual([]);
  });

  /** @param allowed other origins that a page may call */
  return async (path: string, options: BrowserContextOptions = {}, allowed: string[] = []): Promise<Page> => {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
    context.setDefaultTimeout(hangBound(30_000));
    const page = await context.newPage();
    if (inTest) opened.push(page);
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

/** Shows the page to another reader, without loading it anew. */
export async function showAs(
  page: Page,
  colorScheme: 'light' | 'dark',
  viewport: { width: number; height: number },
): Promise<void> {
  await page.setViewportSize(viewport);
  await page.emulateMedia({ colorScheme });
  // The colours follow from a class that a script changes.
  await page.locator(`html.${colorScheme}`).waitFor({ state: 'attached' });
  // Colours fade into each other; on the way they are neither.
  await page.evaluate(async () => {
    await new Promise(requestAnimationFrame);
    await Promise.allSettled(document.getAnimations().map(({ finished }) => finished));
  });
}

/** What axe finds, a line for each rule and its first place. @param part where it looks, by default everywhere */
export async function violations(page: Page, part = ':root'): Promise<string[]> {
  if (!(await page.evaluate(`'axe' in window`))) await page.evaluate(axe);
  const found = await page.evaluate(`axe.run('${part}', { resultTypes: ['violations'] })`);
  const { violations: all } = found as { violations: { id: string; nodes: { html: string }[] }[] };
  return all.map(({ id, nodes }) => `${id}: ${nodes.length} times, such as ${nodes[0]?.html}`);
}

/** The width that the page takes, in CSS pixels. */
export function widthOf(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth);
}
