import type { Contract } from '../../contract/source.ts';
import type { Redocly } from '../../redocly/redocly.ts';
import type { Break } from './break.ts';
import { ownRules } from './own-rules.ts';
import { redoclyDiff } from './redocly-diff.ts';

/**
 * Everything that can break a client of `released` against `current`.
 * @param redocly an open one; default: one is opened and closed
 */
export async function breaksBetween(
  released: Contract,
  current: Contract,
  redocly?: Redocly,
): Promise<Break[]> {
  const found = [...(await redoclyDiff(released, current, redocly)), ...ownRules(released, current)];
  return [...new Map(found.map((one) => [JSON.stringify(one), one])).values()];
}

/** A new major version may break clients; the old one would be served beside it. */
export function isNextMajor(released: string, { info }: Contract): boolean {
  return Number.parseInt(String(info['version']), 10) > Number.parseInt(released, 10);
}
