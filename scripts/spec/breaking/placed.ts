import { formatPlace, type Locator, type Place } from '../../contract/locator.ts';
import type { Break } from './break.ts';

/** A change that breaks clients, at the place of what is left of it. */
export type PlacedBreak = Break & Place;

/** Finds the places of changes in the source of the current contract. */
export function placedBreaks(breaks: readonly Break[], locator: Locator): PlacedBreak[] {
  return breaks.map((one) => {
    const keys = bundleKeys(one.where);
    const owner = locator.at(keys);
    // Many rules name the keyword that they compare: `enum-values-added`, `parameter-became-required`. Its line has changed.
    const keyword = one.rule
      .split('-')
      .map((word) => locator.at([...keys, word]))
      .find((place) => formatPlace(place) !== formatPlace(owner));
    return { ...one, ...(keyword ?? owner) };
  });
}

/** `/link post responses` → the keys of the bundle. */
function bundleKeys(where: string): string[] {
  const keys = where.split(' ');
  return where.startsWith('/') ? ['paths', ...keys] : keys;
}
