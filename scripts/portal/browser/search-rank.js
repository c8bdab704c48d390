// @ts-check

/**
 * A place in the portal that the search can lead to.
 * @typedef {{title: string, where: string, href: string, keys: string, text: string}} Entry
 */

/**
 * What is looked for, word by word.
 * @param {string} asked
 * @returns {string[]}
 */
export function wordsOf(asked) {
  return asked
    .toLowerCase()
    .split(/[\s/]+/)
    .filter(Boolean);
}

/**
 * The entries in which every word occurs, the likeliest first: titles count more than keys (codes, methods,
 * paths, names of operations), keys more than text, and whole words more than parts.
 * @param {Entry[]} entries
 * @param {string[]} words
 * @returns {Entry[]}
 */
export function rank(entries, words) {
  if (words.length === 0) return [];
  const scored = entries.map((entry) => ({ entry, score: scoreOf(entry, words) }));
  return scored
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .map(({ entry }) => entry);
}

/**
 * @param {Entry} entry
 * @param {string[]} words
 */
function scoreOf({ title, keys, text }, words) {
  let sum = 0;
  for (const word of words) {
    const score = within(title, word, 12) + within(keys, word, 8) + within(text, word, 1);
    if (score === 0) return 0;
    sum += score;
  }
  // Of two titles that have the words, the shorter one is more likely meant.
  return sum + 6 / (6 + title.length);
}

/**
 * @param {string} text
 * @param {string} word
 * @param {number} weight
 */
function within(text, word, weight) {
  const lower = text.toLowerCase();
  const at = lower.indexOf(word);
  if (at < 0) return 0;
  if (new RegExp(`(?<![\\p{L}\\p{N}])${literally(word)}(?![\\p{L}\\p{N}])`, 'u').test(lower))
    return weight * 2;
  const beginsWord = at === 0 || !/[\p{L}\p{N}]/u.test(lower[at - 1] ?? '');
  return beginsWord ? weight * 1.5 : weight;
}

/**
 * A word as a part of a pattern.
 * @param {string} word
 */
export function literally(word) {
  return word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/**
 * The words around the first match.
 * @param {string} text
 * @param {string[]} words
 */
export function excerptOf(text, words) {
  const lower = text.toLowerCase();
  const places = words.map((word) => lower.indexOf(word)).filter((at) => at >= 0);
  const at = places.length > 0 ? Math.min(...places) : 0;
  const start = at < 50 ? 0 : text.indexOf(' ', at - 40) + 1;
  return `${start > 0 ? '… ' : ''}${text.slice(start, start + 180).trim()}`;
}
