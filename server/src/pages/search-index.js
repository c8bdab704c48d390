// @ts-check
// The search index and its queries, shared by the build of the portal, its pages, and the tool of agents.
import MiniSearch from 'minisearch';
import { answers, operatorPages, suggested, synonyms } from './search-words.js';

/**
 * A page or a section of one. `keys` are names that readers may search for: method and path, error
 * codes, permissions, parameters, fields.
 * @typedef {{title: string, where: string, href: string, keys: string, text: string}} Entry
 */
/**
 * An entry that matches, with the index terms that did.
 * @typedef {Entry & {terms: string[], score: number}} Result
 */

/** How much a synonym counts, compared to the word that was typed. */
const synonymWeight = 0.5;
const stopWords = new Set(
  'a all an and any are be can did do does for has have how i in is it me my need not of on or our should the this to want was we what when which why with you your'.split(
    ' ',
  ),
);
const ending = /(?:(?:ic)?(?:ations?|at(?:e[ds]?|ing))|ments?|ings?|ie[ds]|ions?|e[ds]|[sye])$/;
const minimumStem = 3;

/**
 * The common beginning of all forms of a word: `authentic` for authenticate and authentication.
 * @param {string} word in lower case
 */
function stemOf(word) {
  const stem = word.replace(ending, '');
  return stem.length >= minimumStem ? stem : word.replace(/s$/, '');
}

/** @type {Map<string, string[]>} */
const synonymStems = new Map();
for (const line of synonyms) {
  const stems = line.split(' ').map(stemOf);
  for (const stem of stems) {
    synonymStems.set(stem, [...new Set([...(synonymStems.get(stem) ?? []), ...stems])]);
  }
}

/**
 * The index terms of a word: itself, its stem, and the parts of a camelCase name.
 * @param {string} word
 */
function termsOf(word) {
  const parts = word.split(/(?<=[\p{Ll}\d])(?=\p{Lu})/u);
  const words = [word, ...(parts.length > 1 ? parts : [])].map((part) => part.toLowerCase());
  return [...new Set(words.flatMap((one) => [one, stemOf(one)]))];
}

const options = {
  fields: ['title', 'keys', 'where', 'text'],
  storeFields: ['title', 'where', 'href', 'keys', 'text'],
  processTerm: termsOf,
};

/** @param {Entry[]} entries */
export function createIndex(entries) {
  const index = new MiniSearch(options);
  index.addAll(entries.map((entry, id) => ({ id, ...entry })));
  return index;
}

/** @param {string} json an index that was serialized with `JSON.stringify` */
export const loadIndex = (json) => MiniSearch.loadJSON(json, options);

/**
 * The same in small steps, between which a server handles requests.
 * @param {string} json
 */
export const loadIndexInTurns = (json) => MiniSearch.loadJSONAsync(json, options);

/** @param {string} word */
const allowedEdits = (word) => (word.length < 5 ? false : word.length < 7 ? 1 : 2);

/**
 * The answer of a query, if there is one, then the entries that match every word, best first. Misspellings count only if
 * nothing matches without them, and entries that match only some of the words if nothing matches all.
 * @param {MiniSearch} index
 * @param {string} query
 * @returns {Result[]}
 */
export function search(index, query) {
  const typed = query.trim().toLowerCase();
  const all = typed.split(/[\s/]+/).filter(Boolean);
  const significant = all.filter((word) => !stopWords.has(word));
  const words = significant.length > 0 ? significant : all;
  let found = matches(index, words, {});
  if (found.length === 0) found = matches(index, words, { misspelled: true });
  if (found.length === 0 && words.length > 1) found = matches(index, words, { some: true });
  const results = ranked(found, typed, words);
  const path = answerOf(all) ?? answerOf(words);
  const answer = results.find(({ href }) => href === path) ?? entriesAt(index, path ? [path] : [])[0];
  return answer ? [answer, ...results.filter((entry) => entry !== answer)] : results;
}

/** @param {string[]} words */
const phraseOf = (words) => words.flatMap((word) => word.split('-')).map(stemOf);
const answerPhrases = Object.entries(answers).flatMap(([path, all]) =>
  all.map((one) => ({ path, stems: phraseOf(one.split(' ')) })),
);

/**
 * The answer for these words in any order, or for some of them side by side.
 * @param {string[]} words
 */
function answerOf(words) {
  const phrase = phraseOf(words);
  const sorted = (/** @type {string[]} */ stems) => [...stems].sort().join(' ');
  const isWhole = answerPhrases.find(({ stems }) => sorted(stems) === sorted(phrase));
  const isWithin = (/** @type {string[]} */ stems) =>
    stems.length > 1 && ` ${phrase.join(' ')} `.includes(` ${stems.join(' ')} `);
  return (isWhole ?? answerPhrases.find(({ stems }) => isWithin(stems)))?.path;
}

