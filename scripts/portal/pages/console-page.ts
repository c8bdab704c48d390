import { readFile } from 'node:fs/promises';
import {
  type MediaType,
  operationPage,
  type PortalLinks,
  propertiesOf,
  resolve,
  routesOf,
} from '../../../server/contract/index.ts';
import { type Html, html, trusted } from '../../../server/src/domain/html.ts';
import { namedAddresses, type Place, shownIn } from '../../../server/src/pages/served-addresses.ts';
import type { Contract } from '../../contract/source.ts';
import { type Assets, assetsUnder, withoutSourceMap } from '../assets.ts';
import { type DescribedOperation, withoutGuides } from '../contract/contract-pages.ts';
import { permissionSentence } from '../contract/permissions.ts';
import type { SiteFile } from '../site-files.ts';
import { pageMenu, pageOf, type Site, sidebar } from './layout.ts';
import { portalPolicy } from './policy.ts';
import { tokenField } from './reference-pages.ts';

const path = '/docs/console';
const markdownPath = '/docs/console.md';
const swaggerUi = new URL('../../../node_modules/swagger-ui-dist/', import.meta.url);
/** The mock on the reader's machine, on any port. */
const callable = ['http://127.0.0.1:*', 'http://localhost:*'];

/**
 * `/docs/console`: Swagger UI, which calls the environment that serves it, or a mock. In production it does so only once the
 * reader has chosen that, instead of the sandbox's console.
 */
export async function consolePage(
  site: Site,
  contract: Contract,
  links: PortalLinks,
): Promise<{ file: SiteFile; assets: Assets[] }> {
  const [script, style] = await Promise.all(
    ['swagger-ui-bundle.js', 'swagger-ui.css'].map(async (name) => {
      const text = await readFile(new URL(name, swaggerUi), 'utf8');
      // Rules outside of a layer win over those within.
      const layered = name.endsWith('.css') ? `@layer swagger-ui{${text}}` : text;
      return [name, withoutSourceMap(layered)] as const;
    }),
  );
  if (!script || !style) throw new Error('unreachable');
  const ui = assetsUnder('swagger-ui-', [script, style]);
  const scheme = tokenScheme(contract);
  const described = assetsUnder('console-', [['contract.json', consoleContract(contract, links, scheme)]]);
  const body = pageOf(site, {
    path,
    title: 'Console',
    description: 'Call the platform or your mock from the browser.',
    markdownPath,
    styles: ['prose.css', 'reference.css', 'search.css'],
    scripts: ['console.js'],
    head: html`<link rel="stylesheet" href="${ui.address('swagger-ui.css')}">
<link rel="stylesheet" href="${site.asset('console.css')}">
<script defer src="${ui.address('swagger-ui-bundle.js')}"></script>`,
    body: html`<div class="prose-layout reference">
<aside class="side" aria-label="All pages">${sidebar(site.pages, path)}</aside>
<main id="content" class="console without-token" tabindex="-1">
<div class="prose"><div class="title"><h1>Console</h1>${pageMenu(markdownPath)}</div>
${trusted(shownIn(['production'], choice.markup))}
<div class="console-use"><p>${target(
      (name) =>
        html`Requests are real. They go to ${name}, or to <a href="/docs/mock">a mock</a> on your machine, which accepts any token.`,
    )}</p>
${trusted(shownIn(['production'], html`<p class="console-warning" role="note"><strong>Production.</strong> Requests that write change the data of your organization.</p>`.markup))}</div></div>
<div class="console-use">${tokenField(
      target((name) => html`Your token for ${name}`),
      html`Sent with each request, and stays in this browser tab. Production and the sandbox have separate tokens. <a href="/docs/quick-start#variables-in-the-samples">Where to find one for the sandbox</a>.`,
    )}
<div id="console" data-contract="${described.address('contract.json')}" data-scheme="${scheme}" data-server="${target((name) => html`${name}`)}"></div></div>
<noscript>The console needs JavaScript. <a href="/docs/quick-start">Quick start</a> does the same with curl.</noscript>
</main>
</div>`,
  });
  const policy = portalPolicy({ inlineStyles: true, calls: callable });
  return {
    file: { path, type: 'text/html; charset=utf-8', body, policy },
    assets: [ui, described],
  };
}

