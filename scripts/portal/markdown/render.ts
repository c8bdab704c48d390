import type { Parser, RendererObject, Token, Tokens } from 'marked';
import { type Html, html, trusted } from '../../../server/src/domain/html.ts';
import { highlight } from './highlight.ts';
import { breakable, markdownWith, wordsOf } from './marked.ts';

/** Maps a guide's link to its URL in the portal. */
export type LinkTo = (href: string) => string;

/** One of several texts that tabs offer. */
export interface Panel {
  name: string;
  /** As on a code fence. */
  language: string;
  text: string;
}

/** A link target: the page, a heading, or a list entry that begins with a code. */
export interface Section {
  kind: 'page' | 'heading' | 'entry';
  /** The URL fragment; empty for the page itself. */
  id: string;
  title: string;
  /** The level of the heading; for an entry, of the heading above it. */
  level: number;
  /** The text up to the next section. */
  text: string;
}

export interface RenderedPage {
  body: Html;
  /** In page order. Text before the first heading belongs to the first section, the page itself. */
  sections: Section[];
}

const entry = /^`([a-z][a-z0-9_]+)`:/;
/** Allowed link targets: the web, a mailbox, the portal; never a script. */
const allowedLink = /^(?:https?:|mailto:|[^:]*$|[/#])/;
const closingFence = /^ {0,3}(?:`{3,}|~{3,}) *$/;
const names: Record<string, string> = {
  ts: 'TypeScript',
  js: 'JavaScript',
  python: 'Python',
  go: 'Go',
  sh: 'Shell',
  json: 'JSON',
  http: 'HTTP',
  yaml: 'YAML',
  text: 'Text',
  '': 'Text',
};

/**
 * Renders a guide as HTML, and collects its sections for the table of contents and the search.
 *
 * @param samplesOf the equivalents of a shell block in other languages
 * @throws if a code fence is not closed: everything after it would be shown as code
 */
export function renderMarkdown(
  markdown: string,
  { title, linkTo, samplesOf }: { title: string; linkTo: LinkTo; samplesOf?: (shell: string) => Panel[] },
): RenderedPage {
  const sections: Section[] = [{ kind: 'page', id: '', title, level: 1, text: '' }];
  const taken = new Set<string>();
  const open = (kind: Section['kind'], name: string, level = sections.at(-1)?.level ?? 1): Section => {
    const section = { kind, id: unique(slug(name), taken), title: name, level, text: '' };
    sections.push(section);
    return section;
  };
  const addText = (text: string) => {
    const last = sections.at(-1);
    if (last) last.text = `${last.text} ${text}`.trim();
  };

  let requests = 0;
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
    // The library's name for a paragraph in a tight list.
    text(token) {
      return 'tokens' in token && token.tokens ? line(this.parser, token.tokens) : false;
    },
    code({ lang = '', text }) {
      addText(text);
      const language = lang.replace(/\s.*/, '');
      const others = (language === 'sh' && samplesOf?.(text)) || [];
      if (others.length === 0) return codeBlock(language, text).markup;
      requests += 1;
      const panels = [{ name: 'cURL', language, text }, ...others];
      return codeFrame('Request', panels, { name: `request-${requests}-sample`, inMarkdown: 1 }).markup;
    },
    listitem({ tokens: [first, ...more] }) {
      if (first?.type !== 'text' && first?.type !== 'paragraph') return false;
      const [, code] = entry.exec(first.raw) ?? [];
      const section = code && open('entry', code);
      const content = trusted(line(this.parser, first.tokens ?? []));
      const rest = trusted(this.parser.parse(more));
      if (!section) return html`<li>${content}${rest}</li>`.markup;
      const link = html`<a class="anchor" data-markdown-ignore href="#${section.id}" aria-label="Link to ${code}">#</a>`;
      return html`<li id="${section.id}" class="entry">${content}${link}${rest}</li>`.markup;
    },
    table({ header, rows }) {
      const cellsOf = (cells: Tokens.TableCell[]) =>
        cells.map(({ tokens }) => trusted(withBreaks(line(this.parser, tokens))));
      return table(cellsOf(header), rows.map(cellsOf)).markup;
    },
    link({ href, tokens }) {
      const text = this.parser.parseInline(tokens);
      return allowedLink.test(href) ? html`<a href="${linkTo(href)}">${trusted(text)}</a>`.markup : text;
    },
  };

  /** Renders a line of text, and adds it to the current section. */
  function line(parser: Parser, tokens: Token[]): string {
    const markup = parser.parseInline(tokens);
    addText(wordsOf(markup));
    return markup;
  }

  const marked = markdownWith(renderer);
  const tokens = marked.lexer(markdown);
  marked.walkTokens(tokens, checkFence);
  return { body: trusted(marked.parser(tokens)), sections };
}

