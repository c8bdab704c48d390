import { diffArrays } from 'diff';

/** Both versions of a piece of HTML, with the texts that differ in `del` and `ins`. */
export type MarkedHtml = { before: string; after: string; marks: number };

/** Tags, entities, words, white space, and any other character. */
const token = /<[^>]*>|&[^\s;]+;|[\p{L}\p{N}_]+|\s+|[\s\S]/gu;
const longestMilliseconds = 5_000;

/**
 * Marks differences. Each version keeps its own tags, so both stay well-formed.
 * @param prefix of the ids of marks, `<prefix>-1` and so on
 */
export function markedHtml(before: string, after: string, prefix: string): MarkedHtml {
  const [from, to] = [before.match(token) ?? [], after.match(token) ?? []];
  const changes = diffArrays(from, to, { timeout: longestMilliseconds }) ?? [
    { value: from, removed: true, added: false },
    { value: to, removed: false, added: true },
  ];
  let marks = 0;
  const open = (tag: string) => `<${tag} id="${prefix}-${++marks}">`;
  const result = { before: '', after: '' };
  for (const { value, removed, added } of changes) {
    if (removed) result.before += wrapped(value, 'del', open);
    else if (added) result.after += wrapped(value, 'ins', open);
    else {
      result.before += value.join('');
      result.after += value.join('');
    }
  }
  return { ...result, marks };
}

/** Wraps each run of text between tags. */
function wrapped(tokens: readonly string[], tag: 'ins' | 'del', open: (tag: string) => string): string {
  let markup = '';
  let run = '';
  const flush = () => {
    markup += run.trim() === '' ? run : `${open(tag)}${run}</${tag}>`;
    run = '';
  };
  for (const one of tokens) {
    if (/^<./.test(one)) {
      flush();
      markup += one;
    } else run += one;
  }
  flush();
  return markup;
}
