/** What a text contains that PostgreSQL cannot store, in words: it has no NUL, and a lone surrogate is no character. */
export function textProblem(text: string): string | undefined {
  if (text.includes('\0')) return 'NUL (U+0000)';
  return text.isWellFormed() ? undefined : 'a lone surrogate (U+D800 to U+DFFF)';
}

/** The text with U+FFFD for what cannot be stored. */
export function storableText(text: string): string {
  return text.replaceAll('\0', '\ufffd').toWellFormed();
}

/** The start of a text, of at most `max` UTF-16 units, that does not end within a surrogate pair. */
export function startOf(text: string, max: number): string {
  return text.slice(0, max).replace(/[\ud800-\udbff]$/, '');
}
