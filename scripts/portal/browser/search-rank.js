// @ts-check
import { nearStems, otherNames, stemOf, stemsOf, wordsOf } from './search-words.js';

/**
 * A place in the portal that the search can lead to.
 * @typedef {{title: string, where: string, href: string, keys: string, text: string}} Entry
 */

/**
 * A word that is looked for, and the stems that stand for it, each with how much it counts.
 * @typedef {{word: string, stems: Map<string, number>}} Sought
 */

/**
 * A title of one word that is found says more than one word found in a long title.
 * @typedef {{lower: string, stems: Set<string>, weight: number, isTitle: boolean}} Field
 */

/** How much a place counts in which a word is found: titles, then codes, methods, paths and names, then texts. */
const weights = { title: 12, keys: 3, where: 2, text: 1 };
/** How much it counts as what it is found. */
const as = { whole: 2, beginning: 1.5, form: 1.5, part: 1, otherName: 0.4, mistyped: 0.4 };
/** A whole page rather than a part of it. */
const wholePage = 1.5;
/** Nineteen events resemble each other: only those that are named come before what tells of all. */
const unnamedEvent = 0.05;

/** @type {WeakMap<Entry[], {entry: Entry, fields: Field[]}[]>} */
const read = new WeakMap();

/** @param {Entry[]} entries */
function readAll(entries) {
  const known = read.get(entries);
  if (known) return known;
  const all = entries.map((entry) => ({
    entry,
    fields: Object.entries(weights).map(([name, weight]) => {
      const text = entry[/** @type {keyof typeof weights} */ (name)];
      return { lower: text.toLowerCase(), stems: stemsOf(text), weight, isTitle: name === 'title' };
    }),
  }));
  read.set(entries, all);
  return all;
}

/**
 * What somebody looks for who writes this; slips are forgiven where no entry has what was written.
 * @param {Entry[]} entries
 * @param {string} asked
 * @returns {Sought[]}
 */
export function soughtIn(entries, asked) {
  const fields = readAll(entries).flatMap(({ fields }) => fields);
  return wordsOf(asked).map((word) => {
    const stems = new Map(otherNames(word).map((stem) => [stem, as.otherName]));
    stems.set(stemOf(word), as.form);
    const sought = { word, stems };
    if (!fields.some((field) => within(field, sought) > 0)) {
      const every = new Set(fields.flatMap((field) => [...field.stems]));
      for (const stem of nearStems(word, every)) stems.set(stem, as.mistyped);
    }
    return sought;
  });
}

/**
 * The entries in which everything is found that is sought, the likeliest first.
 * @param {Entry[]} entries
 * @param {Sought[]} sought
 * @returns {Entry[]}
 */
export function rank(entries, sought) {
  if (sought.length === 0) return [];
  const scored = readAll(entries).map(({ entry, fields }) => ({
    entry,
    score: scoreOf(entry, fields, sought),
  }));
  return scored
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .map(({ entry }) => entry);
}

/**
 * @param {Entry} entry
 * @param {Field[]} fields
 * @param {Sought[]} sought
 */
function scoreOf({ title, where }, fields, sought) {
  let sum = 0;
  let isNamed = true;
  for (const one of sought) {
    const scores = fields.map((field) => within(field, one));
    const score = scores.reduce((all, next) => all + next, 0);
    if (score === 0) return 0;
    if (scores[0] === 0) isNamed = false;
    sum += score;
  }
  if (where === 'Event' && !isNamed) return sum * unnamedEvent;
  // Of two that are alike, the one with the shorter title is more likely meant.
  return sum * (where === 'Guide' ? wholePage : 1) + 1 / title.length;
}

/**
 * @param {Field} field
 * @param {Sought} sought
 */
function within({ lower, stems, weight: most, isTitle }, { word, stems: meant }) {
  const weight = isTitle ? most * (0.4 + 0.6 / Math.max(stems.size, 1)) : most;
  const at = lower.indexOf(word);
  if (at >= 0) {
    const whole = new RegExp(`(?<![\\p{L}\\p{N}_])${literally(word)}(?![\\p{L}\\p{N}_])`, 'u');
    if (whole.test(lower)) return weight * as.whole;
    const begins = at === 0 || !/[\p{L}\p{N}_]/u.test(lower[at - 1] ?? '');
    if (begins) return weight * as.beginning;
  }
  let best = at >= 0 ? as.part : 0;
  for (const [stem, factor] of meant) if (factor > best && stems.has(stem)) best = factor;
  return weight * best;
}

/**
 * The words around what is found first. Where only the names of an entry have it, such as a parameter's, they stand
 * before its text.
 * @param {Entry} entry
 * @param {Sought[]} sought
 */
export function excerptOf({ keys, text }, sought) {
  const parts = marked(text, sought);
  if (parts.length > 1) {
    const at = parts[0]?.length ?? 0;
    const start = at < 30 ? 0 : text.indexOf(' ', at - 25) + 1;
    return `${start > 0 ? '… ' : ''}${text.slice(start, start + 180).trim()}`;
  }
  const names = keys.split(' ').filter((key) => marked(key, sought).length > 1);
  return [names.slice(0, 3).join(', '), text.slice(0, 180).trim()].filter(Boolean).join(' · ');
}

/**
 * A text in parts: every second one is what is sought.
 * @param {string} text
 * @param {Sought[]} sought
 */
export function marked(text, sought) {
  const literal = sought.map(({ word }) => literally(word)).join('|');
  /** @type {string[]} */
  const parts = [''];
  if (!literal) return [text];
  for (const [index, part] of text.split(new RegExp(`(${literal}|[\\p{L}\\p{N}]+)`, 'iu')).entries()) {
    const isSought = index % 2 === 1 && sought.some((one) => isFoundAs(part, one));
    if (isSought) parts.push(part, '');
    else parts[parts.length - 1] += part;
  }
  return parts;
}

/**
 * @param {string} part
 * @param {Sought} sought
 */
function isFoundAs(part, { word, stems }) {
  const lower = part.toLowerCase();
  return lower === word || stems.has(stemOf(lower));
}

/**
 * A word as a part of a pattern.
 * @param {string} word
 */
function literally(word) {
  return word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
