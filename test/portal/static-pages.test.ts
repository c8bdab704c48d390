import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildPortal } from '../../scripts/portal/main.ts';
import { writeStaticPages } from '../../scripts/portal/static-pages.ts';
import { launchBrowser } from '../support/browser.ts';

const output = await mkdtemp(join(tmpdir(), 'wrp-static-'));
beforeAll(async () => writeStaticPages(await buildPortal(), output));
afterAll(() => rm(output, { recursive: true }));

describe('the static pages of the portal', () => {
  test('lead to each other, in whatever folder they are', async () => {
    const names = await readdir(output, { recursive: true });
    const pages = names.filter((name) => name.endsWith('.html') && name !== 'index.html');
    const missing = new Set<string>();
    for (const page of pages) {
      const text = await readFile(join(output, page), 'utf8');
      for (const [, address = ''] of text.matchAll(/ (?:href|src|data-(?:path|search-index))="([^"]*)"/g)) {
        const [path = ''] = address.split(/[?#]/);
        if (path === '' || /^[a-z]+:/.test(path)) continue;
        const target = path.startsWith('/') ? path : posix.join(posix.dirname(page), path);
        if (!names.includes(target)) missing.add(target);
      }
    }
    // Only a platform serves them.
    expect([...missing].sort()).toEqual(['/mcp', '/openapi-for-generators.json', '/openapi.yaml']);
  });

  test('can be read and searched on any server, and read without one', async () => {
    const types: Record<string, string> = { html: 'text/html', js: 'text/javascript', css: 'text/css' };
    const server = createServer(async ({ url = '' }, response) => {
      const name = decodeURIComponent(url.replace(/^\/some\/folder\/|[?#].*/g, ''));
      const body = await readFile(join(output, name)).catch(() => undefined);
      const type = types[name.split('.').at(-1) ?? ''] ?? 'application/json';
      response.writeHead(body ? 200 : 404, { 'Content-Type': type }).end(body);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const browser = await launchBrowser();
    try {
      const page = await browser.newPage();
      const failed: string[] = [];
      page.on('response', (response) => void (response.ok() || failed.push(response.url())));
      await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/some/folder/index.html`);
      await page.waitForURL(/docs\/reference\.html$/);
      await page.keyboard.press('/');
      await page.keyboard.type('reinstate');
      await page.locator('.results a').first().click();
      await page.waitForURL(/\/some\/folder\/docs\/reference\/users\.html#/);
      expect(failed).toEqual([]);
      await page.goto(pathToFileURL(join(output, 'docs/reference/users.html')).href);
      expect(await page.locator('h1').textContent()).toContain('Users');
      const styled = await page.evaluate(() => getComputedStyle(document.body).fontFamily);
      expect(styled).not.toMatch(/^"?Times/);
    } finally {
      await browser.close();
      server.close();
    }
  });
});
