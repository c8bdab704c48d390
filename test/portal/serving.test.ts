import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import express from 'express';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import contract from '../../generated/openapi.json' with { type: 'json' };
import { buildClient, packPackage } from '../../scripts/client/package.ts';
import type { Contract } from '../../scripts/contract/source.ts';
import { contractPages } from '../../scripts/portal/contract/contract-pages.ts';
import type { Collection } from '../../scripts/portal/files/postman.ts';
import { buildPortal, findPortal } from '../../scripts/portal/main.ts';
import { downloadsText } from '../../scripts/portal/pages/downloads.ts';
import { errorCodesOf } from '../../server/src/contract/routes.ts';
import { builtPortal, PortalNotBuiltError } from '../../server/src/pages/built-portal.ts';
import { contractDocuments } from '../../server/src/pages/contract-documents.ts';
import { openedPortal, portal } from '../../server/src/pages/portal.ts';
import { openPortalSite } from '../../server/src/pages/portal-site.ts';
import { loadIndex, search } from '../../server/src/pages/search-index.js';
import { addressing, documentedAddresses } from '../../server/src/pages/served-addresses.ts';
import { servedPortal } from './support.ts';

const address = servedPortal({ consoleBaseUrl: 'https://sandbox.example.com' });
const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${address()}${path}`, { headers, redirect: 'manual' });

describe('the portal', () => {
  test('is built once for the same sources', async () => {
    const directory = await buildPortal();
    expect(await buildPortal()).toBe(directory);
    expect(await findPortal()).toBe(directory);
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
    for (const path of [
      '/docs',
      '/docs/reference',
      '/docs/reference/users',
      '/docs/redoc',
      '/docs/changelog',
    ]) {
      const policy = (await get(path)).headers.get('Content-Security-Policy') ?? '';
      expect(policy).toContain(`default-src 'none'`);
      expect(policy).not.toMatch(/script-src[^;]*unsafe|https?:/);
    }
  });

  test('redirects the console to the sandbox', async () => {
    const { status, headers } = await get('/docs/console');
    expect(status).toBe(302);
    expect(headers.get('Location')).toBe('https://sandbox.example.com/docs/console');
  });

  test('serves the client as npm packs it', async () => {
    const page = await (await get('/docs/downloads.md')).text();
    const [, path = ''] = /^npm install "\$BASE_URL(\/docs\/[\w.-]+\.tgz)"$/m.exec(page) ?? [];
    const served = await get(path);
    expect(served.headers.get('Content-Type')).toBe('application/gzip');
    // Read now: the server closes a connection that is idle during the build.
    const bytes = Buffer.from(await served.arrayBuffer());
    const directory = await mkdtemp(join(tmpdir(), 'wrp-packed-'));
    onTestFinished(() => rm(directory, { recursive: true, force: true }));
    await buildClient(join(directory, 'package'));
    const packed = await packPackage(join(directory, 'package'));
    expect(path).toBe(`/docs/${basename(packed)}`);
    expect(bytes.equals(await readFile(packed))).toBe(true);
  });

  test('serves the mock, which starts from its URL', async () => {
    const page = await (await get('/docs/downloads.md')).text();
    const [, path = ''] = /^npx --yes "\$BASE_URL(\/docs\/wrp-mock-[\d.]+\.tgz)"$/m.exec(page) ?? [];
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

  test('/ leads browsers to it, and responds to programs as any unknown path', async () => {
    const browser = await get('/', { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' });
    expect([browser.status, browser.headers.get('Location')]).toEqual([302, '/docs']);
    expect(browser.headers.get('Vary')).toContain('Accept');
    for (const Accept of ['application/json', '*/*']) {
      const program = await get('/', { Accept });
      expect([program.status, await program.json()]).toEqual([404, { errors: [] }]);
    }
  });

  test.each([
    ['invite user', "Add a member or change the member's role"],
    ['delete user', 'Terminate a user'],
    ['ban a user', 'Terminate a user'],
    ['2fa', "Reset a user's second factors"],
    ['two-factor', "Reset a user's second factors"],
    ['python', 'Python'],
    ['golang', 'Go'],
    ['sdk', 'TypeScript client'],
    ['claude', 'Agents'],
    ['file size limit', 'Upload'],
    ['pagination', 'Rules for all operations'],
    ['retry', 'Safe retries with an Idempotency-Key'],
    ['throttling', 'Rate limits'],
    ['stop workflow', 'Cancel a workflow execution'],
    ['verify webhook signature', 'Verify the signature'],
    ['login', 'Authentication'],
  ])('its search finds first for "%s": %s', async (query, title) => {
    const page = await (await get('/docs')).text();
    const [, indexPath = ''] = /data-search-index="([^"]+)"/.exec(page) ?? [];
    const index = loadIndex(await (await get(indexPath)).text());
    expect(search(index, query).map((result) => result.title)[0]).toBe(title);
  });

  test('the changelog has an Atom feed of the releases', async () => {
    const link =
      '<link rel="alternate" type="application/atom+xml" title="Changelog" href="/docs/changelog.atom">';
    expect(await (await get('/docs/changelog')).text()).toContain(link);
    const feed = await get('/docs/changelog.atom');
    expect(feed.headers.get('Content-Type')).toBe('application/atom+xml; charset=utf-8');
    const text = await feed.text();
    const [opened, closed] = [/<\w+(?: [^>]*[^/>])?>/g, /<\/\w+>/g].map((tag) => text.match(tag)?.length);
    expect(opened).toBe(closed);
    expect(text).toMatch(/<feed xmlns="http:\/\/www\.w3\.org\/2005\/Atom">\n<id>https?:/);
    const [, entry = ''] = /<entry>([\s\S]*?)<\/entry>/.exec(text) ?? [];
    expect(entry).toMatch(/<id>https?:\/\/\S+\/docs\/changelog#3-0-0<\/id>/);
    expect(entry).toContain('<updated>2026-11-21T00:00:00Z</updated>');
    expect(entry).toContain('<content type="html">&lt;p&gt;Released on 21 November 2026.');
    expect(entry).not.toMatch(/href=&quot;[/#]/);
  });

  test('search engines find every page of the sitemap, each with its address and a description', async () => {
    const robots = await (await get('/robots.txt')).text();
    expect(robots).toMatch(/^Allow: \/docs$/m);
    expect(robots).toMatch(/^Sitemap: http:\/\/127\.0\.0\.1:8080\/sitemap\.xml$/m);
    const sitemap = await (await get('/sitemap.xml')).text();
    const urls = [...sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url = '']) => url);
    expect(urls).toContain('http://127.0.0.1:8080/docs/quick-start');
    const descriptions = new Set<string>();
    for (const url of urls.filter((one) => !one.endsWith('/docs/console'))) {
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

  test("the home page shows a first request with the response of the contract's example", async () => {
    const text = (await (await get('/docs')).text()).replaceAll(/<[^>]+>/g, '').replaceAll('&quot;', '"');
    expect(text).toContain('curl "http://127.0.0.1:8080/organizations/workspaces"');
    expect(text).toContain(JSON.stringify(contract.components.examples.allWorkspaces.value, null, 2));
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

describe('with configured base URLs', () => {
  const addresses = {
    environment: 'sandbox' as const,
    baseUrls: { production: 'https://api.wrp.example', sandbox: 'https://sandbox.wrp.example/wrp' },
  };
  const addressed = servedPortal({ addresses });
  const read = async (path: string) => {
    const response = await fetch(`${addressed()}${path}`);
    expect(response.status, path).toBe(200);
    return { headers: response.headers, text: await response.text() };
  };

  test('every page has them, and no page differs otherwise', async () => {
    const index = await openPortalSite(await buildPortal());
    for (const { path, addressed: named, type } of index.files) {
      if (/^(?:image|application\/gzip)/.test(type) || ['/docs/not-found', '/docs/console'].includes(path))
        continue;
      const { text } = await read(path);
      expect(text, path).not.toMatch(/127\.0\.0\.1:808\d/);
      if (!named) expect(text, path).toBe(await (await get(path)).text());
    }
  });

  test('the quick start has its base URL, the command for its token, and ids of its objects', async () => {
    const { text } = await read('/docs/quick-start.md');
    expect(text).toContain('export BASE_URL=https://sandbox.wrp.example/wrp\n');
    expect(text).toContain('readFileSync(process.env.DEMO)).sandbox.organizationToken');
    expect(text).toContain(`TABLE_ID=${contract.components.parameters.TableId.example}`);
    const { text: page } = await read('/docs/quick-start');
    expect(page).toContain('BASE_URL=https://sandbox.wrp.example/wrp\n');
  });

  test('the quick start names the demo file of a platform on this machine, and of no other', () => {
    const local = { production: 'http://127.0.0.1:8480', sandbox: 'http://127.0.0.1:8481' };
    const shown = (baseUrls: typeof local, demoFile: string) =>
      addressing({ environment: 'production', baseUrls, demoFile })('export DEMO=".data/demo.json"');
    expect(shown(local, '/srv/my data/demo.json')).toBe('export DEMO="/srv/my data/demo.json"');
    expect(shown(addresses.baseUrls, '/srv/data/demo.json')).toBe('export DEMO=".data/demo.json"');
    for (const path of [
      '/srv/$(id)/demo.json',
      '/srv/"/demo.json',
      '/srv/<b>/demo.json',
      '/srv/`id`/demo.json',
    ])
      expect(shown(local, path)).toBe('export DEMO=".data/demo.json"');
  });

  test('the reference and llms.txt have both, and the Postman collection calls the sandbox', async () => {
    for (const path of ['/docs/reference', '/llms.txt']) {
      const { text } = await read(path);
      expect(text, path).toContain('https://api.wrp.example');
      expect(text, path).toContain('https://sandbox.wrp.example/wrp');
    }
    const { variable, info } = JSON.parse((await read('/docs/postman-collection.json')).text) as Collection;
    expect(variable?.[0]).toMatchObject({ key: 'baseUrl', value: addresses.baseUrls.sandbox });
    expect(JSON.stringify(info)).toContain('](https://sandbox.wrp.example/wrp/docs/quick-start)');
  });

  test('files with base URLs must be revalidated by caches', async () => {
    const [own, documented] = await Promise.all([read('/docs/quick-start'), get('/docs/quick-start')]);
    expect(own.headers.get('ETag')).not.toBe(documented.headers.get('ETag'));
    const cached = { 'If-None-Match': own.headers.get('ETag') ?? '', 'Cache-Control': 'max-age=0' };
    expect((await fetch(`${addressed()}/docs/quick-start`, { headers: cached })).status).toBe(304);
    const page = await read('/docs/redoc');
    const [, definition = ''] = /data-definition="([^"]+)"/.exec(page.text) ?? [];
    expect((await read(definition)).headers.get('Cache-Control')).toBe('no-cache');
  });

  test('the contract has them, and absolute links', async () => {
    const server = createServer(express().use(contractDocuments(contract, addresses)));
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    onTestFinished(() => void server.close());
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const json = await (await fetch(`${base}/openapi.json`)).json();
    expect(json.servers.map(({ variables }: Server) => Object.values(variables)[0]?.default)).toEqual([
      addresses.baseUrls.production,
      addresses.baseUrls.sandbox,
    ]);
    expect(json.info.description).toContain('](https://sandbox.wrp.example/wrp/docs/errors)');
    expect(JSON.stringify(json)).not.toMatch(/\]\(#?\/|127\.0\.0\.1:808\d/);
    expect(parse(await (await fetch(`${base}/openapi.yaml`)).text())).toEqual(json);
  });

  test("replaces the base URLs of the contract's servers", () => {
    const documented = (contract.servers as Server[]).map(
      ({ variables }) => Object.values(variables)[0]?.default,
    );
    expect(documented).toEqual([documentedAddresses.production, documentedAddresses.sandbox]);
  });
});

type Operation = { operationId: string; summary: string; tags: string[] };
type Server = { variables: Record<string, { default: string }> };

describe('for programs', () => {
  /** Links in texts for programs are absolute. */
  const withoutBase = (markdown: string) =>
    markdown.replaceAll(`](${documentedAddresses.production}/`, '](/');
  const text = async (path: string) => {
    const response = await get(path);
    expect(response.status, path).toBe(200);
    return response.text();
  };

  test('every page is available as Markdown, and llms.txt links to each', async () => {
    const llms = withoutBase(await text('/llms.txt'));
    expect(llms).toMatch(/^# .+\n\n> .+/);
    const links = [...llms.matchAll(/\]\((\/[^)]+)\)/g)].map(([, path = '']) => path);
    const named = contract.tags
      .map(({ name }) => name)
      .filter((name) => links.some((link) => link.endsWith(`/${name}.md`)));
    expect(named).toEqual(contract.tags.map(({ name }) => name));
    for (const path of links.filter((link) => link.startsWith('/docs'))) {
      expect(await text(path), path).toMatch(/^# /);
    }
    expect(await text('/llms-full.txt')).toContain('`POST /organizations/users/{userId}/reinstate`');
  });

  test('the overview of the reference links to each operation', async () => {
    const links = [
      ...withoutBase(await text('/docs/reference.md')).matchAll(/\]\((\/docs\/reference\/[^)#]+)#([^)]+)\)/g),
    ];
    expect(links).toHaveLength(32 + Object.keys(contract.webhooks).length);
    for (const [, path = '', id] of links) expect(await text(path), path).toContain(`<a id="${id}"></a>`);
  });

  test('the page of the client has every method with its signature and its errors', async () => {
    const [, methods = ''] = withoutBase(await text('/docs/client.md')).split('## All methods');
    const documented = Object.values(contract.paths).flatMap((path) => Object.values(path) as Operation[]);
    for (const { operationId, summary, tags } of documented.filter((one) => one.operationId)) {
      expect(methods).toContain(`Options<'${operationId}'`);
      expect(methods).toContain(`[${summary}](/docs/reference/${tags[0]}.md#${operationId})`);
    }
    const [, method = ''] = methods.split('#### users.reinstate');
    const [reinstate = ''] = method.split('####');
    expect(reinstate).toContain("users.reinstate(\n  userId: string,\n  body: BodyOf<'reinstateUser'>,\n");
    expect(reinstate).toMatch(/^- `ConflictError` \([^)]*`user_not_terminated`/m);
  });

  test('the Markdown of an operation has its permission, parameters, fields, codes and samples', async () => {
    const users = await text('/docs/reference/users.md');
    const [, reinstate = ''] = users.split('## Reinstate a terminated user');
    for (const part of [
      '**Permission:** `can_manage_users`',
      '| `userId` | path, string (uuid) required |',
      '| `profile.lastSignedInAt` | string (date-time) or null |',
      '| `roleId` |',
      '`user_not_terminated`',
      '| `profile.firstName` |',
      '```ts\n',
      '```sh\n',
    ]) {
      expect(reinstate).toContain(part);
    }
  });
});

