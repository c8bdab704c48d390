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
  return escaped(String(part));
}

const special = /[&<>"'\0]/;

/** UTF-16 units from which on a text is escaped byte by byte: a million of brackets take a tenth of the time. */
const longText = 10_000;

function escaped(text: string): string {
  if (!special.test(text)) return text;
  if (text.length < longText) {
    return text.replace(/[&<>"'\0]/g, (character) => entities.get(character.charCodeAt(0)) as string);
  }
  // Bytes of Latin-1 are characters already; decoding UTF-8 takes longer than all the rest.
  const encoding = /[\0\u0100-\uffff]/.test(text) ? 'utf8' : 'latin1';
  const source = Buffer.from(text, encoding);
  const target = Buffer.allocUnsafe(source.length * longestEntity);
  let end = 0;
  for (let at = 0; at < source.length; at++) {
    const byte = source[at] as number;
    const width = widths[byte] as number;
    if (width === 0) target[end++] = byte;
    else for (let index = 0; index < width; index++) target[end++] = letters[byte * 8 + index] as number;
  }
  return target.toString(encoding, 0, end);
}

/** By character code. */
const entities: ReadonlyMap<number, string> = new Map([
  [0x26, '&amp;'],
  [0x3c, '&lt;'],
  [0x3e, '&gt;'],
  [0x22, '&quot;'],
  [0x27, '&#39;'],
  // A parse error in HTML, and never meant.
  [0, '\u{FFFD}'],
]);
const longestEntity = '&quot;'.length;
/** The bytes of an entity, eight for each byte of a text, and how many of them there are. */
const [letters, widths] = [new Uint8Array(256 * 8), new Uint8Array(256)];
for (const [code, entity] of entities) widths[code] = Buffer.from(letters.buffer).write(entity, code * 8);
