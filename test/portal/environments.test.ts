import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import contract from '../../generated/openapi.json' with { type: 'json' };
import { buildPortal } from '../../scripts/portal/main.ts';
import type { EnvironmentName } from '../../server/src/config.ts';
import { contractDocuments } from '../../server/src/pages/contract-documents.ts';
import { openPortalSite } from '../../server/src/pages/portal-site.ts';
import {
  namedAddresses,
  namesAddresses,
  shownIn,
  urlRewriter,
} from '../../server/src/pages/served-addresses.ts';
import { servedPortal } from './support.ts';

const baseUrls = { production: 'https://live.example', sandbox: 'https://try.example/wrp' };
const names = ['production', 'sandbox'] as const;
const portals = {
  production: servedPortal({ addresses: { environment: 'production', baseUrls } }),
  sandbox: servedPortal({ addresses: { environment: 'sandbox', baseUrls } }),
};
const none = servedPortal();

const documents = Object.fromEntries(
  names.map((environment) => {
    const app = express().use(contractDocuments(contract, { environment, baseUrls }));
    return [environment, createServer(app)];
  }),
) as Record<EnvironmentName, ReturnType<typeof createServer>>;
beforeAll(async () => {
  for (const server of Object.values(documents))
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
});
afterAll(() => {
  for (const server of Object.values(documents)) server.close();
});
const contractPaths = ['/openapi.json', '/openapi.yaml', '/openapi-without-webhooks.json'];

async function read(environment: EnvironmentName, path: string): Promise<string> {
  const base = contractPaths.includes(path)
    ? `http://127.0.0.1:${(documents[environment].address() as AddressInfo).port}`
    : portals[environment]();
  const response = await fetch(`${base}${path}`, { headers: { Accept: 'text/html, */*;q=0.5' } });
  expect([200, path === '/docs/not-found' ? 404 : 200], path).toContain(response.status);
  return response.text();
}

