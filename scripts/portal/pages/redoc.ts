import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PortalLinks } from '../../../server/contract/index.ts';
import { html } from '../../../server/src/domain/html.ts';
import { temporaryDirectory } from '../../command-line/temporary-directory.ts';
import type { Redocly } from '../../contract/redocly/redocly.ts';
import type { Contract } from '../../contract/source.ts';
import { assetsUnder } from '../assets.ts';
import { contractPages, namedServers, withoutGuides } from '../contract/contract-pages.ts';
import type { SiteFile } from '../site-files.ts';
import { icon } from './layout.ts';
import { portalPolicy } from './policy.ts';

const settings = fileURLToPath(new URL('redocly.yaml', import.meta.url));
const path = '/docs/redoc';

/**
 * `/docs/redoc`: the whole contract in Redoc, as Redocly's builder renders it.
 */
export async function redocPage(
  contract: Contract,
  links: PortalLinks,
  redocly: Redocly,
): Promise<SiteFile[]> {
  const page = await build(redocContract(contract, links), redocly);
  const take = (what: string, pattern: RegExp): string => {
    const [, found] = pattern.exec(page) ?? [];
    if (found === undefined)
      throw new Error(`Redoc's page no longer has its ${what} where version 3.0.1 had it.`);
    return found;
  };
  const [module = ''] = /<script type="module">[\s\S]*<\/script>/.exec(page) ?? [];
  const bundle = take('bundle', /<script type="module">([\s\S]*?)\n\s*const __redoc_definition =/);
  const definition = take('definition', /const __redoc_definition = (\{.*\});\n/);
  const options = {
    ...JSON.parse(take('options', /const __redoc_options = (\{.*\});\n/)),
    codeSamples: languagesOf(contract),
  };
  const content = take('content', /<div id="redoc">([\s\S]*?)<\/div>\s*<script type="module">/);
  const program = assetsUnder('redoc-', [['redoc.js', `${bundle}\n${start}`]]);
  const drawn = assetsUnder('redoc-', [
    ['definition.json', `{"definition":${definition},"options":${JSON.stringify(options)}}`],
  ]);
  const body = page
    // In the page's own text, as on all pages; see `pageOf`.
    .replace(
      /<body[^>]*>/,
      (start) =>
        `${start}<p hidden>For agents: the same contract is at /openapi.yaml. All pages are listed in /llms.txt.</p>
      <header id="title" hidden>${html`<h1>${contractPages(contract).title}</h1>`.markup}</header>`,
    )
    .replace('</title>', () => `</title>\n  <link rel="icon" href="${icon}">`)
    .replace('</head>', () => `<style>${style}</style>\n</head>`)
    .replace(module, () => `<script type="module" src="${program.address('redoc.js')}"></script>`)
    .replace('<div id="redoc">', `<div id="redoc" data-definition="${drawn.address('definition.json')}">`)
    .replace(content, () => hashLinks(content));
  const scripts = [...content.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, script = '']) => script);
  const policy = portalPolicy({ scripts, inlineStyles: true });
  return [{ path, type: 'text/html; charset=utf-8', body, policy }, ...program.files, ...drawn.files];
}

/** Loads the contract from a file: a platform changes its URLs, and the policy would refuse a changed inline script. */
const start = `const place = document.getElementById('redoc');
const { definition, options } = await (await fetch(place.dataset.definition)).json();
const fixMarkup = () => {
  // Redoc's menu is not a landmark. It is replaced while Redoc starts and when the width changes.
  const menu = place.querySelector('.menu-content:not([role])');
  menu?.setAttribute('role', 'navigation');
  menu?.setAttribute('aria-label', 'Operations');
  // Redoc renders its heading of the first level only near the top, and no operation has one of the third level.
  document.getElementById('title').hidden = place.querySelector('h1') !== null;
  for (const heading of place.querySelectorAll(':is(h4, h5, h6):not([aria-level])')) {
    heading.setAttribute('aria-level', heading.tagName[1] - 1);
  }
};
new MutationObserver(fixMarkup).observe(place, { childList: true, subtree: true });
fixMarkup();
hydrate(definition, options, place);`;

/**
 * Text of Redoc that has a contrast below 4.5 gets the colours of the portal, or a stronger one of its own. The page's
 * own heading is for screen readers.
 */
const style = `
#title { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
html:root { --input-content-placeholder-color: var(--color-warm-grey-8); --link-color-primary: var(--color-blue-8); }
html:root:not(.dark) { --code-block-tokens-function-color: #9a3412; --code-block-tokens-string-color: #1d6b36; }
html:root:not(.dark) .tag-get { --tag-color: #12693a; }
html:root:not(.dark) .tag-put { --tag-color: #8a4b00; }
html:root:not(.dark) .tag-post { --tag-color: #1f4fd8; }
html:root:not(.dark) .tag-delete { --tag-color: #b3261e; }
`;

/** The contract without the guides: links to them lead to their pages. */
function redocContract(contract: Contract, links: PortalLinks): Contract {
  const reference = withoutGuides(contract);
  const description =
    'The whole contract in Redoc. Guides, the reference page by page and a console are in the [documentation](/docs).';
  // Redoc shows the descriptions of servers as plain text.
  const servers = namedServers(reference).map((server) => ({
    ...server,
    description: server.description?.replaceAll('`', ''),
  }));
  const text = { ...reference, info: { ...reference.info, description }, servers };
  // Redoc follows links between operations without loading a page.
  const to = (href: string) =>
    links.toPage(href).startsWith('/docs/reference/') ? href : links.toPage(href);
  return mapTexts(text, (markdown) => links.inText(markdown, to)) as Contract;
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

/** Redoc would fetch its vendor's logo from a CDN: replaces it with text. */
function withoutRemoteLogo(text: string): string {
  const word = '<text x="0" y="15" font-family="sans-serif" font-size="14" fill="#6f8fe8">Redocly</text>';
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 56 20" width="56" height="20">${word}</svg>`;
  return text.replaceAll(
    /https:\/\/cdn\.redoc\.ly\/[\w./-]+\.svg/g,
    `data:image/svg+xml,${encodeURIComponent(svg)}`,
  );
}
