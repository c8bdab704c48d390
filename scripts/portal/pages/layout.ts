import { groupPage } from '../../../server/contract/index.ts';
import { type Html, html, trusted } from '../../../server/src/domain/html.ts';
import { operatorPages } from '../../../server/src/pages/search-words.js';
import { namedAddresses, shownIn } from '../../../server/src/pages/served-addresses.ts';
import type { ContractPages } from '../contract/contract-pages.ts';
import type { Section } from '../markdown/render.ts';

/** The data that all pages share. */
export interface Site {
  pages: ContractPages;
  /** The URL of a script or style sheet. */
  asset(name: string): string;
}

export interface PageParts {
  title: string;
  description: string;
  /** Also the target of its link in the navigation. */
  path: string;
  /** The path of the same page as Markdown. */
  markdownPath?: string;
  styles: string[];
  scripts?: string[];
  /** The page's heading for screen readers. Hidden until the page's script finds no other `h1`. */
  hiddenHeading?: string;
  /** Added to the head. */
  head?: Html;
  /** Everything below the header. */
  body: Html;
}

/** The page for unknown paths. */
export const notFoundPath = '/docs/not-found';

/** The icon of the portal. The sandbox's has another colour and shape, to distinguish its tabs from production's. */
const icon = (shape: string) =>
  html`<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">${shape}<path d="M7 10l4 12 5-11 5 11 4-12" fill="none" stroke="#fff" stroke-width="3" stroke-linejoin="round" stroke-linecap="round"/></svg>`,
  )}">`.markup;

/** The beginning of the title of each page, and its icon. */
export const sandboxTitle = trusted(shownIn(['sandbox'], 'Sandbox · '));
export const icons = trusted(
  shownIn(['production', 'elsewhere'], icon('<rect width="32" height="32" rx="7" fill="#1f4fd8"/>')) +
    shownIn(['sandbox'], icon('<circle cx="16" cy="16" r="16" fill="#8a4b00"/>')),
);

