import { Marked, type RendererObject } from 'marked';

/**
 * Markdown as GitHub has it, but for raw HTML: that is text like any other. A tag must not become a token at all:
 * after a `<pre>` or `<script>` the library lets text through as it is.
 *
 * @param renderer what is rendered otherwise than the library does
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

/** The words of a line of Markdown, without its marks. */
export function plainText(line: string): string {
  return wordsOf(plain.parseInline(line, { async: false }));
}

const entities: Record<string, string> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' };

/** The words of markup that the library made. */
export function wordsOf(markup: string): string {
  return markup
    .replace(/<[^>]+>/g, '')
    .replace(/&(lt|gt|quot|#39|amp);/g, (_, name: string) => entities[name] ?? '');
}
