import { describe, expect, test } from 'vitest';
import contract from '../../generated/openapi.json' with { type: 'json' };
import type { Contract } from '../../scripts/contract/source.ts';
import { contractPages } from '../../scripts/portal/contract/contract-pages.ts';
import { releaseDates, releasedContract, releaseVersions } from '../../scripts/spec/breaking/releases.ts';
import { notesOf, summaryOf } from '../../scripts/spec/release/notes.ts';
import { errorCodesOf, guideGroups, routesOf } from '../../server/contract/index.ts';
import { documentedAddresses } from '../../server/src/pages/served-addresses.ts';
import { requestsTo, servedPortal } from './support.ts';

const get = requestsTo(servedPortal());

describe('the pages', () => {
  test('the changelog has an Atom feed of the releases', async () => {
    const link =
      '<link rel="alternate" type="application/atom+xml" title="Changelog" href="/docs/changelog.atom">';
    expect(await (await get('/docs/changelog')).text()).toContain(link);
    const feed = await get('/docs/changelog.atom');
    expect(feed.headers.get('Content-Type')).toBe('application/atom+xml; charset=utf-8');
    const text = await feed.text();
    // What RFC 4287 requires.
    for (const name of ['id', 'title', 'updated'])
      expect(text.split(`<${name}>`), name).toHaveLength(text.split('<entry>').length + 1);
    const [opened, closed] = [/<\w+(?: [^>]*[^/>])?>/g, /<\/\w+>/g].map((tag) => text.match(tag)?.length);
    expect(opened).toBe(closed);
    expect(text).toMatch(/<feed xmlns="http:\/\/www\.w3\.org\/2005\/Atom">\n<id>https?:/);
    const [, entry = ''] = /<entry>([\s\S]*?)<\/entry>/.exec(text) ?? [];
    const dates = await releaseDates();
    const page = await (await get('/docs/changelog.md')).text();
    const version =
      [...page.matchAll(/^## (.+)$/gm)].map(([, name = '']) => name).find((name) => name in dates) ?? '';
    const anchor = version.replaceAll('.', '-');
    expect(entry).toMatch(new RegExp(`<id>https?://\\S+/docs/changelog#${anchor}</id>`));
    expect(entry).toContain(`<updated>${dates[version]}T00:00:00Z</updated>`);
    // What is by hand comes first.
    const [summary = ''] = /\w[\w\s]+/.exec(summaryOf(await notesOf(version))) ?? [];
    const label = summary.startsWith('Security') ? ': security' : '';
    expect(entry).toContain(`<title>Version ${version}${label}</title>`);
    expect(entry).toContain(`<summary>${summary}`);
    expect(entry).toMatch(new RegExp(`<content type="html">&lt;p&gt;(?:&lt;strong&gt;)?${summary}`));
    expect(page).toContain('Released on 21 November 2026.');
    expect(entry).not.toMatch(/href=&quot;[/#]/);
  });

  test("the home page shows a first request with the response of the contract's example", async () => {
    const text = (await (await get('/docs')).text()).replaceAll(/<[^>]+>/g, '').replaceAll('&quot;', '"');
    expect(text).toContain('curl "http://127.0.0.1:8081/organizations/workspaces"');
    const response = JSON.stringify(contract.components.examples.allWorkspaces.value, null, 2);
    expect(text).toContain(response.replaceAll('"LIVE"', '"SANDBOX"'));
  });
});

type Operation = { operationId: string; summary: string; tags: string[] };

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
    expect(links).toHaveLength(
      routesOf(contract as unknown as Contract).length + Object.keys(contract.webhooks).length,
    );
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

  test('the Markdown of an operation says where most of its headers are, as a paragraph of its own', async () => {
    const most = '[headers of most responses](http://127.0.0.1:8080/docs/reference.md).';
    for (const group of ['users', 'workflows', 'auth']) {
      const [, ...operations] = (await text(`/docs/reference/${group}.md`)).split('### Response headers\n\n');
      expect(operations.length).toBeGreaterThan(1);
      for (const one of operations) {
        const isList = one.startsWith('- ');
        const [paragraph] = one.split('\n\n').slice(isList ? 1 : 0);
        expect(paragraph?.trim()).toBe(`${isList ? 'And the' : 'The'} ${most}`);
      }
    }
  });
});

test.each([
  ['quick-start', 6],
  ['get-access', 1],
  ['authentication', 3],
  ['uploads', 5],
  ['running-workflows', 2],
  ['going-live', 1],
  ['agents', 0],
])(
  'the guide %s shows %i requests in cURL, Python and Go, and its Markdown in cURL alone',
  async (name, count) => {
    const page = await (await get(`/docs/${name}`)).text();
    const groups = page.split('<div class="tabs">').slice(1);
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
    ['/docs/redoc', 'Redoc'],
    ['/docs/changelog', 'Changelog'],
    ['/docs/downloads', undefined],
    ['/docs/client', 'Guides'],
    ['/docs/not-found', undefined],
  ])('marks, on %s, %s', async (path, name) => {
    expect(await marked(path)).toBe(name);
  });
});

