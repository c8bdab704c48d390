import { Marked, type RendererObject } from 'marked';
import { type Html, html } from '../../../server/src/domain/html.ts';

/**
 * GitHub-flavored Markdown, but raw HTML is escaped like any other text. A tag must not become a token at all: after
 * `<pre>` or `<script>` the library does not escape text.
 *
 * @param renderer replaces the library's renderers
 */
export function markdownWith(renderer: RendererObject = {}): Marked {
  return new Marked({
    renderer: { codespan: ({ text }) => inlineCode(text), ...renderer },
    tokenizer: {
      html: () => undefined,
      tag: () => undefined,
    },
  });
}

/** A name of this length fits every line of a phone. */
const longestUnbroken = 28;

/** Inline code: a short name such as `Cache-Control` is a `<span>` that stays on one line, where browsers break hyphens. */
function inlineCode(text: string): string {
  const parts = text.split(/(?<=\s)|(?=\s)/).map((part) => {
    if (part.length > longestUnbroken) return breakable(part);
    return /\S-\S/.test(part) ? html`<span>${part}</span>` : part;
  });
  return html`<code>${parts}</code>`.markup;
}

/** The end of a word in a long name or path, but not in the origin of a URL, which the server replaces as a whole. */
const wordEnd = /(?<!^https?:\/{0,2}[^/]*)(?:(?<=\w[_.])(?=\w)|(?<=\S)(?=\/))/;

/** A long name or path, which may break between its words rather than within one. */
export function breakable(name: string): Html {
  return html`${name.split(wordEnd).map((part, index) => html`${index > 0 && html`<wbr>`}${part}`)}`;
}

const plain = markdownWith();

/** The text of a line of Markdown, without markup. */
export function plainText(line: string): string {
  return wordsOf(plain.parseInline(line, { async: false }));
}

const entities: Record<string, string> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' };

/** The text of HTML that the library rendered. */
export function wordsOf(markup: string): string {
  return markup
    .replace(/<[^>]+>/g, '')
    .replace(/&(lt|gt|quot|#39|amp);/g, (_, name: string) => entities[name] ?? '');
}