/** The library accepts the end of the text as the end of the code. */
function checkFence(token: Token): void {
  if (token.type !== 'code' || (token as Tokens.Code).codeBlockStyle === 'indented') return;
  const [opening = '', ...lines] = token.raw.trimEnd().split('\n');
  if (closingFence.test(lines.at(-1) ?? '')) return;
  throw new Error(`The fence "${opening.trim()}" before "${lines[0]?.trim() ?? ''}" is not closed.`);
}

function table(head: Html[], rows: Html[][]): Html {
  const label = head.map(({ markup }) => wordsOf(markup)).filter(Boolean);
  // An empty header cell is not a header for screen readers.
  const heading = (cell: Html) => (cell.markup === '' ? html`<td></td>` : html`<th scope="col">${cell}</th>`);
  // Wide tables scroll, so the keyboard must reach them.
  return html`<div class="table" role="group" aria-label="${label.join(', ')}" tabindex="0"><table>
<thead><tr>${head.map(heading)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${row.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody>
</table></div>`;
}

/** A name of this length fits a column of a phone. */
const longestInColumn = 20;

/** Lets long names in code break after their words, where a narrow column would break within one. */
function withBreaks(markup: string): string {
  return markup.replaceAll(/(?<=<code>)[\w.]+(?=<\/code>)/g, (name) =>
    name.length > longestInColumn ? breakable(name).markup : name,
  );
}

function headingOf(level: number, id: string, name: string, content: Html): Html {
  const anchor = html`<a class="anchor" data-markdown-ignore href="#${id}" aria-label="Link to ${name}">#</a>`;
  if (level <= 2) return html`<h2 id="${id}">${content}${anchor}</h2>`;
  if (level === 3) return html`<h3 id="${id}">${content}${anchor}</h3>`;
  return html`<h4 id="${id}">${content}${anchor}</h4>`;
}

/** A code block in its frame. @param title shown above it; default: the language */
export function codeBlock(language: string, text: string, title = names[language] ?? language): Html {
  return codeFrame(title, [{ name: '', language, text }]);
}

/** As many as the style sheet has rules for. */
const maximumPanels = 12;

/**
 * Code with highlighting, in the frame that all code has: a line with its title, and tabs if there are several panels.
 * Radio buttons, or a list if their names are long, select a panel, without scripts. A script of the page adds the button that copies it.
 *
 * @param options.name of the radio buttons
 * @param options.inMarkdown how many of the panels the Markdown of the page has too; default: all
 */
export function codeFrame(
  title: string,
  panels: Panel[],
  { name = '', inMarkdown = panels.length }: { name?: string; inMarkdown?: number } = {},
): Html {
  const [first] = panels;
  if (!first) return html``;
  if (panels.length > maximumPanels)
    throw new Error(`"${title}" has ${panels.length} panels. The portal shows at most ${maximumPanels}.`);
  const tabs = panels.map(
    (panel, index) =>
      html`<label><input type="radio" name="${name}" value="${panel.name}"${index === 0 && html` checked`}>${panel.name}</label>`,
  );
  const areLong = panels.reduce((length, panel) => length + panel.name.length, 0) > 30;
  const choice =
    panels.length === 1
      ? html`<span>${first.name}</span>`
      : areLong
        ? html`<select aria-label="${title}">${panels.map((panel) => html`<option>${panel.name}</option>`)}</select>`
        : html`<div class="tabs">${tabs}</div>`;
  return html`<div class="code"${panels.length > 1 && html` role="group" aria-label="${title}"`}><div class="bar" data-markdown-ignore><strong>${title}</strong>${choice}</div>${panels.map(
    ({ language, text }, index) =>
      // It scrolls, so the keyboard must reach it.
      html`<pre tabindex="0"${index >= inMarkdown && html` data-markdown-ignore`}><code>${highlight(text, language)}</code></pre>`,
  )}</div>`;
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
