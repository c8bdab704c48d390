import type { Parser, RendererObject, Token, Tokens } from 'marked';
import { type Html, html, trusted } from '../../../server/src/domain/html.ts';
import { highlight } from './highlight.ts';
import { markdownWith, wordsOf } from './marked.ts';

/** Where a link of a guide leads on a page of the portal. */
export type LinkTo = (href: string) => string;

/** A part of a page that a link can name: the page, a heading, or an entry of a list that begins with a code. */
export interface Section {
  kind: 'page' | 'heading' | 'entry';
  /** The fragment that names it; empty for the page itself. */
  id: string;
  title: string;
  /** Of the heading; of the one above it for an entry. */
  level: number;
  /** The words under it, up to the next section. */
  text: string;
}

export interface RenderedPage {
  body: Html;
  /** In the order of the page. What stands before the first heading is in the page's own, first section. */
  sections: Section[];
}

const entry = /^`([a-z][a-z0-9_]+)`:/;
/** Where a link may lead: to the web, to a mailbox, or within the portal; never to a script. */
const followed = /^(?:https?:|mailto:|[^:]*$|[/#])/;
const closingFence = /^ {0,3}(?:`{3,}|~{3,}) *$/;
const names: Record<string, string> = {
  ts: 'TypeScript',
  js: 'JavaScript',
  sh: 'Shell',
  json: 'JSON',
  http: 'HTTP',
  yaml: 'YAML',
};

/**
 * A guide as HTML, and its parts for the table of contents and the search.
 *
 * @throws where a fence is not closed: everything after it would be shown as code.
 */
export function renderMarkdown(
  markdown: string,
  { title, linkTo }: { title: string; linkTo: LinkTo },
): RenderedPage {
  const sections: Section[] = [{ kind: 'page', id: '', title, level: 1, text: '' }];
  const taken = new Set<string>();
  const open = (kind: Section['kind'], name: string, level = sections.at(-1)?.level ?? 1): Section => {
    const section = { kind, id: unique(slug(name), taken), title: name, level, text: '' };
    sections.push(section);
    return section;
  };
  const say = (words: string) => {
    const last = sections.at(-1);
    if (last) last.text = `${last.text} ${words}`.trim();
  };

  const renderer: RendererObject = {
    heading({ depth, tokens }) {
      const content = trusted(this.parser.parseInline(tokens));
      const name = wordsOf(content.markup);
      const { id } = open('heading', name, depth);
      return headingOf(depth, id, name, content).markup;
    },
    paragraph({ tokens }) {
      return `<p>${line(this.parser, tokens)}</p>`;
    },
    // In a list whose items are not apart, the library calls a paragraph so.
    text(token) {
      return 'tokens' in token && token.tokens ? line(this.parser, token.tokens) : false;
    },
    code({ lang = '', text }) {
      say(text);
      return codeBlock(lang.replace(/\s.*/, ''), text).markup;
    },
    listitem({ tokens: [first, ...more] }) {
      if (first?.type !== 'text' && first?.type !== 'paragraph') return false;
      const [, code] = entry.exec(first.raw) ?? [];
      const section = code && open('entry', code);
      const content = trusted(line(this.parser, first.tokens ?? []));
      const rest = trusted(this.parser.parse(more));
      if (!section) return html`<li>${content}${rest}</li>`.markup;
      const link = html`<a class="anchor" href="#${section.id}" aria-label="Link to ${code}">#</a>`;
      return html`<li id="${section.id}" class="entry">${content}${link}${rest}</li>`.markup;
    },
    table({ header, rows }) {
      const cellsOf = (cells: Tokens.TableCell[]) =>
        cells.map(({ tokens }) => trusted(line(this.parser, tokens)));
      return table(cellsOf(header), rows.map(cellsOf)).markup;
    },
    link({ href, tokens }) {
      const text = this.parser.parseInline(tokens);
      return followed.test(href) ? html`<a href="${linkTo(href)}">${trusted(text)}</a>`.markup : text;
    },
  };

  /** A line of text as HTML; its words belong to the section that is open. */
  function line(parser: Parser, tokens: Token[]): string {
    const markup = parser.parseInline(tokens);
    say(wordsOf(markup));
    return markup;
  }

  const marked = markdownWith(renderer);
  const tokens = marked.lexer(markdown);
  marked.walkTokens(tokens, checkFence);
  return { body: trusted(marked.parser(tokens)), sections };
}

/** The library takes the end of the text for the end of the code. */
function checkFence(token: Token): void {
  if (token.type !== 'code' || (token as Tokens.Code).codeBlockStyle === 'indented') return;
  const [opening = '', ...lines] = token.raw.trimEnd().split('\n');
  if (closingFence.test(lines.at(-1) ?? '')) return;
  throw new Error(`The fence "${opening.trim()}" before "${lines[0]?.trim() ?? ''}" is not closed.`);
}

function table(head: Html[], rows: Html[][]): Html {
  const label = head.map(({ markup }) => wordsOf(markup)).filter(Boolean);
  // A heading that says nothing is a cell like any other.
  const heading = (cell: Html) => (cell.markup === '' ? html`<td></td>` : html`<th scope="col">${cell}</th>`);
  // Wide tables scroll by themselves, with the keyboard as well.
  return html`<div class="table" role="group" aria-label="${label.join(', ')}" tabindex="0"><table>
<thead><tr>${head.map(heading)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${row.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody>
</table></div>`;
}

function headingOf(level: number, id: string, name: string, content: Html): Html {
  const anchor = html`<a class="anchor" href="#${id}" aria-label="Link to ${name}">#</a>`;
  if (level <= 2) return html`<h2 id="${id}">${content}${anchor}</h2>`;
  if (level === 3) return html`<h3 id="${id}">${content}${anchor}</h3>`;
  return html`<h4 id="${id}">${content}${anchor}</h4>`;
}

/** Code as it stands, in colours; a script of the page adds the button that copies it. */
function codeBlock(language: string, code: string): Html {
  const name = names[language] ?? language;
  const label = name ? html`<span class="language">${name}</span>` : '';
  // It scrolls, so the keyboard must reach it.
  return html`<div class="code">${label}<pre tabindex="0"><code>${highlight(code, language)}</code></pre></div>`;
}

function slug(text: string): string {
  const kept = text.toLowerCase().replaceAll(/[^\p{L}\p{N}_]+/gu, '-');
  return kept.replace(/^-+|-+$/g, '') || 'section';
}

function unique(id: string, taken: Set<string>): string {
  let name = id;
  for (let count = 2; taken.has(name); count += 1) name = `${id}-${count}`;
  taken.add(name);
  return name;
}