/** A text that names what the console calls. */
function target(text: (name: string) => Html): Html {
  const names: Record<Place, string> = {
    production: 'production',
    sandbox: 'the sandbox',
    elsewhere: 'the server of this page',
  };
  return trusted(
    (Object.keys(names) as Place[]).map((place) => shownIn([place], text(names[place]).markup)).join(''),
  );
}

/** What production shows first: nothing changes the environment, or calls production, unless the reader says so. */
const choice = html`<div class="console-choice"><p>Which environment should the console call?</p>
<p><a class="choice" data-same-place href="${namedAddresses.sandbox}${path}">Open the sandbox’s console</a> It has data to try things with, and needs a token of the sandbox.</p>
<p><button type="button" class="choice">Call production from here</button> Requests that write change the data of your organization.</p></div>`;

/**
 * What the console needs of the contract: the reference has the rest. Without servers: the page adds them, because it
 * knows its own origin.
 */
function consoleContract(contract: Contract, links: PortalLinks, scheme: string): string {
  const { openapi, info, components, ...rest } = withoutGuides(contract);
  const paths: Record<string, Record<string, object>> = {};
  for (const { path, method, operation } of routesOf(contract)) {
    paths[path] ??= {};
    paths[path][method] = consoleOperation(contract, operation as DescribedOperation, scheme);
  }
  const { schemas, securitySchemes } = components as Record<string, Record<string, object>>;
  const described = {
    openapi,
    info: { ...info, description: '' },
    tags: rest['tags'],
    paths,
    components: { schemas, securitySchemes: { [scheme]: securitySchemes?.[scheme] } },
  };
  return links.inText(JSON.stringify(described), links.toPage);
}

function consoleOperation(contract: Contract, operation: DescribedOperation, scheme: string): object {
  const { operationId, tags, summary, security = [], parameters, requestBody, responses } = operation;
  const reference = `[Reference](${operationPage(tags[0] ?? '', operationId)})`;
  const successful = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  return {
    operationId,
    tags,
    summary,
    description: `${permissionSentence({ operation })} · ${reference}`,
    security: security.filter((requirement) => scheme in requirement),
    // A reader would send the example of an optional header unintentionally.
    parameters: parameters.map(({ example, ...parameter }) =>
      parameter.in === 'header' && !parameter.required ? parameter : { ...parameter, example },
    ),
    requestBody: requestBody && {
      ...requestBody,
      content: Object.fromEntries(
        Object.entries(requestBody.content).map(([type, media]) => [
          type,
          type === 'multipart/form-data' ? withFieldExamples(contract, media) : media,
        ]),
      ),
    },
    responses: Object.fromEntries(
      successful.map(([status, { headers: _, ...response }]) => [status, response]),
    ),
  };
}

/** A form with the examples of its fields: Swagger UI does not read those of the whole form. A file has none. */
function withFieldExamples(contract: Contract, { schema, examples = {} }: MediaType): object {
  const [{ value } = {}] = Object.values(examples);
  const example = (value ?? {}) as Record<string, unknown>;
  const fields = Object.entries(propertiesOf(contract, schema)).map(([name, field]) => [
    name,
    field.format === 'binary' ? field : { ...field, example: example[name] },
  ]);
  return { schema: { ...resolve(contract, schema), properties: Object.fromEntries(fields) } };
}

/** The scheme of the organization token, which is sent as it is. */
function tokenScheme({ components }: Contract): string {
  const schemes = Object.entries((components['securitySchemes'] ?? {}) as Record<string, { type: string }>);
  const [name] = schemes.find(([, { type }]) => type === 'apiKey') ?? [];
  if (name === undefined) throw new Error('The contract has no token for the console.');
  return name;
}