/** A whole page: head, the header that all pages share, and the body. */
export function pageOf(site: Site, page: PageParts): string {
  const { pages, asset } = site;
  const home = page.path === '/docs';
  const title = home ? pages.title : `${page.title} · ${pages.title}`;
  const document = html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${sandboxTitle}${title}</title>
<meta name="description" content="${page.description}">
<meta name="color-scheme" content="light dark">
${icons}
${page.path !== notFoundPath && html`<link rel="canonical" href="${namedAddresses.production}${page.path}">`}
${page.markdownPath && html`<link rel="alternate" type="text/markdown" href="${page.markdownPath}">`}
${['portal.css', ...page.styles].map((name) => html`<link rel="stylesheet" href="${asset(name)}">`)}
<script src="${asset('theme.js')}"></script>
<script type="module" src="${asset('portal.js')}"></script>
${page.scripts?.map((name) => html`<script type="module" src="${asset(name)}"></script>`)}
${page.head}
</head>
<body>
${page.markdownPath && html`<p class="unseen" aria-hidden="true">For agents: this page is also served as Markdown, at ${page.markdownPath}. All pages are listed in /llms.txt.</p>`}
<a class="skip" href="#content">Skip to content</a>
${header(site, page)}
${page.body}
</body>
</html>
`;
  return document.markup;
}

const search = trusted(
  '<svg aria-hidden="true" viewBox="0 0 16 16" width="15" height="15"><circle cx="7" cy="7" r="4.5" fill="none" stroke="currentColor" stroke-width="1.5"/><path d="M10.5 10.5L14 14" stroke="currentColor" stroke-width="1.5" stroke-linecap="round"/></svg>',
);
const theme = trusted(
  '<svg aria-hidden="true" viewBox="0 0 16 16" width="16" height="16"><circle cx="8" cy="8" r="6" fill="none" stroke="currentColor" stroke-width="1.5"/><path d="M8 2a6 6 0 0 1 0 12z" fill="currentColor"/></svg>',
);
const swap = trusted(
  '<svg aria-hidden="true" viewBox="0 0 16 16" width="14" height="14"><path d="M5 3L2 6h11M11 13l3-3H3" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round"/></svg>',
);
const bars = trusted(
  '<svg aria-hidden="true" viewBox="0 0 16 16" width="18" height="18"><path d="M2 4h12M2 8h12M2 12h12" stroke="currentColor" stroke-width="1.5" stroke-linecap="round"/></svg>',
);

/** Where the page is, and a link to the same page of the other environment, to which a script adds the fragment. */
function environments(path: string): Html {
  const [production, sandbox] = (['production', 'sandbox'] as const).map((name) => {
    const [own, other] = name === 'sandbox' ? ['Sandbox', 'production'] : ['Production', 'the sandbox'];
    const to = namedAddresses[name === 'sandbox' ? 'production' : 'sandbox'];
    const target = path === notFoundPath ? '/docs' : path;
    return shownIn(
      [name],
      html`<div class="environment ${name}" role="group" aria-label="Environment"><span class="current">${own}</span><a class="switch" data-same-place href="${to}${target}" title="This page in ${other}">${swap}<span><span class="long">Switch to </span>${other}</span></a></div>`
        .markup,
    );
  });
  return trusted(`${production}${sandbox}`);
}

/** The header of all pages. */
export function header(
  { pages, asset }: Site,
  { path, hiddenHeading }: Pick<PageParts, 'path' | 'hiddenHeading'>,
): Html {
  const places = [
    ['/docs', 'Guides'],
    ['/docs/reference', 'Reference'],
    ['/docs/redoc', 'Redoc'],
    ['/docs/changelog', 'Changelog'],
  ] as const;
  const isGuide = inOrder(pages.guides).some(({ to }) => to === path);
  const here = isGuide
    ? '/docs'
    : places.find(([to]) => to !== '/docs' && `${path}/`.startsWith(`${to}/`))?.[0];
  return html`<header class="top">
${hiddenHeading && html`<h1 class="unseen" hidden>${hiddenHeading}</h1>`}
<a class="brand" href="/docs"><span class="mark" aria-hidden="true"></span><span class="name">${pages.title}</span></a>
${environments(path)}
<nav class="places" aria-label="Portal">${places.map(
    ([to, name]) =>
      html`<a href="${to}"${to === here && html` aria-current="${to === path ? 'page' : 'true'}"`}>${name}</a>`,
  )}</nav>
<div class="tools">
<button type="button" class="find" data-search-index="${asset('search-index.json')}" aria-haspopup="dialog">${search}<span class="label">Search</span><kbd aria-hidden="true">Ctrl K</kbd></button>
<button type="button" class="theme" title="Light or dark" aria-label="Light or dark">${theme}</button>
<button type="button" class="menu" aria-expanded="false" aria-controls="menu" aria-label="Menu">${bars}</button>
</div>
</header>
<div class="drawer" id="menu" hidden></div>`;
}

/**
 * Links to all pages, in the same order on each; the current one is marked, and lists its operations if it is a page of
 * the reference. Those for operators come last, closed on other pages. A script shows them in the menu of narrow screens too, below the places of the header.
 */
export function sidebar({ guides, groups }: ContractPages, path: string): Html {
  const part = (name: string, links: [to: string, name: string, within?: Html][], isOpen = true) => {
    const items = links.map(
      ([to, text, within]) =>
        html`<li><a href="${to}"${to === path && html` aria-current="page"`}>${text}</a>${to === path && within}</li>`,
    );
    return html`<details${isOpen && html` open`}><summary class="part">${name}</summary><ul>${items}</ul></details>`;
  };
  const reference = part('Reference', [
    ['/docs/reference', 'All operations'],
    ...groups.map(({ name, title, routes }): [string, string, Html] => [
      groupPage(name),
      title,
      html`<ul class="within">${routes.map(
        ({ operation, method, isEvent }) =>
          html`<li><a href="#${operation.operationId}"${!isEvent && html` data-method="${method}"`}>${operation.summary}</a></li>`,
      )}</ul>`,
    ]),
  ]);
  const parts = [...Map.groupBy(inOrder(guides), (guide) => guide.part)].map(([name, within]) => {
    const forOperators = within.some(({ to }) => operatorPages.includes(to));
    const markup = part(
      name,
      within.map(({ to, title }) => [to, title]),
      !forOperators || within.some(({ to }) => to === path),
    );
    return { forOperators, markup };
  });
  const prose = (forOperators: boolean) =>
    parts.filter((one) => one.forOperators === forOperators).map(({ markup }) => markup);
  return html`<nav class="pages" aria-label="Pages">
${prose(false)}${reference}
${part('More', [['/docs/downloads', 'Downloads']])}${prose(true)}
</nav>`;
}

/** What agents and their users copy from a page. Without scripts, its links remain. */
export function pageMenu(markdownPath: string): Html {
  const copy = (what: string, path: string, name: string) =>
    html`<li hidden><button type="button" data-copy="${what}" data-path="${path}">${name}</button></li>`;
  return html`<details class="page-menu"><summary>Copy page</summary><div><ul>
${copy('content', markdownPath, 'Copy as Markdown')}
${copy('address', markdownPath, 'Copy link for agents')}
<li><a href="${markdownPath}">Open Markdown</a></li>
${copy('address', '/mcp', 'Copy MCP address')}
<li><a href="/docs/agents">Connect an agent</a></li>
</ul><p role="status"></p></div></details>`;
}

/** A page of prose: navigation, article, table of contents, and the pages before and after it. */
export function article(
  site: Site,
  {
    path,
    title,
    lead,
    content,
    sections,
    contentsLevel,
    markdownPath,
  }: {
    path: string;
    title: string;
    lead?: Html | string;
    content: Html;
    sections: Section[];
    /** The lowest level of headings in the table of contents. */
    contentsLevel: number;
    markdownPath?: string | undefined;
  },
): Html {
  const headings = sections.filter(({ kind, level }) => kind === 'heading' && level <= contentsLevel);
  const home = path === '/docs';
  const hasContents = headings.length > 1 && !home;
  return html`<div class="prose-layout${home && ' home'}">
<aside class="side" aria-label="All pages">${sidebar(site.pages, path)}</aside>
<main id="content" tabindex="-1">
<article class="prose">
${!home && partOf(inOrder(site.pages.guides).find(({ to }) => to === path)?.part)}
<div class="title"><h1>${title}</h1>${markdownPath && pageMenu(markdownPath)}</div>
${lead && html`<p class="lead" data-markdown-ignore>${lead}</p>`}
${hasContents && onThisPage(headings)}
${content}
</article>
${neighbours(site.pages, path)}
</main>
${
  hasContents &&
  html`<nav class="contents" aria-label="On this page"><p class="part">On this page</p>${linksTo(headings)}</nav>`
}
</div>`;
}

/** The part of the navigation that a page belongs to: screens without it beside the page show where the reader is. */
export function partOf(name: Html | string | undefined): Html {
  return html`${name && html`<p class="of-part" data-markdown-ignore>${name}</p>`}`;
}

/** The page before those of the libraries, which are in its part but not in the contract. */
const beforeLibraries = '/docs/mock';
const libraries = [
  { to: '/docs/client', title: 'TypeScript client' },
  { to: '/docs/frontends', title: 'Frontends' },
];

/** The introduction, which belongs to the first part, the guides, and the pages of the libraries. */
function inOrder(guides: ContractPages['guides']): { to: string; title: string; part: string }[] {
  const introduction = { to: '/docs', title: 'Introduction', part: guides[0]?.part ?? 'Guides' };
  return [introduction, ...guides.map((guide) => ({ ...guide, to: `/docs/${guide.name}` }))].flatMap(
    (page) =>
      page.to === beforeLibraries ? [page, ...libraries.map((one) => ({ ...one, part: page.part }))] : [page],
  );
}

type Target = Pick<Section, 'id' | 'title'> & { level?: number };

const linksTo = (sections: Target[]) =>
  html`<ul>${sections.map(({ id, title, level = 2 }) => html`<li class="level-${level}"><a href="#${id}">${title}</a></li>`)}</ul>`;

/** The contents of a page below its title, for screens without them beside it. */
export function onThisPage(sections: Target[]): Html {
  return html`<details class="on-this-page" data-markdown-ignore><summary>On this page</summary>${linksTo(sections)}</details>`;
}

function neighbours({ guides }: ContractPages, path: string): Html {
  const all = inOrder(guides);
  const at = all.findIndex(({ to }) => to === path);
  const before = at > 0 ? all[at - 1] : undefined;
  const after = at >= 0 ? all[at + 1] : undefined;
  if (!before && !after) return html``;
  return html`<nav class="neighbours" aria-label="Previous and next">
${before && html`<a rel="prev" href="${before.to}"><span>Previous</span>${before.title}</a>`}
${after && html`<a rel="next" href="${after.to}"><span>Next</span>${after.title}</a>`}
</nav>`;
}
