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
const errorList = /^- `[a-z][a-z0-9_]+`: .* Retry: /;
/** What an entry of an error has in its rendered line: its text, and when to retry. */
const errorEntry = /^<code>.*?<\/code>: (.*?) Retry: (.*)\.$/s;
/** A heading with a number is a step, whose URL fragment leaves the number out. */
const stepNumber = /^\d+\. /;
/** Allowed link targets: the web, a mailbox, the portal; never a script. */
const allowedLink = /^(?:https?:|mailto:|[^:]*$|[/#])/;
const closingFence = /^ {0,3}(?:`{3,}|~{3,}) *$/;
const languages: Record<string, string> = {
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
      const content = trusted(this.parser.parseInline(tokens).replace(stepNumber, ''));
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
    list({ raw, items }) {
      if (!errorList.test(raw)) return false;
      return `<ul class="errors-list">${items.map((item) => this.listitem(item)).join('\n')}</ul>`;
    },
    listitem({ tokens: [first, ...more] }) {
      if (first?.type !== 'text' && first?.type !== 'paragraph') return false;
      const [, code] = entry.exec(first.raw) ?? [];
      const section = code && open('entry', code);
      const content = trusted(line(this.parser, first.tokens ?? []));
      const rest = trusted(this.parser.parse(more));
      if (!section) return html`<li>${content}${rest}</li>`.markup;
      const link = html`<a class="anchor" data-markdown-ignore href="#${section.id}" aria-label="Link to ${code}">#</a>`;
      const [, text = '', retry] = errorEntry.exec(content.markup) ?? [];
      if (!retry) return html`<li id="${section.id}" class="entry">${content}${link}${rest}</li>`.markup;
      const heading = sections.findLast(({ kind }) => kind === 'heading')?.title ?? '';
      const [status] = /^\d+(?=:)/.exec(heading) ?? /(?<=\()\d{3}(?=\))/.exec(text) ?? [];
      const meaning = text.replace(/^[a-z]/, (letter) => letter.toUpperCase());
      return html`<li id="${section.id}" class="entry"><span class="status">${status}</span> <div><code>${breakable(code)}</code>${link}</div> <p>${trusted(meaning)}</p> <p class="retry">Retry: ${trusted(retry)}</p></li>`
        .markup;
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
  const parts = runsOf(tokens).map((run) => {
    const [first = []] = run;
    if (run.length === 1)
      return { level: levelOf(first), isStep: isStep(first), markup: marked.parser(first) };
    const [above] = sections.slice(-1);
    const bodies = run.map((part) => {
      const body = trusted(marked.parser(part));
      return { name: sections.findLast(({ kind }) => kind === 'heading')?.title ?? '', body };
    });
    return {
      level: levelOf(first),
      isStep: false,
      markup: alternatives(`${above?.id}-sample`, bodies).markup,
    };
  });
  return { body: trusted(withSteps(parts)), sections };
}

const levelOf = ([first]: Token[]) => (first?.type === 'heading' ? (first as Tokens.Heading).depth : 0);
const isStep = ([first]: Token[]) =>
  first?.type === 'heading' && stepNumber.test((first as Tokens.Heading).text);

/** The parts of a text, each from a heading to the next. Those of a run are alternatives: headings of level 4 with code. */
function runsOf(tokens: Token[]): Token[][][] {
  const parts: Token[][] = [[]];
  for (const token of tokens) {
    if (token.type === 'heading') parts.push([token]);
    else parts.at(-1)?.push(token);
  }
  const runs: Token[][][] = [];
  for (const [index, part] of parts.entries()) {
    const isOne = (one: Token[] = []) => levelOf(one) === 4 && one.some(({ type }) => type === 'code');
    if (isOne(part) && isOne(parts[index - 1])) runs.at(-1)?.push(part);
    else runs.push([part]);
  }
  return runs;
}

/** Each step, with what belongs to it, is a section. */
function withSteps(parts: { level: number; isStep: boolean; markup: string }[]): string {
  let isOpen = false;
  const sections = parts.map(({ level, isStep, markup }) => {
    const closes = isOpen && (level === 1 || level === 2);
    if (closes) isOpen = false;
    isOpen ||= isStep;
    return `${closes ? '</section>' : ''}${isStep ? '<section class="step">' : ''}${markup}`;
  });
  return `${sections.join('')}${isOpen ? '</section>' : ''}`;
}

/** Texts of which a reader needs one, as tabs. Without scripts, and in print, all are shown below each other. */
function alternatives(name: string, texts: { name: string; body: Html }[]): Html {
  const names = texts.map((text) => text.name);
  return html`<div class="alternatives" role="group" aria-label="${names.join(', ')}"><div class="bar" data-markdown-ignore>${tabsOf(name, names)}</div>${texts.map(({ body }) => html`<section>${body}</section>`)}</div>`;
}

/** Radio buttons that select one of several panels, without scripts. */
function tabsOf(group: string, names: string[]): Html {
  return html`<div class="tabs">${names.map(
    (name, index) =>
      html`<label><input type="radio" name="${group}" value="${name}"${index === 0 && html` checked`}>${name}</label>`,
  )}</div>`;
}

/** The library accepts the end of the text as the end of the code. */
function checkFence(token: Token): void {
  if (token.type !== 'code' || (token as Tokens.Code).codeBlockStyle === 'indented') return;
  const [opening = '', ...lines] = token.raw.trimEnd().split('\n');
  if (closingFence.test(lines.at(-1) ?? '')) return;
  throw new Error(`The fence "${opening.trim()}" before "${lines[0]?.trim() ?? ''}" is not closed.`);
}

/** A cell of this length stays on one line, and a column with a longer one than `longText` is not narrow. */
const shortText = 12;
const longText = 24;

/** On a phone, each row is a block: its first cell is the title, and the second needs no label if it is the last. */
function table(head: Html[], rows: Html[][]): Html {
  const textOf = (cell: Html | undefined) => wordsOf(cell?.markup ?? '');
  const names = head.map(textOf);
  const heading = (cell: Html, column: number) => {
    // An empty header cell is not a header for screen readers.
    if (names[column] === '') return html`<td></td>`;
    const isLong = head.length > 2 && rows.some((row) => textOf(row[column]).length > longText);
    return html`<th scope="col"${isLong && html` class="long"`}>${cell}</th>`;
  };
  const cellOf = (cell: Html, column: number) => {
    if (head.length < 3) return html`<td>${cell}</td>`;
    const isShort = textOf(cell).length <= shortText;
    return html`<td${column > 0 && html` data-label="${names[column]}"`}${isShort && html` class="short"`}>${cell}</td>`;
  };
  // Wide tables scroll, so the keyboard must reach them.
  return html`<div class="table" role="group" aria-label="${names.filter(Boolean).join(', ')}" tabindex="0"><table>
<thead><tr>${head.map(heading)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${row.map(cellOf)}</tr>`)}</tbody>
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
export function codeBlock(
  language: string,
  text: string,
  title = languages[language] ?? language,
  mostLines?: number,
): Html {
  return codeFrame(title, [{ name: '', language, text }], { mostLines });
}

/** As many as the style sheet has rules for. */
const maximumPanels = 12;

/**
 * Code with highlighting, in the frame that all code has: a line with its title, and tabs if there are several panels.
 * Radio buttons, or a list if their names are long, select a panel, without scripts. A script of the page adds the button that copies it.
 *
 * @param options.name of the radio buttons
 * @param options.inMarkdown how many of the panels the Markdown of the page has too; default: all
 * @param options.mostLines where scripts run, longer code is cut above a button that shows all of it; default: 30
 */
export function codeFrame(
  title: string,
  panels: Panel[],
  {
    name = '',
    inMarkdown = panels.length,
    mostLines = 30,
  }: { name?: string; inMarkdown?: number; mostLines?: number | undefined } = {},
): Html {
  const [first] = panels;
  if (!first) return html``;
  if (panels.length > maximumPanels)
    throw new Error(`"${title}" has ${panels.length} panels. The portal shows at most ${maximumPanels}.`);
  const names = panels.map((panel) => panel.name);
  const areLong = names.join('').length > 30;
  const choice =
    panels.length === 1
      ? html`<span>${first.name}</span>`
      : areLong
        ? html`<select aria-label="${title}">${names.map((one) => html`<option>${one}</option>`)}</select>`
        : tabsOf(name, names);
  const linesOf = ({ text }: Panel) => text.trimEnd().split('\n').length;
  const isLong = panels.some((panel) => linesOf(panel) > mostLines);
  const shown = panels.map((panel, index) => {
    // It scrolls, so the keyboard must reach it.
    const pre = html`<pre tabindex="0"${index >= inMarkdown && html` data-markdown-ignore`}><code>${highlight(panel.text, panel.language)}</code></pre>`;
    if (!isLong) return pre;
    const lines = linesOf(panel);
    return html`<section>${pre}${lines > mostLines && html`<button type="button" class="more" data-markdown-ignore aria-expanded="false">Show all ${lines} lines</button>`}</section>`;
  });
  return html`<div class="code"${panels.length > 1 && html` role="group" aria-label="${title}"`}><div class="bar" data-markdown-ignore><strong>${title}</strong>${choice}</div>${shown}</div>`;
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
