import { type Html, html } from '../../../server/src/domain/html.ts';

/** Where a link of a guide leads on a page of the portal. */
export type LinkTo = (href: string) => string;

const patterns = [
  { name: 'code', pattern: /^(`+)(.+?)\1(?!`)/s },
  { name: 'strong', pattern: /^\*\*(.+?)\*\*/s },
  { name: 'emphasis', pattern: /^\*([^\s*](?:[^*]*[^\s*])?)\*/s },
  { name: 'link', pattern: /^\[((?:[^[\]]|\[[^\]]*\])+)\]\(([^()\s]*(?:\([^()\s]*\)[^()\s]*)*)\)/ },
  { name: 'address', pattern: /^<(https?:\/\/[^\s<>]+)>/ },
  { name: 'escaped', pattern: /^\\([!-/:-@[-`{-~])/ },
] as const;

/** A line of Markdown as HTML: code, strong, emphasis and links; everything else is text. */
export function inlines(text: string, linkTo: LinkTo): Html {
  const parts: Html[] = [];
  let plain = '';
  let rest = text;
  const flush = () => {
    if (plain) parts.push(html`${plain}`);
    plain = '';
  };
  while (rest) {
    const found = match(rest);
    if (!found) {
      const step = /^[^`*[<\\]+/.exec(rest)?.[0] ?? rest.slice(0, 1);
      plain += step;
      rest = rest.slice(step.length);
      continue;
    }
    rest = rest.slice(found.length);
    if (found.name === 'escaped') plain += found.first;
    else {
      flush();
      parts.push(render(found, linkTo));
    }
  }
  flush();
  return html`${parts}`;
}

interface Match {
  name: (typeof patterns)[number]['name'];
  length: number;
  first: string;
  second: string;
}

function match(text: string): Match | undefined {
  for (const { name, pattern } of patterns) {
    const [whole, first = '', second = ''] = pattern.exec(text) ?? [];
    if (whole !== undefined) return { name, length: whole.length, first, second };
  }
  return undefined;
}

function render({ name, first, second }: Match, linkTo: LinkTo): Html {
  if (name === 'code') return html`<code>${second.trim()}</code>`;
  if (name === 'strong') return html`<strong>${inlines(first, linkTo)}</strong>`;
  if (name === 'emphasis') return html`<em>${inlines(first, linkTo)}</em>`;
  if (name === 'address') return html`<a href="${first}" rel="noreferrer">${first}</a>`;
  return html`<a href="${linkTo(second)}">${inlines(first, linkTo)}</a>`;
}

/** The words of a line of Markdown, without its marks. */
export function plainText(text: string): string {
  const { markup } = inlines(text, (href) => href);
  return markup
    .replace(/<[^>]+>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}
