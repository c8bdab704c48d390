import type { PortalLinks } from '../../../server/contract/index.ts';
import { type Html, html } from '../../../server/src/domain/html.ts';
import { guideSamples } from '../../generate/samples/guides.ts';
import { languageOf } from '../files/reference-markdown.ts';
import { plainText } from '../markdown/marked.ts';
import { renderMarkdown, type Section } from '../markdown/render.ts';
import type { SiteFile } from '../site-files.ts';
import { article, notFoundPath, pageOf, type Site } from './layout.ts';
import { portalPolicy } from './policy.ts';

export const markdownType = 'text/markdown; charset=utf-8';

/** A page of prose, before it is laid out. */
export interface Prose {
  path: string;
  title: string;
  markdown: string;
  /** Changes the page, but not its Markdown. */
  arrange?(body: Html): Html;
  scripts?: string[];
  /** The lowest level of headings in the table of contents. Default: 3. */
  contentsLevel?: number;
  /** The path of an Atom feed of the page. */
  feed?: string;
}

/** A laid-out page of prose, its Markdown, and its sections for the search. */
export interface ProsePage {
  page: SiteFile;
  markdown: SiteFile;
  path: string;
  title: string;
  sections: Section[];
}

/** Lays out a page of prose. Its Markdown has the same path with `.md`. */
export function prosePage(site: Site, links: PortalLinks, prose: Prose): ProsePage {
  const { path, title, markdown, arrange, scripts = [], contentsLevel = 3, feed } = prose;
  const operations = site.pages.groups.flatMap(({ routes }) => routes).filter(({ isEvent }) => !isEvent);
  const samplesOf = (shell: string) =>
    guideSamples(shell, operations).map(({ lang, label, source }) => {
      return { name: label, language: languageOf(lang), text: source };
    });
  const { body, sections } = renderMarkdown(markdown, { title, linkTo: links.toPage, samplesOf });
  const has = (name: string, part: string) => (body.markup.includes(part) ? [name] : []);
  const markdownPath = path === '/docs' ? '/docs/index.md' : `${path}.md`;
  const home = path === '/docs';
  const { summary } = site.pages;
  // A page for unknown paths has no address, so it has none as Markdown.
  const isFound = path !== notFoundPath;
  const page = pageOf(site, {
    path,
    title,
    ...(isFound && { markdownPath }),
    description: home ? `${summary} ${openingOf(markdown)}` : openingOf(markdown),
    styles: ['prose.css', 'search.css'],
    scripts: [
      ...(home ? ['moved.js'] : scripts),
      ...has('samples.js', '-sample"'),
      ...has('errors.js', 'class="errors-list"'),
    ],
    ...(feed && {
      head: html`<link rel="alternate" type="application/atom+xml" title="${title}" href="${feed}">`,
    }),
    body: article(site, {
      path,
      title,
      sections,
      contentsLevel,
      ...(isFound && { markdownPath }),
      ...(home && { lead: summary }),
      content: arrange ? arrange(body) : body,
    }),
  });
  const shown = markdown.trim().replaceAll(/^( *`{3,}\w+) any$/gm, '$1');
  const text = `# ${title}\n\n${links.inText(shown, links.toMarkdown)}\n`;
  return {
    page: { path, type: 'text/html; charset=utf-8', body: page, policy: portalPolicy() },
    markdown: { path: markdownPath, type: markdownType, body: text },
    path,
    title,
    sections,
  };
}

/** A first sentence shorter than this is followed by the second. */
const minimumOpening = 50;

/** The beginning of a text, without Markdown: one sentence, or two if the first is short. */
export function openingOf(markdown: string): string {
  const [paragraph = ''] = markdown.trim().split('\n\n');
  const sentences = plainText(paragraph.replaceAll('\n', ' ')).match(/.+?(?:[.!?:](?=\s|$)|$)\s*/g) ?? [];
  let opening = '';
  for (const sentence of sentences) {
    if (opening.length >= minimumOpening) break;
    opening += sentence;
  }
  return opening.trim().replace(/:$/, '.');
}