test.each([
  ['quick-start', 3],
  ['authentication', 3],
  ['uploads', 5],
  ['running-workflows', 2],
  ['going-live', 1],
  ['agents', 0],
])(
  'the guide %s shows %i requests in cURL, Python and Go, and its Markdown in cURL alone',
  async (name, count) => {
    const page = await (await get(`/docs/${name}`)).text();
    const groups = page.split('<fieldset class="tabs">').slice(1);
    const offered = groups.map((group) => [...group.matchAll(/ value="(\w+)"/g)].map(([, label]) => label));
    expect(offered).toEqual(Array(count).fill(['cURL', 'Python', 'Go']));
    expect(await (await get(`/docs/${name}.md`)).text()).not.toContain('import requests');
  },
);

describe('the navigation at the top', () => {
  const marked = async (path: string) => {
    const text = await (await get(path)).text();
    return /<nav class="places"[^>]*>.*?<\/nav>/s.exec(text)?.[0].match(/(?<=aria-current="\w+">)\w+/)?.[0];
  };

  test.each([
    ['/docs', 'Guides'],
    ['/docs/errors', 'Guides'],
    ['/docs/reference/users', 'Reference'],
    ['/docs/changelog', 'Changelog'],
    ['/docs/downloads', undefined],
    ['/docs/client', undefined],
    ['/docs/not-found', undefined],
  ])('marks, on %s, %s', async (path, name) => {
    expect(await marked(path)).toBe(name);
  });
});

