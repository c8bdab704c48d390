// @ts-check
// Words by which people look for one thing: its forms, other names for it, and slips of the finger.

/** Each line is of words that are looked for alike. */
const sameThing = [
  'pagination paging page',
  'login signin authentication authorize',
  'password secret credential',
  'cors browser origin',
  'retry repeat',
  'quota budget limit',
  'size large bytes mib',
  'python java php ruby csharp golang generator',
  'hook webhook callback',
  'attach upload file',
  'delete remove',
  'url address',
];
/** They say nothing of what is looked for. */
const small = new Set(
  'a an and are can do does for how i in is it my of on or the to what when with'.split(' '),
);
const ending = /(?:(?:ic)?(?:ations?|at(?:e[ds]?|ing))|ments?|ings?|ie[ds]|ions?|e[ds]|[sye])$/;
const shortestStem = 3;
/** A shorter word with one letter changed is another word. */
const shortestMistyped = 5;

/**
 * What a word begins with in all its forms: `authentic` of authenticate and authentication.
 * @param {string} word
 */
export function stemOf(word) {
  const stem = word.replace(ending, '');
  return stem.length >= shortestStem ? stem : word.replace(/s$/, '');
}

/** @type {Map<string, string[]>} */
const others = new Map();
for (const names of sameThing) {
  const stems = names.split(' ').map(stemOf);
  for (const stem of stems) others.set(stem, stems);
}

/**
 * The stems of the other names for what a word names.
 * @param {string} word
 */
export function otherNames(word) {
  return others.get(stemOf(word)) ?? [];
}

/**
 * What is looked for, word by word.
 * @param {string} asked
 * @returns {string[]}
 */
export function wordsOf(asked) {
  const words = asked
    .toLowerCase()
    .split(/[\s/]+/)
    .filter(Boolean);
  const telling = words.filter((word) => !small.has(word));
  return telling.length > 0 ? telling : words;
}

/**
 * The stems of all words of a text.
 * @param {string} text
 */
export function stemsOf(text) {
  return new Set((text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).map(stemOf));
}

/**
 * Those of some stems that are one slip away from a word: a letter too many, too few, or another, or two swapped.
 * @param {string} word
 * @param {Iterable<string>} stems
 */
export function nearStems(word, stems) {
  if (word.length < shortestMistyped) return [];
  const meant = stemOf(word);
  return [...stems].filter((stem) => isOneSlip(meant, stem));
}

/**
 * @param {string} one
 * @param {string} other
 */
function isOneSlip(one, other) {
  if (Math.abs(one.length - other.length) > 1) return false;
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  const [rest, left] = [one.slice(at), other.slice(at)];
  return (
    rest.slice(1) === left ||
    rest === left.slice(1) ||
    rest.slice(1) === left.slice(1) ||
    (rest[0] === left[1] && rest[1] === left[0] && rest.slice(2) === left.slice(2))
  );
}