/** The same text on one line, without the markup of code and the escapes of JSON. */
const plain = (text: string) =>
  text
    .replaceAll(/<\/?(?:span|code|wbr)\b[^>]*>/g, '')
    .replaceAll(/&quot;|\\"/g, '"')
    .replaceAll('&#x27;', "'")
    .replaceAll(/(?:\s|\\n)+/g, ' ');

const [live, tried] = [baseUrls.production, baseUrls.sandbox].map((url) => url.replaceAll('.', '\\.'));
/** What names the other environment on purpose. */
const intended: [why: string, pattern: string][] = [
  ['the switch of the header leads there', '<a class="switch"[^>]*>'],
  [
    'search engines are to find the pages of production alone',
    `<link rel="canonical"[^>]*>|(?:Sitemap: |<loc>)${live}`,
  ],
  [
    'the servers of the contract are both',
    `(?:Production\\. Real|Sandbox\\. The same)[^{}]{0,160}?(?:${live}|${tried})`,
  ],
  [
    'the servers of the contract are both, with variables',
    `"(?:sandbox_)?base_url": ?\\{ ?"default": ?"(?:${live}|${tried})|base_url: default: (?:${live}|${tried})`,
  ],
  ['llms.txt lists both', `Production is at ${live}, the sandbox at ${tried}`],
  ['the guide to agents lists both', `the sandbox at \`?${tried}/mcp\`?, production at \`?${live}/mcp`],
  ['the guide to access lists what an operator gives', `URL of the sandbox.{0,60}?${tried}`],
  ['the guide to going live compares both', `${tried}\\W.{0,60}?${live}`],
  [
    'agents are tried out in the sandbox',
    `(?:"url": "|"--package=|"wrp-mcp", "|curl -s |over MCP: )${tried}[^"\\s]*`,
  ],
  [
    'only the sandbox returns events without an endpoint',
    `(?:WRP_BASE_URL=|Forwarding the events of )${tried}`,
  ],
  ['the first request has a token of the sandbox', `Your first request.{0,200}?${tried}/workspaces`],
  ['the quick start writes', `export WRP_BASE_URL=${tried}|WRP_BASE_URL'\\] \\?\\? '${tried}`],
  ['the Postman collection writes and terminates, request by request', `"key":"baseUrl","value":"${tried}"`],
  [
    'the introduction leads to the sandbox',
    `\\[Sandbox\\]\\(${tried}/docs\\)|<a href="${tried}/docs">Sandbox</a>`,
  ],
  [
    'the reference tries operations out in the sandbox, and not in production',
    `href="${tried}/docs/reference/[^"]*">Try it|value="${tried}"|data-production="${live}"`,
  ],
];

test('every text of an environment names its own URL, and the other only where that is intended', async () => {
  const { files } = await openPortalSite(await buildPortal());
  const texts = files
    .filter(({ type }) => !/^(?:image|application\/gzip)/.test(type))
    .map(({ path }) => path);
  expect(texts.length).toBeGreaterThan(80);
  const used = new Set<string>();
  for (const environment of names) {
    const other = baseUrls[environment === 'production' ? 'sandbox' : 'production'];
    for (const path of [...texts, ...contractPaths]) {
      let text = plain(await read(environment, path));
      expect(text, `${environment} ${path}`).not.toMatch(
        /127\.0\.0\.1:808\d|\/\/(?:own|production|sandbox)\.invalid|<!--\/?in/,
      );
      for (const [why, pattern] of text.includes(other) ? intended : []) {
        text = text.replaceAll(new RegExp(pattern, 'g'), (found) => {
          if (found.includes(other)) used.add(why);
          return '';
        });
      }
      const at = text.indexOf(other);
      const where = at < 0 ? '' : text.slice(Math.max(0, at - 120), at + 60);
      expect(
        where,
        `${environment}’s ${path} names the other environment: correct it, or say why in \`intended\``,
      ).toBe('');
    }
  }
  const unused = intended.map(([why]) => why).filter((why) => !used.has(why));
  expect(unused, 'exceptions that nothing needs').toEqual([]);
});

describe.each(names)('in %s', (environment) => {
  const own = baseUrls[environment];

  test('samples, links and downloads name it', async () => {
    for (const [path, text] of [
      ['/docs', `curl "${own}/organizations/workspaces"`],
      ['/docs/client.md', `baseUrl: '${own}'`],
      ['/docs/errors.md', `](${own}/docs/`],
      ['/llms.txt', `](${own}/docs/quick-start.md)`],
      ['/docs/changelog.atom', `<id>${own}/docs/changelog.atom</id>`],
      ['/docs/postman-collection.json', `](${own}/docs/quick-start)`],
      ['/openapi.json', `](${own}/docs/errors)`],
    ] as const)
      expect(plain(await read(environment, path)), path).toContain(text);
  });

  test('it is the first server of the contract', async () => {
    for (const path of ['/openapi.json', '/openapi-without-webhooks.json']) {
      const { servers } = JSON.parse(await read(environment, path)) as {
        servers: { variables: Record<string, { default: string }> }[];
      };
      const urls = servers.map(({ variables }) => Object.values(variables)[0]?.default);
      expect(urls[0], path).toBe(own);
      expect(urls.sort(), path).toEqual(Object.values(baseUrls).sort());
    }
  });

  test('examples have LIVE workspaces only in production', async () => {
    const { files } = await openPortalSite(await buildPortal());
    const texts = files.filter(({ type }) => !/^(?:image|application\/gzip)/.test(type));
    const showing: string[] = [];
    for (const path of [...texts.map((file) => file.path), ...contractPaths])
      if (/workspaceType\W{2,8}LIVE\b/.test(plain(await read(environment, path)))) showing.push(path);
    const places = ['/docs', '/docs/reference/organization.md', '/openapi.json', '/openapi.yaml'];
    expect(showing).toEqual(environment === 'sandbox' ? [] : expect.arrayContaining(places));
  });

  test('the quick start runs in the sandbox, and names nothing of the server', async () => {
    const text = await read(environment, '/docs/quick-start.md');
    expect(text).toContain(`export WRP_BASE_URL=${baseUrls.sandbox}\n`);
    expect(text).not.toContain('demo.json');
  });

  test('every page has its name in the header, and a link to the same page of the other', async () => {
    const [shown, other] =
      environment === 'sandbox' ? (['Sandbox', 'production'] as const) : (['Production', 'sandbox'] as const);
    const { files } = await openPortalSite(await buildPortal());
    for (const { path, type } of files.filter((file) => file.type.startsWith('text/html'))) {
      const page = await read(environment, path);
      expect(
        [...page.matchAll(/<span class="current">(\w+)<\/span>/g)].map(([, name]) => name),
        path,
      ).toEqual([shown]);
      const target = path === '/docs/not-found' ? '/docs' : path;
      expect(page, path).toContain(`data-same-place href="${baseUrls[other]}${target}"`);
      expect(/<title>Sandbox · /.test(page), path).toBe(environment === 'sandbox');
      expect(type).toContain('html');
    }
  });

  test('the icon is that of the environment', async () => {
    const icons = (page: string) =>
      [...page.matchAll(/<link rel="icon" href="([^"]+)">/g)].map(([, href]) => href);
    const [here, there] = [icons(await read('production', '/docs')), icons(await read('sandbox', '/docs'))];
    expect([here.length, there.length]).toEqual([1, 1]);
    expect(here).not.toEqual(there);
  });
});

test('a portal of no environment names none', async () => {
  for (const path of ['/docs', '/docs/redoc', '/docs/reference/users']) {
    const page = await (await fetch(`${none()}${path}`)).text();
    expect(page, path).not.toMatch(/class="environment|<title>Sandbox|<!--\/?in/);
    expect(page, path).toContain('<link rel="icon"');
  }
  const mock = { production: 'http://127.0.0.1:4010', sandbox: 'http://127.0.0.1:4010' };
  const rewrite = urlRewriter({ environment: 'production', baseUrls: mock });
  expect(rewrite(`${shownIn(['production'], 'a')}${shownIn(['elsewhere'], 'b')}`)).toBe('b');
});

test.each([
  ['call http://127.0.0.1:8080/users', 'call https://try.example/wrp/users'],
  ['production at `http://127.0.0.1:8080`', 'production at `https://live.example`'],
  ['`http://127.0.0.1:8081` | `http://127.0.0.1:8080`', '`https://try.example/wrp` | `https://live.example`'],
  ['in production.\nhttp://127.0.0.1:8080', 'in production.\nhttps://try.example/wrp'],
  ['"in production.\\nhttp://127.0.0.1:8080"', '"in production.\\nhttps://try.example/wrp"'],
  ['http://127.0.0.1:80801', 'http://127.0.0.1:80801'],
  [`${namedAddresses.own} ${namedAddresses.production}`, 'https://try.example/wrp https://live.example'],
  [shownIn(['production'], 'here'), ''],
  [shownIn(['sandbox', 'elsewhere'], 'there'), 'there'],
])('the sandbox serves %j as %j', (text, served) => {
  expect(urlRewriter({ environment: 'sandbox', baseUrls })(text)).toBe(served);
  expect(namesAddresses(text)).toBe(text !== served);
});
