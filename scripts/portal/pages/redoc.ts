import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { operationPage, type PortalLinks } from '../../../server/contract/index.ts';
import { html, trusted } from '../../../server/src/domain/html.ts';
import { temporaryDirectory } from '../../command-line/temporary-directory.ts';
import { applyOverlay, operationTarget } from '../../contract/overlay.ts';
import type { Redocly } from '../../contract/redocly/redocly.ts';
import type { Contract } from '../../contract/source.ts';
import { type Assets, assetsUnder } from '../assets.ts';
import { contractPages, namedServers, withoutGuides } from '../contract/contract-pages.ts';
import type { SiteFile } from '../site-files.ts';
import { pageOf, type Site, sidebar } from './layout.ts';
import { portalPolicy } from './policy.ts';

const settings = fileURLToPath(new URL('redocly.yaml', import.meta.url));
const path = '/docs/redoc';

/**
 * `/docs/redoc`: the whole contract in Redoc, as Redocly's builder renders it, below the header of the portal.
 *
 * @returns lays the page out, once the URLs of the portal's assets are known
 */
export async function redocPage(
  contract: Contract,
  links: PortalLinks,
  redocly: Redocly,
): Promise<(site: Site) => { page: SiteFile; assets: Assets[] }> {
  const built = await build(redocContract(contract, links), redocly);
  const take = (what: string, pattern: RegExp): string => {
    const [, found] = pattern.exec(built) ?? [];
    if (found === undefined)
      throw new Error(`Redoc's page no longer has its ${what} where version 3.0.1 had it.`);
    return found;
  };
  const bundle = take('bundle', /<script type="module">([\s\S]*?)\n\s*const __redoc_definition =/);
  const definition = take('definition', /const __redoc_definition = (\{.*\});\n/);
  const options = {
    ...JSON.parse(take('options', /const __redoc_options = (\{.*\});\n/)),
    codeSamples: languagesOf(contract),
  };
  const styles = take('styles', /(<style data-styled[\s\S]*?<\/style>)/);
  const content = take('content', /<div id="redoc">([\s\S]*?)<\/div>\s*<script type="module">/);
  const program = assetsUnder('redoc-', [['redoc.js', `${withoutIndex}\n${bundle}\n${start}`]]);
  const drawn = assetsUnder('redoc-', [
    ['definition.json', `{"definition":${definition},"options":${JSON.stringify(options)}}`],
  ]);
  const scripts = [...content.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, script = '']) => script);
  const policy = portalPolicy({ scripts, inlineStyles: true });
  return (site) => {
    const body = pageOf(site, {
      path,
      title: 'Redoc',
      description: `All operations and events of the ${site.pages.title} on one page, rendered by Redoc.`,
      markdownPath: `${path}.md`,
      styles: ['search.css', 'redoc.css'],
      hiddenHeading: site.pages.title,
      // Redoc's page is rendered without its program, whose 570 kB would delay the style sheets.
      head: trusted(
        `${styles}<script type="module" fetchpriority="low" src="${program.address('redoc.js')}"></script>`,
      ),
      body: html`<aside class="side" hidden>${sidebar(site.pages, path)}</aside>
<div id="redoc" data-definition="${drawn.address('definition.json')}">${trusted(withLandmarks(hashLinks(content)))}</div>`,
    });
    return { page: { path, type: 'text/html; charset=utf-8', body, policy }, assets: [program, drawn] };
  };
}

/**
 * Keeps Redoc from indexing the contract, when the browser is idle, for its own search: the page has the portal's. Redoc
 * would also evaluate text for a worker, which the policy refuses and browsers report.
 */
const withoutIndex = 'globalThis.requestIdleCallback = undefined;';

/** Loads the contract from a file: a platform changes its URLs, and the policy would refuse a changed inline script. */
const start = `const place = document.getElementById('redoc');
const { definition, options } = await (await fetch(place.dataset.definition)).json();
const heading = document.querySelector('.top h1');
const fixMarkup = () => {
  // Redoc's menu is not a landmark. It is replaced while Redoc starts and when the width changes.
  const menu = place.querySelector('.menu-content:not([role])');
  place.querySelector('main')?.setAttribute('id', 'content');
  menu?.setAttribute('role', 'navigation');
  menu?.setAttribute('aria-label', 'Operations');
  // What a phone shows of it: it also says whether it is expanded.
  place.querySelector('[data-testid="floating-button"]')?.setAttribute('aria-label', 'Operations');
  // Redoc renders its heading of the first level only near the top, and no operation has one of the third level.
  heading.hidden = place.querySelector('h1') !== null;
  for (const one of place.querySelectorAll(':is(h4, h5, h6):not([aria-level])')) {
    one.setAttribute('aria-level', one.tagName[1] - 1);
  }
};
new MutationObserver(fixMarkup).observe(place, { childList: true, subtree: true });
fixMarkup();
hydrate(definition, options, place);`;

