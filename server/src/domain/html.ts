/** Markup that is safe to put into markup: whatever went into it was escaped. */
export class Html {
  readonly markup: string;

  constructor(markup: string) {
    this.markup = markup;
  }
}

export type HtmlPart = Html | string | number | false | null | undefined | readonly HtmlPart[];

/**
 * A template whose values are escaped, in text and in quoted attributes: only another template goes in as it
 * is. Nothing is left of `false`, `null` and `undefined`; a list is joined.
 */
export function html(markup: TemplateStringsArray, ...parts: HtmlPart[]): Html {
  return new Html(markup.reduce((done, next, index) => done + markupOf(parts[index - 1]) + next));
}

/** Markup of our own that is no template: a style sheet, a script. Never anything that came from outside. */
export function trusted(markup: string): Html {
  return new Html(markup);
}

function markupOf(part: HtmlPart): string {
  if (part === false || part === null || part === undefined) return '';
  if (part instanceof Html) return part.markup;
  if (typeof part === 'object') return part.map(markupOf).join('');
  return String(part).replace(/[&<>"'\0]/g, (character) => entities[character] as string);
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  // A parse error in HTML, and never meant.
  '\0': '\u{FFFD}',
};
