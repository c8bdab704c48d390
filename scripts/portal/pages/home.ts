import type { PortalLinks } from '../../../server/contract/index.ts';
import { type Html, html, trusted } from '../../../server/src/domain/html.ts';
import { namedAddresses } from '../../../server/src/pages/served-addresses.ts';
import type { ContractPages, DescribedRoute } from '../contract/contract-pages.ts';
import { codeBlock } from '../markdown/render.ts';
import { type ProsePage, prosePage } from './guide-pages.ts';
import type { Site } from './layout.ts';

/** The operation of the first request: it needs nothing but a token, and its example is what the demo returns. */
const firstOperation = 'listWorkspaces';

/** `/docs`: the contract's introduction, with a first request beside its opening. */
export function homePage(site: Site, links: PortalLinks): ProsePage {
  const { title, introduction } = site.pages;
  return prosePage(site, links, { path: '/docs', title, markdown: introduction, arrange: withFirstRequest });

  function withFirstRequest(body: Html): Html {
    const end = body.markup.indexOf('<h2');
    const [opening, rest] = [body.markup.slice(0, end), body.markup.slice(end)].map(trusted);
    return html`<div class="opening"><div>${opening}</div>${firstRequest(site.pages)}</div>${rest}`;
  }
}

/** The sample of the first operation, and its example response. */
function firstRequest({ groups }: ContractPages): Html | undefined {
  const route = groups
    .flatMap(({ routes }) => routes)
    .find(({ operation }) => operation.operationId === firstOperation);
  const [sample] = route?.operation['x-codeSamples'] ?? [];
  if (!route || !sample) return undefined;
  // A new reader has a token of the sandbox.
  const request = sample.source.replace('$WRP_BASE_URL', namedAddresses.sandbox);
  return html`<section class="first-request" data-markdown-ignore aria-label="A first request">
${codeBlock('sh', request, 'Your first request')}${codeBlock('json', exampleOf(route), 'Response: 200', 12)}
<p>The token comes from your contact: <a href="/docs/get-access">Get access</a>.</p></section>`;
}

function exampleOf({ operation }: DescribedRoute): string {
  const { content = {} } = operation.responses['200'] ?? {};
  const { examples = {} } = content['application/json'] ?? {};
  const [example] = Object.values(examples) as { value?: unknown }[];
  return JSON.stringify(example?.value, null, 2);
}