/** The contract without the guides: links to them lead to their pages. */
function redocContract(contract: Contract, links: PortalLinks): Contract {
  const reference = withoutGuides(contract);
  const description =
    'The whole contract in Redoc. Guides, and the reference page by page, are in the [documentation](/docs).';
  // Redoc shows the descriptions of servers as plain text.
  const servers = namedServers(reference).map((server) => ({
    ...server,
    description: server.description?.replaceAll('`', ''),
  }));
  // A card of its own would show the license, and nothing else.
  const { license: _, ...info } = reference.info;
  const text = withBackLinks({ ...reference, info: { ...info, description }, servers });
  // Redoc follows links between operations without loading a page.
  const to = (href: string) =>
    links.toPage(href).startsWith('/docs/reference/') ? href : links.toPage(href);
  return mapTexts(text, (markdown) => links.inText(markdown, to)) as Contract;
}

/** Each operation and event links to itself in the reference. */
function withBackLinks(contract: Contract): Contract {
  const routes = contractPages(contract).groups.flatMap((group) => group.routes);
  return applyOverlay(contract, {
    overlay: '1.0.0',
    actions: routes.map(({ path: at, method, isEvent, operation: { tags, operationId, description } }) => {
      const link = `[In the reference](${operationPage(tags[0] ?? '', operationId)})`;
      const target = operationTarget(at, method, isEvent ? 'webhooks' : 'paths');
      return { target, update: { description: `${description}\n\n${link}` } };
    }),
  });
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

/** Redoc shows samples only in the languages of its settings; its default list lacks TypeScript. */
function languagesOf(contract: Contract): object {
  const routes = contractPages(contract).groups.flatMap((group) => group.routes);
  const samples = routes.flatMap(({ operation }) => operation['x-codeSamples'] ?? []);
  const labels = [...new Set(samples.map(({ lang, label = lang }) => label)), 'Payload'];
  return { languages: labels.map((label) => ({ lang: label.toLowerCase(), label })) };
}

async function build(contract: Contract, redocly: Redocly): Promise<string> {
  await using directory = await temporaryDirectory('redoc');
  const [input = '', output = ''] = ['openapi.json', 'page.html'].map((name) => join(directory.path, name));
  await writeFile(input, JSON.stringify(contract));
  const args = ['build-docs', input, '--config', settings, '--inlineBundle', '--output', output];
  const { code, stderr } = await redocly.run(args);
  if (code !== 0) throw new Error(`Redoc's page could not be built: ${stderr.trim()}`);
  return withoutRemoteLogo(await readFile(output, 'utf8'));
}

/**
 * Redoc renders its links as if each operation were a page, `/users`, and does not correct them in the browser, where
 * the operations are fragments of one page.
 */
function hashLinks(content: string): string {
  return content.replaceAll(/href="\/(?!docs\b|openapi\.|llms)/g, 'href="#/');
}

/** What the program adds to Redoc's markup, for the time before it runs. */
function withLandmarks(content: string): string {
  return content
    .replace('<main ', '<main id="content" ')
    .replace(/(?<=<div class="[^"]*\bmenu-content)"/, '" role="navigation" aria-label="Operations"')
    .replace('data-testid="floating-button"', '$& aria-label="Operations"');
}

/** Redoc would fetch its vendor's logo from a CDN: replaces it with text. */
function withoutRemoteLogo(text: string): string {
  const word = '<text x="0" y="15" font-family="sans-serif" font-size="14" fill="#6f8fe8">Redocly</text>';
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 56 20" width="56" height="20">${word}</svg>`;
  return text.replaceAll(
    /https:\/\/cdn\.redoc\.ly\/[\w./-]+\.svg/g,
    `data:image/svg+xml,${encodeURIComponent(svg)}`,
  );
}
