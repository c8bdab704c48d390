import type { Locator, Place } from '../../contract/locator.ts';
import type { Break } from './break.ts';

/** A change that breaks clients, at the place of what is left of it. */
export type PlacedBreak = Break & Place;

/** Finds the places of changes in the source of the current contract. */
export function placedBreaks(breaks: readonly Break[], locator: Locator): PlacedBreak[] {
  return breaks.map((one) => ({ ...one, ...locator.at([...bundleKeys(one.where), keywordOf(one)]) }));
}

/** Many rules are named for the keyword that they compare: `enum-values-added`. Its line is the one that has changed. */
const keywordOf = ({ rule }: Break) => rule.slice(0, rule.indexOf('-'));

/** `/link post responses` → the keys of the bundle. */
function bundleKeys(where: string): string[] {
  const keys = where.split(' ');
  return where.startsWith('/') ? ['paths', ...keys] : keys;
}
