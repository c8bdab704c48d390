import type { Contract } from '../../contract/source.ts';
import type { Redocly } from '../../redocly/redocly.ts';
import type { Break } from './break.ts';
import { ownRules } from './own-rules.ts';
import { breaksIn, type RedoclyChange, redoclyDiff } from './redocly-diff.ts';

/**
 * All differences between two contracts, and those that can break a client.
 * @param redocly default: a new one, closed afterwards
 */
export async function compare(
  from: Contract,
  to: Contract,
  redocly?: Redocly,
): Promise<{ changes: RedoclyChange[]; breaks: Break[] }> {
  const changes = await redoclyDiff(from, to, redocly);
  const found = [...breaksIn(changes), ...ownRules(from, to)];
  return { changes, breaks: [...new Map(found.map((one) => [JSON.stringify(one), one])).values()] };
}

/** Everything that can break a client of `released` against `current`. @param redocly as for `compare` */
export async function breaksBetween(
  released: Contract,
  current: Contract,
  redocly?: Redocly,
): Promise<Break[]> {
  return (await compare(released, current, redocly)).breaks;
}

/** A new major version may break clients: the old one stays available. */
export function isNextMajor(released: string, { info }: Contract): boolean {
  return Number.parseInt(String(info['version']), 10) > Number.parseInt(released, 10);
}
