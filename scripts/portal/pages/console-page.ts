import { readFile } from 'node:fs/promises';
import type { PortalLinks } from '../../../server/src/contract/portal-links.ts';
import type { Parameter } from '../../../server/src/contract/routes.ts';
import { html } from '../../../server/src/domain/html.ts';
import type { Contract } from '../../contract/source.ts';
import { type Assets, assetsUnder, withoutSourceMap } from '../assets.ts';
import { withoutGuides } from '../contract/contract-pages.ts';
import type { SiteFile } from '../site-files.ts';
import { pageOf, type Site } from './layout.ts';
import { portalPolicy } from './policy.ts';

const swaggerUi = new URL('../../../node_modules/swagger-ui-dist/', import.meta.url);
/** The mock on the reader's machine, on any port. */
const callable = ['http://127.0.0.1:*', 'http://localhost:*'];

/** `/docs/console`: Swagger UI, which calls the environment that serves it, or a mock. */
export async function consolePage(
  site: Site,
  contract: Contract,
  links: PortalLinks,
): Promise<{ file: SiteFile; assets: Assets[] }> {
  const [script, style] = await Promise.all(
    ['swagger-ui-bundle.js', 'swagger-ui.css'].map(async (name) => {
      const text = await readFile(new URL(name, swaggerUi), 'utf8');
      return [name, withoutSourceMap(text)] as const;
    }),
  );
  if (!script || !style) throw new Error('unreachable');
  const ui = assetsUnder('swagger-ui-', [script, style]);
  const described = assetsUnder('console-', [['contract.json', consoleContract(contract, links)]]);
  const body = pageOf(site, {
    path: '/docs/console',
    title: 'Console',
    description: 'Call the sandbox or your mock from the browser.',
    markdownPath: '/docs/console.md',
    styles: ['search.css'],
    scripts: ['console.js'],
    hiddenHeading: 'Console',
    head: html`<link rel="stylesheet" href="${ui.address('swagger-ui.css')}">
<link rel="stylesheet" href="${site.asset('console.css')}">
<script defer src="${ui.address('swagger-ui-bundle.js')}"></script>`,
    body: html`<main id="content" class="console" tabindex="-1">
<p class="note"><strong>Requests are real.</strong> They go to the sandbox, or to a mock on your machine: choose under <em>Servers</em>. Enter your token under <em>Authorize</em>, without <code>Bearer</code>. The page keeps it until you close or reload it. A mock accepts any token.</p>
<div id="console" data-contract="${described.address('contract.json')}"></div>
<noscript>The console needs JavaScript. <a href="/docs/quick-start">Quick start</a> does the same with curl.</noscript>
</main>`,
  });
  const policy = portalPolicy({ inlineStyles: true, calls: callable });
  return {
    file: { path: '/docs/console', type: 'text/html; charset=utf-8', body, policy },
    assets: [ui, described],
  };
}

/** Without servers: the page adds them, because it knows its own origin. */
function consoleContract(contract: Contract, links: PortalLinks): string {
  const { servers: _, ...described } = withoutGuides(withoutHeaderExamples(contract));
  const info = { ...(described['info'] as object), description: '' };
  const paths = Object.entries(described.paths).map(([path, item]) => [path, withOwnParameters(item)]);
  return links.inText(JSON.stringify({ ...described, info, paths: Object.fromEntries(paths) }), links.toPage);
}

/** A reader would send the example of an optional header unintentionally. */
function withoutHeaderExamples(contract: Contract): Contract {
  const parameters = Object.entries(contract.components['parameters'] ?? {}).map(([name, parameter]) => {
    const { example: _, ...rest } = parameter as Parameter;
    return [name, rest.in === 'header' && !rest.required ? rest : parameter];
  });
  return { ...contract, components: { ...contract.components, parameters: Object.fromEntries(parameters) } };
}

/** Copies a path's parameters to its operations: Swagger UI does not resolve references in parameters of a path. */
function withOwnParameters({ parameters: shared = [], ...operations }: Contract['paths'][string]): object {
  const own = Object.entries(operations).map(([method, operation]) => {
    const { parameters = [] } = operation as { parameters?: unknown[] };
    return [method, { ...(operation as object), parameters: [...(shared as unknown[]), ...parameters] }];
  });
  return Object.fromEntries(own);
}