test('the pages beside the content are in the tag groups of the contract, those of libraries after the mock', async () => {
  const text = await (await get('/docs')).text();
  const parts = [...text.matchAll(/<summary class="part">([^<]+)<\/summary><ul>(.*?)<\/ul><\/details>/gs)];
  const guides = guideGroups(contract).map(({ name }) => name);
  const others = guides.filter((name) => name !== 'For operators');
  expect(parts.map(([, name]) => name)).toEqual([...others, 'Reference', 'More', 'For operators']);
  const isOpen = async (path: string) =>
    /<details open><summary class="part">For operators/.test(await (await get(path)).text());
  expect([await isOpen('/docs'), await isOpen('/docs/on-call')]).toEqual([false, true]);
  const [, , operators = ''] = parts.find(([, name]) => name === 'For operators') ?? [];
  const { tags = [] } = guideGroups(contract).find(({ name }) => name === 'For operators') ?? {};
  expect([...operators.matchAll(/href="([^"]+)"/g)].map(([, to]) => to)).toEqual(
    tags.map((name) => `/docs/${name}`),
  );
  const [, , build = ''] = parts.find(([, name]) => name === 'Build') ?? [];
  expect([...build.matchAll(/href="([^"]+)"/g)].map(([, to]) => to).slice(-3)).toEqual(
    ['mock', 'client', 'frontends'].map((name) => `/docs/${name}`),
  );
});

test('each media type of a response has its label, and its fields below it', async () => {
  const text = await (await get('/docs/reference/workflows')).text();
  expect(text).toMatch(
    /<p class="media">application\/json<\/p>\s*<p class="media">application\/vnd\.wrp\.result-redirect\+json<\/p>\s*<dl class="fields"><div[^>]*><dt><code>redirectUrl</,
  );
});

test('the pages beside the content have one order, everywhere', async () => {
  const order = async (path: string) => {
    const [, pages = ''] =
      /<nav class="pages"[^>]*>([\s\S]*?)<\/nav>/.exec(await (await get(path)).text()) ?? [];
    return [...pages.matchAll(/href="(\/[^"]+)"/g)].map(([, to]) => to);
  };
  const expected = await order('/docs');
  expect(expected.length).toBeGreaterThan(20);
  for (const path of ['/docs/errors', '/docs/reference/users', '/docs/redoc', '/docs/changelog'])
    expect(await order(path), path).toEqual(expected);
});

test('the changelog folds the full list of each release, and leads to the feed', async () => {
  const page = await (await get('/docs/changelog')).text();
  const releases = page.match(/<h2 /g)?.length;
  expect(
    page.match(/<details class="full-list"><summary><h3 id="[^"]+">Full list[^<]*<\/h3><\/summary>/g),
  ).toHaveLength(releases ?? 0);
  expect(page).toContain('<a href="/docs/changelog.atom">Subscribe</a>');
  expect(await (await get('/docs/changelog.md')).text()).not.toContain('<details');
});

