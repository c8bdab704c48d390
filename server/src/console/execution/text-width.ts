const narrow = /[iljtfr.,:;|!'()[\]{}· ]/;
const broad = /[mwMW@%…]/;
const double =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303f\uff01-\uff60]/u;

/** About how wide a text is in the fonts of the pages, rather too wide than too narrow. Pixels. */
export function textWidth(text: string, size: number): number {
  let ems = 0;
  for (const character of text) {
    if (double.test(character)) ems += 1.05;
    else if (broad.test(character)) ems += 0.95;
    else if (narrow.test(character)) ems += 0.38;
    else ems += /\p{Lu}/u.test(character) ? 0.74 : 0.62;
  }
  return ems * size;
}

/** A text of at most this number of characters, on one line. */
export function cut(text: string, length: number): string {
  const line = [...text.replaceAll(/[\s\p{Cc}\p{Bidi_Control}]+/gu, ' ')];
  return line.length > length ? `${line.slice(0, length - 1).join('')}…` : line.join('');
}

/** A text, or the beginning of one that is wider. Pixels. */
export function fit(text: string, size: number, width: number): string {
  let length = text.length;
  while (length > 1 && textWidth(cut(text, length), size) > width) length--;
  return cut(text, length);
}
