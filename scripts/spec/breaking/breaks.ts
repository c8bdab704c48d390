import type { Redocly } from '../../contract/redocly/redocly.ts';
import type { Contract } from '../../contract/source.ts';
import { refused } from './acceptances.ts';
import type { Break } from './break.ts';
import { normalized } from './normalized.ts';
import { ownRules } from './own-rules.ts';
import { breaksIn, type RedoclyChange, redoclyDiff } from './redocly-diff.ts';

/** Two contracts in the same notation, all differences between them, and those that can break a client. */
export type Comparison = { from: Contract; to: Contract; changes: RedoclyChange[]; breaks: Break[] };

export async function compare(released: Contract, current: Contract, redocly: Redocly): Promise<Comparison> {
  const [from, to] = [normalized(released), normalized(current)];
  const changes = await redoclyDiff(from, to, redocly);
  const found = [...breaksIn(changes, from), ...ownRules(from, to)];
  return { from, to, changes, breaks: [...new Map(found.map((one) => [JSON.stringify(one), one])).values()] };
}

/** Everything that can break a client of `released` against `current`. */
export async function breaksBetween(
  released: Contract,
  current: Contract,
  redocly: Redocly,
): Promise<Break[]> {
  return (await compare(released, current, redocly)).breaks;
}

/** `2 changes break clients of 3.0.0; 1 of them is accepted.` */
export function verdictOn(breaks: readonly Break[], released: string): string {
  if (breaks.length === 0) return `Nothing breaks a client of ${released}.`;
  const accepted = breaks.length - refused(breaks).length;
  const ofThem = accepted > 0 ? `; ${accepted} of them ${accepted === 1 ? 'is' : 'are'} accepted` : '';
  return `${breaks.length} ${breaks.length === 1 ? 'change breaks' : 'changes break'} clients of ${released}${ofThem}.`;
}

/** A new major version may break clients: the old one stays available. */
export function isNextMajor(released: string, { info }: Contract): boolean {
  return Number.parseInt(String(info['version']), 10) > Number.parseInt(released, 10);
}
