import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { describe, expect, onTestFinished, test } from 'vitest';
import contract from '../../generated/openapi.json' with { type: 'json' };
import { buildPortal } from '../../scripts/portal/main.ts';
import { downloadsText } from '../../scripts/portal/pages/downloads.ts';
import { findBuilt } from '../../scripts/prepare/built-portal.ts';
import { sourcesDigest } from '../../scripts/prepare/portal-digest.mjs';
import { openedPortal, portal } from '../../server/src/pages/portal.ts';
import { builtPortal, openPortalSite, PortalNotBuiltError } from '../../server/src/pages/portal-site.ts';
import { requestsTo, servedPortal } from './support.ts';

const address = servedPortal();
const get = requestsTo(address);

describe('the portal', () => {
  test('is built once for the same sources', async () => {
    const directory = await buildPortal();
    expect(await buildPortal()).toBe(directory);
    expect(await findBuilt(sourcesDigest())).toBe(directory);
  });

  test('is the one that the server opens', async () => {
    const site = await openPortalSite(await buildPortal());
    expect((await builtPortal()).files).toEqual(site.files);
  });

  test('returns 404 until it is built: the build command to browsers, an error object to programs', async () => {
    const app = express().use(
      portal(openedPortal(() => Promise.reject(new PortalNotBuiltError()))),
      (_request, response) => void response.status(404).json({ errors: [] }),
    );
    const server = createServer(app);
    onTestFinished(() => void server.close());
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const docs = `http://127.0.0.1:${(server.address() as AddressInfo).port}/docs`;
    const page = await fetch(docs, { headers: { Accept: 'text/html' } });
    expect(page.status).toBe(404);
    expect(await page.text()).toContain('<code>npm run portal</code>');
    const program = await fetch(docs, { headers: { Accept: 'application/json' } });
    expect(await program.json()).toEqual({ errors: [] });
  });

  test('is compressed, and revalidated with an ETag', async () => {
    const first = await get('/docs/quick-start', { 'Accept-Encoding': 'gzip, deflate, br' });
    expect(first.headers.get('Content-Encoding')).toBe('br');
    expect(Number(first.headers.get('Content-Length'))).toBeLessThan(20_000);
    const etag = first.headers.get('ETag') ?? '';
    // With the default, fetch would bypass the cache.
    const cached = { 'If-None-Match': etag, 'Cache-Control': 'max-age=0' };
    expect((await get('/docs/quick-start', cached)).status).toBe(304);
    const plain = await get('/docs/quick-start', { 'Accept-Encoding': 'identity' });
    expect(plain.headers.get('Content-Encoding')).toBeNull();
    expect(await plain.text()).toBe(await first.text());
  });

  test('loads scripts and styles from immutable URLs', async () => {
    const page = await (await get('/docs')).text();
    const assets = [...page.matchAll(/(?:src|href)="(\/docs\/assets\/[^"]+)"/g)].map(([, path = '']) => path);
    expect(assets.length).toBeGreaterThan(4);
    for (const path of assets) {
      const response = await get(path);
      expect(response.status, path).toBe(200);
      expect(response.headers.get('Cache-Control')).toContain('immutable');
    }
  });

  test('allows only its own scripts', async () => {
    const policyOf = async (path: string) => (await get(path)).headers.get('Content-Security-Policy') ?? '';
    for (const path of ['/docs', '/docs/reference', '/docs/redoc', '/docs/changelog']) {
      const policy = await policyOf(path);
      expect(policy).toContain(`default-src 'none'`);
      expect(policy).not.toMatch(/script-src[^;]*unsafe|https?:/);
    }
    // Try it also calls a mock on the reader's machine.
    const policy = await policyOf('/docs/reference/users');
    expect(policy).toContain(`connect-src 'self' http://127.0.0.1:* http://localhost:*;`);
    expect(policy.replace(/connect-src[^;]*/, '')).not.toMatch(/unsafe|https?:/);
  });

  test('redirects the former console to the reference', async () => {
    const { status, headers } = await get('/docs/console');
    expect([status, headers.get('Location')]).toEqual([301, '/docs/reference']);
  });

  test('serves each package that a page or a file names, of this version', async () => {
    const site = await openPortalSite(await buildPortal());
    const texts = site.files.filter(({ type }) => /^text\/|json/.test(type));
    const named = new Map<string, string>();
    for (const file of texts)
      for (const [name] of String(await site.read(file, undefined)).matchAll(
        /wrp-[\w-]+[-/]\d+\.\d+\.\d+(\.tgz)?/g,
      ))
        named.set(name, file.path);
    expect(named.size).toBeGreaterThan(3);
    for (const [name, path] of named) {
      expect(name, path).toContain(contract.info.version);
      if (name.endsWith('.tgz')) expect(site.find(`/docs/${name}`), `${path} names ${name}`).toBeDefined();
    }
  });

  test('serves the mock, which starts from its URL', async () => {
    const page = await (await get('/docs/downloads.md')).text();
    const [, path = ''] = /^npx --yes "\$WRP_BASE_URL(\/docs\/wrp-mock-[\d.]+\.tgz)"$/m.exec(page) ?? [];
    const served = await get(path);
    expect(served.headers.get('Content-Type')).toBe('application/gzip');
    expect((await served.arrayBuffer()).byteLength).toBeGreaterThan(1_000_000);
  });

  test('names the commands that pack the client and the mock if they could not be packed', () => {
    const text = downloadsText('3.0.0', {});
    expect(text).toMatch(/client:pack[\s\S]*mock:pack/);
    expect(text).not.toMatch(/npm install|npx|undefined/);
  });

  test("returns 404 for an unknown path: a page to browsers, the platform's error to programs", async () => {
    const page = await get('/docs/nothing', { Accept: 'text/html' });
    expect(page.status).toBe(404);
    const text = await page.text();
    expect(text).toContain('Page not found');
    // It has no address of its own.
    expect(text).not.toMatch(/rel="canonical"|not-found\.md/);
    expect(await (await get('/docs/nothing', { Accept: 'application/json' })).json()).toEqual({ errors: [] });
  });

  test('/ leads readers to it, and responds to programs as any unknown path', async () => {
    for (const Accept of [
      'text/html,application/xhtml+xml,*/*;q=0.8',
      'text/markdown',
      'application/xml;q=0.9, text/html;q=0.5',
    ]) {
      const reader = await get('/', { Accept });
      expect([reader.status, reader.headers.get('Location')]).toEqual([302, '/docs']);
      expect(reader.headers.get('Vary')).toContain('Accept');
    }
    for (const Accept of [
      'application/json',
      '*/*',
      'application/xml',
      'application/problem+json',
      'image/png',
      'text/plain',
      'application/json, text/html;q=0.5',
    ]) {
      const program = await get('/', { Accept });
      expect([program.status, await program.json()]).toEqual([404, { errors: [] }]);
    }
  });

  test('search engines find every page of the sitemap, each with its address and a description', async () => {
    const robots = await (await get('/robots.txt')).text();
    expect(robots).toMatch(/^Allow: \/docs$/m);
    expect(robots).toMatch(/^Sitemap: http:\/\/127\.0\.0\.1:8080\/sitemap\.xml$/m);
    const sitemap = await (await get('/sitemap.xml')).text();
    const urls = [...sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url = '']) => url);
    expect(urls).toContain('http://127.0.0.1:8080/docs/quick-start');
    const descriptions = new Set<string>();
    for (const url of urls) {
      const page = await (await get(new URL(url).pathname)).text();
      expect(page, url).toContain(`<link rel="canonical" href="${url}">`);
      const [, description = ''] = /<meta name="description" content="([^"]+)">/.exec(page) ?? [];
      expect(description.length, url).toBeGreaterThan(20);
      expect(descriptions, url).not.toContain(description);
      descriptions.add(description);
    }
  });

  test('transfers at most 150 kB for a page of prose with its scripts and styles', async () => {
    const sizeOf = async (path: string) => {
      const response = await get(path, { 'Accept-Encoding': 'br' });
      return { size: Number(response.headers.get('Content-Length')), text: await response.text() };
    };
    for (const path of ['/docs', '/docs/quick-start', '/docs/operations', '/docs/changelog']) {
      const { size, text } = await sizeOf(path);
      const loaded = [...text.matchAll(/(?:src|href)="(\/docs\/assets\/[^"]+)"/g)].map(
        ([, asset = '']) => asset,
      );
      const sizes = await Promise.all(loaded.map(async (asset) => (await sizeOf(asset)).size));
      expect(
        sizes.reduce((sum, one) => sum + one, size),
        path,
      ).toBeLessThan(150_000);
    }
  });
});

