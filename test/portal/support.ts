import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import express from 'express';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { buildPortal } from '../../scripts/portal/main.ts';
import { openedPortal, portal } from '../../server/src/pages/portal.ts';
import { openPortalSite } from '../../server/src/pages/portal-site.ts';
import type { ServedAddresses } from '../../server/src/pages/served-addresses.ts';
import { launchBrowser } from '../support/browser.ts';
import { scaledTimeout } from '../support/timeout.ts';

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Serves the portal as the platform does, until the test file ends. @returns its URL */
export function servedPortal({ addresses }: { addresses?: ServedAddresses } = {}): () => string {
  const app = express().disable('etag');
  app.use(portal(openedPortal(async () => openPortalSite(await buildPortal()), addresses)));
  app.use((_request, response) => void response.status(404).json({ errors: [] }));
  const server = createServer(app);
  beforeAll(() => new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening)));
  afterAll(() => void server.close());
  return () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** GET requests that follow no redirects. */
export const requestsTo =
  (address: () => string) =>
  (path: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${address()}${path}`, { headers, redirect: 'manual' });

/**
 * Opens pages in one browser. A request to another origin, a console error or warning, or what
 * the page's policy refuses fails the test. A page that a test opens is closed after it;
 * one that `beforeAll` opens stays for all tests of the file.
 */
export function readers(address: () => string) {
  let browser: Browser;
  let opened: Page[] = [];
  let inTest = false;
  const errors: string[] = [];
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
    expect(errors.splice(0), 'console errors, and requests to other origins').toEqual([]);
  });

  /**
   * @param allowed other origins that a page may call
   * @param state.isMissing the browser reports that there is no such page
   * @param state.expected errors of the console that a test causes
   */
  return async (
    path: string,
    options: BrowserContextOptions = {},
    allowed: string[] = [],
    { isMissing = false, expected }: { isMissing?: boolean; expected?: RegExp } = {},
  ): Promise<Page> => {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
    context.setDefaultTimeout(scaledTimeout(30_000));
    const page = await context.newPage();
    if (inTest) opened.push(page);
    await page.addInitScript(() =>
      addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
        console.error(`The policy refuses ${violatedDirective} ${blockedURI}`),
      ),
    );
    page.on('pageerror', (error) => errors.push(error.message));
    page.on('console', (message) => {
      if (isMissing && message.location().url === `${address()}${path}`) return;
      if (expected?.test(message.text())) return;
      if (['error', 'warning'].includes(message.type())) errors.push(message.text());
    });
    page.on('request', (request) => {
      const { origin, protocol } = new URL(request.url());
      if (protocol.startsWith('http') && ![address(), ...allowed].includes(origin))
        errors.push(request.url());
    });
    await page.goto(`${address()}${path}`);
    return page;
  };
}

/** Changes color scheme and viewport without reloading the page. */
export async function showAs(
  page: Page,
  colorScheme: 'light' | 'dark',
  viewport: { width: number; height: number },
): Promise<void> {
  await page.setViewportSize(viewport);
  await page.emulateMedia({ colorScheme });
  // A script sets the class that selects the colours.
  await page.locator(`html.${colorScheme}`).waitFor({ state: 'attached' });
  // Wait for transitions: axe would measure intermediate colours.
  await page.evaluate(async () => {
    await new Promise(requestAnimationFrame);
    await Promise.allSettled(document.getAnimations().map(({ finished }) => finished));
  });
}

/** The violations that axe finds, one line for each rule, with its first node. @param part default: the whole page */
export async function violations(page: Page, part = ':root'): Promise<string[]> {
  if (!(await page.evaluate(`'axe' in window`))) await page.evaluate(axe);
  const found = await page.evaluate(`axe.run('${part}', { resultTypes: ['violations'] })`);
  const { violations: all } = found as { violations: { id: string; nodes: { html: string }[] }[] };
  return all.map(({ id, nodes }) => `${id}: ${nodes.length} times, such as ${nodes[0]?.html}`);
}

/** The width of the page's content, in CSS pixels. */
export function widthOf(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth);
}
