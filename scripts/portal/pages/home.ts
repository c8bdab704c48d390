import type { PortalLinks } from '../../../server/src/contract/portal-links.ts';
import { type Html, html } from '../../../server/src/domain/html.ts';
import { openingOf, type ProsePage, prosePage } from './guide-pages.ts';
import type { Site } from './layout.ts';

/** `/docs`: an overview of the platform and its documentation. */
export function homePage(site: Site, links: PortalLinks): ProsePage {
  const { title, introduction, guides } = site.pages;
  const cards = guides.map(({ name, title: guideTitle, description }) =>
    card(`/docs/${name}`, guideTitle, openingOf(description)),
  );
  const tools = [
    card(
      '/docs/reference',
      'Reference',
      'Every operation and event, with its permission, errors and examples.',
    ),
    card('/docs/console', 'Console', 'Call the sandbox or your mock from the browser.'),
    card('/docs/changelog', 'Changelog', 'Changes in each release.'),
    card('/docs/downloads', 'Downloads', 'OpenAPI document, Postman collection, client, Markdown.'),
  ];
  const after = html`<h2 id="guides">Guides</h2>
<ul class="cards">${cards}</ul>
<h2 id="reference-and-tools">Reference and tools</h2>
<ul class="cards">${tools}</ul>`;
  return prosePage(site, links, { path: '/docs', title, markdown: introduction, after });
}

function card(to: string, title: string, text: string): Html {
  return html`<li><a href="${to}"><strong>${title}</strong>${text}</a></li>`;
}