describe('a page as Markdown', () => {
  const own = servedPortal();
  const read = (path: string, accept: string) => fetch(`${own()}${path}`, { headers: { Accept: accept } });

  test('is served for Accept: text/markdown, with Vary: Accept', async () => {
    const { files } = await openPortalSite(await buildPortal());
    const pages = files.filter(
      ({ path, type }) => type.startsWith('text/html') && path !== '/docs/not-found',
    );
    expect(pages.length).toBeGreaterThan(20);
    for (const { path } of pages) {
      const page = await read(path, 'text/html');
      expect(page.headers.get('Content-Type'), path).toMatch(/^text\/html/);
      expect(page.headers.get('Vary'), path).toMatch(/\bAccept\b(?!-)/);
      const negotiated = await read(path, 'text/markdown');
      expect(negotiated.headers.get('Content-Type'), path).toBe('text/markdown; charset=utf-8');
      expect(negotiated.headers.get('Vary'), path).toMatch(/\bAccept\b(?!-)/);
      const file = path === '/docs' ? '/docs/index.md' : `${path}.md`;
      expect(await negotiated.text(), path).toBe(await (await get(file)).text());
    }
  });

  test('is not what browsers and programs without a preference get', async () => {
    for (const Accept of [
      'text/html,application/xhtml+xml,*/*;q=0.8',
      '*/*',
      'text/html, text/markdown;q=0.5',
    ])
      expect((await get('/docs/errors', { Accept })).headers.get('Content-Type'), Accept).toMatch(
        /^text\/html/,
      );
  });
});
