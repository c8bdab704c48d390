import { type Html, html } from '../../../server/src/domain/html.ts';
import { type Block, parseBlocks } from './blocks.ts';
import { highlight } from './highlight.ts';
import { inlines, type LinkTo, plainText } from './inlines.ts';

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
const names: Record<string, string> = {
  ...{ ts: 'TypeScript', js: 'JavaScript', sh: 'Shell', json: 'JSON', http: 'HTTP', yaml: 'YAML' },
};

/** A guide as HTML, and its parts for the table of contents and the search. */
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
  const line = (text: string) => inlines(text, linkTo);

  function block(one: Block): Html {
    if (one.kind === 'heading') {
      const name = plainText(one.text);
      const { id } = open('heading', name, one.level);
      return headingOf(one.level, id, name, line(one.text));
    }
    if (one.kind === 'paragraph') {
      say(plainText(one.text));
      return html`<p>${line(one.text)}</p>`;
    }
    if (one.kind === 'code') {
      say(one.code);
      return codeBlock(one.language, one.code);
    }
    if (one.kind === 'quote') return html`<blockquote>${one.blocks.map(block)}</blockquote>`;
    if (one.kind === 'table') return table(one);
    const items = one.items.map(item);
    return one.ordered ? html`<ol>${items}</ol>` : html`<ul>${items}</ul>`;
  }

  function item(blocks: Block[]): Html {
    const [first, ...more] = blocks;
    if (first?.kind !== 'paragraph') return html`<li>${blocks.map(block)}</li>`;
    const [, code] = entry.exec(first.text) ?? [];
    const section = code && open('entry', code);
    say(plainText(first.text));
    const rest = more.map(block);
    if (!section) return html`<li>${line(first.text)}${rest}</li>`;
    const link = html`<a class="anchor" href="#${section.id}" aria-label="Link to ${code}">#</a>`;
    return html`<li id="${section.id}" class="entry">${line(first.text)}${link}${rest}</li>`;
  }

  function table({ head, rows }: Extract<Block, { kind: 'table' }>): Html {
    say([head, ...rows].map((row) => row.map(plainText).join(' ')).join(' '));
    // A heading that says nothing is a cell like any other.
    const heading = (cell: string) =>
      cell === '' ? html`<td></td>` : html`<th scope="col">${line(cell)}</th>`;
    // Wide tables scroll by themselves, with the keyboard as well.
    return html`<div class="table" role="group" aria-label="${head.filter(Boolean).map(plainText).join(', ')}" tabindex="0"><table>
<thead><tr>${head.map(heading)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${row.map((cell) => html`<td>${line(cell)}</td>`)}</tr>`)}</tbody>
</table></div>`;
  }

  const body = html`${parseBlocks(markdown).map(block)}`;
  return { body, sections };
}

function headingOf(level: number, id: string, name: string, content: Html): Html {
  const anchor = html`<a class="anchor" href="#${id}" aria-label="Link to ${name}">#</a>`;
  if (level <= 2) return html`<h2 id="${id}">${content}${anchor}</h2>`;
  if (level === 3) return html`<h3 id="${id}">${content}${anchor}</h3>`;
  return html`<h4 id="${id}">${content}${anchor}</h4>`;
}

/** Code as it stands, in colours; a script of the page adds the button that copies it. */
export function codeBlock(language: string, code: string): Html {
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