test('the changelog links operations, events, error codes and guides to where they are described', async () => {
  const page = await (await get('/docs/changelog')).text();
  expect(page).toContain('<a href="/docs/reference/users#listUsers"><code>listUsers</code></a>');
  expect(page).toContain('<a href="/docs/errors#sandbox_only"><code>sandbox_only</code></a>');
  expect(page).toContain('<a href="/docs/agents">Guide “Agents”</a>');
});

describe('the reference, without scripts', () => {
  const groups = contractPages(contract as unknown as Contract).groups;
  const page = async (path: string) => (await get(path)).text();

  test.each(groups)(
    'has every operation or event of $name in full, each error code once',
    async ({ name, routes }) => {
      const sections = (await page(`/docs/reference/${name}`)).split('<section class="operation"').slice(1);
      expect(sections).toHaveLength(routes.length);
      for (const [index, { operation, path, isEvent }] of routes.entries()) {
        const section = sections[index] ?? '';
        expect(section).toContain(`<h2 id="${operation.operationId}">`);
        expect(section.replaceAll('<wbr>', '')).toContain(`<code>${path}</code>`);
        const codes = Object.values(operation.responses).flatMap(errorCodesOf);
        const shown = [...section.matchAll(/<dd><a href="\/docs\/errors#([a-z_]+)">/g)].map(
          ([, code]) => code,
        );
        expect(shown.sort(), operation.operationId).toEqual([...new Set(codes)].sort());
        if (isEvent) continue;
        expect(section.split('Permission</a>'), operation.operationId).toHaveLength(2);
        expect(section).toContain(
          `<a href="/docs/console#/${name}/${operation.operationId}">Try it in the console</a>`,
        );
        expect(section).toContain('value="cURL" checked>cURL');
        expect(section).toContain('value="TypeScript">TypeScript');
      }
    },
  );

  test('states types and limits in words', async () => {
    const files = await page('/docs/reference/resources');
    expect(files).toContain('file, at most 5 GiB');
    const text = (await page('/docs/reference/users')).replaceAll(/<[^>]+>/g, '');
    expect(text).toContain('path, string (uuid) required');
    expect(text).toContain('query, integer, 1 to 100, default 20');
    expect(text).toContain('string (email), 3 to 254 characters');
    expect(text).toContain('list of objects, at most 100 items');
    expect(text).not.toContain('A UUID in its canonical form');
    expect(text).not.toContain('A timestamp in ISO 8601 format');
    expect(await page('/docs/reference/webhooks')).toContain('Identifier of the event. Repeated deliveries');
    // Received fields are marked only if they can be missing.
    expect(text).not.toMatch(/totalPages\s+integer required/);
    const markdown = await page('/docs/reference/users.md');
    expect(markdown).toMatch(/totalPages` \| integer[^|]* \|/);
    expect(markdown).not.toMatch(/totalPages` \| integer[^|]*required/);
    for (const { name } of groups) expect(await page(`/docs/reference/${name}`)).not.toContain('[object ');
  });

  test('lists what every event has once', async () => {
    for (const path of ['/docs/reference/webhooks', '/docs/reference/webhooks.md']) {
      const text = await page(path);
      expect(text.split('A detached JWS (RFC 7515, appendix F)'), path).toHaveLength(2);
    }
  });

  test('shows an example of what the sample of a webhook key returns', async () => {
    const text = await page('/docs/reference/webhooks.md');
    const [, key = ''] = text.split('## Get a webhook public key');
    expect(key).toContain('curl "$BASE_URL/auth/webhooks/key/$KEY_ID"');
    expect(key).toMatch(/Media type: text\/plain\n\n```\nM/);
  });

  test('is small: no page exceeds 20 kB compressed', async () => {
    for (const path of ['/docs/reference', ...groups.map(({ name }) => `/docs/reference/${name}`)]) {
      const { headers } = await get(path, { 'Accept-Encoding': 'br' });
      expect(Number(headers.get('Content-Length')), path).toBeLessThan(20_000);
    }
  });

  test('has no anchor twice on a page', async () => {
    for (const { name } of groups) {
      const ids = [...(await page(`/docs/reference/${name}`)).matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
      expect(ids, name).toEqual([...new Set(ids)]);
    }
  });
});
