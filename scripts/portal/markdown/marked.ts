import { Marked, type RendererObject } from 'marked';

/**
 * GitHub-flavored Markdown, but raw HTML is escaped like any other text. A tag must not become a token at all: after
 * `<pre>` or `<script>` the library does not escape text.
 *
 * @param renderer replaces the library's renderers
 */
export function markdownWith(renderer: RendererObject = {}): Marked {
  return new Marked({
    renderer,
    tokenizer: {
      html: () => undefined,
      tag: () => undefined,
    },
  });
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