/**
 * What the search shows before anything is typed.
 * @param {MiniSearch} index
 * @returns {Result[]}
 */
export const suggestions = (index) => entriesAt(index, suggested);

/**
 * @param {MiniSearch} index
 * @param {string[]} paths
 * @returns {Result[]}
 */
function entriesAt(index, paths) {
  if (paths.length === 0) return [];
  const entries = /** @type {Result[]} */ (/** @type {unknown} */ (index.search(MiniSearch.wildcard)));
  return paths
    .flatMap((path) => entries.find(({ href }) => href === path) ?? [])
    .map((entry) => ({ ...entry, terms: [] }));
}

/**
 * Ranks entries that are called what was typed, and those that have its words side by side, before others.
 * @param {Result[]} found
 * @param {string} typed
 * @param {string[]} words
 */
function ranked(found, typed, words) {
  const stems = words.map(stemOf).join(' ');
  const weight = (/** @type {Entry} */ { title, where, keys, text }) => {
    const titled = stemsIn(title);
    // A guide about it says more than a section that is called the same.
    if (where === 'Guide' && titled.startsWith(stems)) return 8;
    if (titled === stems || keys.toLowerCase().startsWith(`${typed} `)) return 8;
    if (words.length === 1) return 1;
    if (titled.includes(stems)) return 3;
    return stemsIn(text).includes(stems) ? 2 : 1;
  };
  return found
    .map((entry) => ({ entry, score: entry.score * weight(entry) }))
    .sort((one, other) => other.score - one.score)
    .map(({ entry }) => entry);
}

/** @param {string} text */
const stemsIn = (text) =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}_-]+/u)
    .filter((word) => word && !stopWords.has(word))
    .map(stemOf)
    .join(' ');

/**
 * @param {MiniSearch} index
 * @param {string[]} words
 * @param {{misspelled?: boolean, some?: boolean}} options `some`: an entry need not match every word
 */
function matches(index, words, { misspelled = false, some = false }) {
  const stemmed = { processTerm: stemOf, combineWith: /** @type {const} */ ('AND') };
  const queries = words.map((word) => ({
    combineWith: /** @type {const} */ ('OR'),
    queries: [
      { queries: [word], prefix: true, combineWith: /** @type {const} */ ('AND') },
      { queries: [word], ...stemmed, ...(misspelled && { fuzzy: allowedEdits }) },
      ...(synonymStems.get(stemOf(word)) ?? []).map((stem) => ({
        queries: [stem],
        boostTerm: () => synonymWeight,
      })),
    ],
  }));
  const found = index.search(
    { combineWith: some ? 'OR' : 'AND', queries },
    {
      processTerm: (term) => term,
      boost: { title: 12, keys: 3, where: 2 },
      boostDocument(_id, term, stored) {
        const { title, where, href } = /** @type {Entry} */ (stored);
        // It mentions everything.
        if (href === '/docs') return 0.5;
        if (operatorPages.includes(href.replace(/#.*$/, ''))) return 0.03;
        // Events have similar texts: one whose title does not match ranks below the guides about events.
        if (where === 'Changelog') return 0.1;
        // It repeats what the guides explain for every language.
        if (where === 'TypeScript client') return 0.15;
        if (where === 'Event') return title.toLowerCase().includes(term) ? 0.4 : 0.05;
        return where === 'Guide' ? 1.5 : 1;
      },
    },
  );
  return /** @type {Result[]} */ (/** @type {unknown} */ (found));
}

/**
 * Splits a text into parts, of which every second one matched.
 * @param {string} text
 * @param {string[]} terms
 */
export function highlight(text, terms) {
  const parts = [''];
  for (const [at, part] of text.split(/([\p{L}\p{N}]+)/u).entries()) {
    if (at % 2 === 1 && termsOf(part).some((term) => terms.includes(term))) parts.push(part, '');
    else parts[parts.length - 1] += part;
  }
  return parts;
}

/**
 * The text around the first match. If only names match, such as a parameter's, they precede the text.
 * @param {Result} result
 */
export function excerptOf({ keys, text, terms }) {
  const parts = highlight(text, terms);
  if (parts.length > 1) {
    const at = parts[0]?.length ?? 0;
    const start = at < 30 ? 0 : text.indexOf(' ', at - 25) + 1;
    return `${start > 0 ? '… ' : ''}${text.slice(start, start + 180).trim()}`;
  }
  const names = keys.split(' ').filter((key) => highlight(key, terms).length > 1);
  return [names.slice(0, 3).join(', '), text.slice(0, 180).trim()].filter(Boolean).join(' · ');
}