test('every operation and event that came after the first release says in which', async () => {
  const versions = new Map(
    [...(await (await get('/docs/changelog')).text()).matchAll(/<h2 id="([^"]+)">([^<]+)/g)].map(
      ([, id, name]) => [id, name],
    ),
  );
  const [first = ''] = await releaseVersions();
  const namesOf = (groups: ReturnType<typeof contractPages>['groups']) =>
    groups.flatMap(({ routes }) => routes.map(({ operation }) => operation.operationId));
  const known = namesOf(contractPages(await releasedContract(first)).groups);
  for (const { name, routes } of contractPages(contract as unknown as Contract).groups) {
    const later = routes.filter(({ operation }) => !known.includes(operation.operationId));
    const page = await (await get(`/docs/reference/${name}`)).text();
    const added = [
      ...page.matchAll(/<p class="history">Added (?:in|since) <a href="\/docs\/changelog#([^"]+)">/g),
    ];
    expect(added, name).toHaveLength(later.length);
    for (const [, id] of added) expect(versions.has(id), id).toBe(true);
    const markdown = await (await get(`/docs/reference/${name}.md`)).text();
    expect(markdown.match(/^Added (?:in|since) \[/gm) ?? [], name).toHaveLength(later.length);
  }
});

test('every page of a resource with several operations lists them by method and path', async () => {
  for (const { name, routes } of contractPages(contract as unknown as Contract).groups) {
    const page = await (await get(`/docs/reference/${name}`)).text();
    const [, list = ''] = /<nav class="endpoints"[^>]*>(.*?)<\/nav>/s.exec(page) ?? [];
    const operations = routes.filter(({ isEvent }) => !isEvent);
    const expected = operations.map(({ operation }) => `#${operation.operationId}`);
    const listed = [...list.matchAll(/href="([^"]+)"/g)].map(([, href]) => href);
    expect(listed, name).toEqual(operations.length > 1 ? expected : []);
  }
});

test('the page of an operation folds what later releases changed in it', async () => {
  const page = await (await get('/docs/reference/workflows')).text();
  const [folded] = /<details class="history">.*?<\/details>/s.exec(page) ?? [];
  expect(folded).toMatch(
    /<summary[^>]*>Changed in [\d.]+<\/summary><p>Changed in <a href="\/docs\/changelog#/,
  );
  expect(page).not.toMatch(/<p class="history">[^\n]*Changed/);
});

test('Redoc has its landmarks and one heading before its program runs', async () => {
  const page = await (await get('/docs/redoc')).text();
  expect(page.match(/<main [^>]*id="content"/g)).toHaveLength(1);
  expect(page.match(/menu-content" role="navigation" aria-label="Operations"/g)).toHaveLength(1);
  expect(page.match(/<h1(?![^>]*\bhidden\b)/g)).toHaveLength(1);
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
          `href="${documentedAddresses.sandbox}/docs/reference/${name}?try#${operation.operationId}">Try it in the sandbox</a>`,
        );
        expect(section).toContain('value="cURL" checked>cURL');
        expect(section).toContain('value="TypeScript">TypeScript');
      }
    },
  );

  test('states types and limits in words', async () => {
    const files = await page('/docs/reference/resources');
    expect(files).toContain('file of at most 5 GiB');
    const text = (await page('/docs/reference/users')).replaceAll(/<[^>]+>/g, '');
    expect(text).toContain('path, string (uuid) required');
    expect(text).toContain('query, integer from 1 to 100, default 20');
    expect(text).toContain('string (email) of 3 to 254 characters');
    expect(text).toContain('list of at most 100 objects');
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
    for (const path of ['/docs/reference/events', '/docs/reference/events.md']) {
      const text = await page(path);
      expect(text.split('A detached JWS (RFC 7515, appendix F)'), path).toHaveLength(2);
    }
  });

  test('shows an example of what the sample of a webhook key returns', async () => {
    const text = await page('/docs/reference/webhooks.md');
    const [, key = ''] = text.split('## Get a webhook public key');
    // biome-ignore lint/suspicious/noTemplateCurlyInString: of the shell
    expect(key).toContain('curl --path-as-is "$WRP_BASE_URL/auth/webhooks/key/${KEY_ID:?}"');
    expect(key).toMatch(/Media type: text\/plain\n\n```\nM/);
  });

  test('has no page above 20 kB compressed', async () => {
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
