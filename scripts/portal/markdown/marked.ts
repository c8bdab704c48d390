import { Marked, type RendererObject } from 'marked';
import { html } from '../../../server/src/domain/html.ts';

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

/** Browsers break a line after a hyphen. A name of this length fits every line of a phone. */
const longestUnbroken = 28;

/** Inline code: a short name with hyphens, such as `Cache-Control`, is a `<span>` that stays on one line. */
function inlineCode(text: string): string {
  const parts = text.split(/(?<=\s)|(?=\s)/).map((part) => {
    const stays = /\S-\S/.test(part) && part.length <= longestUnbroken;
    return stays ? html`<span>${part}</span>` : part;
  });
  return html`<code>${parts}</code>`.markup;
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
