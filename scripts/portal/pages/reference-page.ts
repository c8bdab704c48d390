import type { PortalLinks } from '../../../server/src/contract/portal-links.ts';
import { html, trusted } from '../../../server/src/domain/html.ts';
import type { Contract } from '../../contract/source.ts';
import { type Assets, assetsUnder } from '../assets.ts';
import { type ContractPages, withoutGuides } from '../contract/contract-pages.ts';
import type { SiteFile } from '../site-files.ts';
import { pageOf, type Site } from './layout.ts';
import { portalPolicy } from './policy.ts';
import type { RedocParts } from './redoc.ts';

/** The contract for Redoc, without the guides: its links lead to their pages. */
export function referenceContract(contract: Contract, pages: ContractPages, links: PortalLinks): Contract {
  const operations = pages.groups.flatMap(({ routes }) => routes);
  const events = operations.filter(({ isEvent }) => isEvent).length;
  const description = `${operations.length - events} operations and ${events} events. Each lists its permission, every \
error code that it can return, and examples from one consistent organization.

New here? [Quick start](#/quick-start). [Errors](#/errors) explains every code, and [Quick start](#/quick-start#the-variables-of-the-samples) sets the variables of the samples.
Download: [YAML](/openapi.yaml), [JSON](/openapi.json), [Postman collection](/docs/postman-collection.json), \
[everything as Markdown](/llms-full.txt), [more](/docs/downloads).`;
  const reference = withoutGuides(contract);
  const { info } = reference;
  const text = { ...reference, info: { ...info, description }, servers: namedServers(reference) };
  return mapTexts(text, (markdown) => links.inText(markdown, (href) => innerLink(href, links))) as Contract;
}

/** Keeps links within the reference as they are, because Redoc follows them without loading the page again. */
function innerLink(href: string, links: PortalLinks): string {
  const to = links.toPage(href);
  return to.startsWith('/docs/reference#') ? href : to;
}

type Server = { url: string; description?: string; variables?: Record<string, { default: string }> };

/** The servers with their variables filled in. */
export function namedServers(contract: Contract): Server[] {
  const servers = (contract['servers'] ?? []) as Server[];
  return servers.map(({ url, variables = {}, ...rest }) => ({
    ...rest,
    url: url.replace(/\{([^}]+)\}/g, (_, name: string) => variables[name]?.default ?? name),
  }));
}

function mapTexts(node: unknown, map: (text: string) => string): unknown {
  if (Array.isArray(node)) return node.map((one) => mapTexts(one, map));
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [
      key,
      key === 'description' && typeof value === 'string' ? map(value) : mapTexts(value, map),
    ]),
  );
}

/** `/docs/reference`: Redoc within our header. */
export function referencePage(site: Site, redoc: RedocParts): { file: SiteFile; assets: Assets[] } {
  const bundle = assetsUnder('redoc-', [['redoc.js', redoc.bundle]]);
  const drawn = assetsUnder('reference-', [
    ['redoc.css', redoc.css],
    ['definition.json', `{"definition":${redoc.definition},"options":${redoc.options}}`],
  ]);
  const { title } = site.pages;
  const page = pageOf(site, {
    path: '/docs/reference',
    title: 'Reference',
    description: `All operations and events of the ${title}.`,
    markdownPath: '/docs/reference.md',
    styles: ['search.css'],
    scripts: ['reference.js'],
    head: html`<link rel="stylesheet" href="${drawn.address('redoc.css')}">
<link rel="stylesheet" href="${site.asset('reference.css')}">
<link rel="modulepreload" href="${bundle.address('redoc.js')}">
<link rel="preload" as="fetch" crossorigin href="${drawn.address('definition.json')}">`,
    hiddenHeading: `Reference of the ${title}`,
    body: html`<div id="content" class="reference" tabindex="-1" data-redoc="${bundle.address('redoc.js')}" data-definition="${drawn.address('definition.json')}"><div id="redoc">${trusted(hashLinks(redoc.root))}</div></div>`,
  });
  const policy = portalPolicy({ scripts: redoc.scripts, inlineStyles: true });
  const file = { path: '/docs/reference', type: 'text/html; charset=utf-8', body: page, policy };
  return { file, assets: [bundle, drawn] };
}

/**
 * Redoc renders its links as if each operation were a page, `/users`, and does not correct them in the browser, where
 * the operations are fragments of one page.
 */
function hashLinks(root: string): string {
  return root.replaceAll(/href="\/(?!docs\b|openapi\.|llms)/g, 'href="#/');
}
