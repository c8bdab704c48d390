import { formatPlace, type Locator, type Place, sourceLocator } from '../../contract/locator.ts';
import type { Redocly } from '../../contract/redocly/redocly.ts';
import type { Contract } from '../../contract/source.ts';
import { acceptances, judged } from './acceptances.ts';
import type { Break } from './break.ts';
import { breaksBetween } from './breaks.ts';

/** A change that breaks clients, at the place of what is left of it. */
export type PlacedBreak = Break & Place;

/**
 * Everything that breaks clients of a release against spec/, at its places, with what of it is accepted.
 * @throws {AcceptanceError} if an acceptance cannot be followed
 */
export async function breaksSince(
  released: Contract,
  current: Contract,
  { root, redocly }: { root: URL; redocly: Redocly },
): Promise<PlacedBreak[]> {
  const found = judged(await breaksBetween(released, current, redocly), await acceptances(root));
  return placedBreaks(found, sourceLocator(root));
}

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
