import { isObject } from '../../../server/json/index.ts';
import type { Contract } from '../../contract/source.ts';

type Node = Record<string, unknown>;

const prefix = '#/components/schemas/';

/**
 * Both contracts with a schema in place where one of them refers to a schema and the other does not, or to one that the
 * other does not have: that a schema got a name, or another one, changes nothing for callers.
 */
export function aligned(from: Contract, to: Contract): [Contract, Contract] {
  const known = [from, to].map(({ components }) => new Set(Object.keys(components['schemas'] ?? {})));
  const isUnpaired = (ref: unknown, own: 0 | 1, other: unknown) =>
    typeof ref === 'string' &&
    ref.startsWith(prefix) &&
    (other === undefined || !known[1 - own]?.has(ref.slice(prefix.length)));

  function pair(before: unknown, after: unknown, open: readonly string[]): [unknown, unknown] {
    if (Array.isArray(before) && Array.isArray(after)) {
      const pairs = before.map((one, index) =>
        index < after.length ? pair(one, after[index], open) : [one],
      );
      return [pairs.map(([one]) => one), after.map((one, index) => pairs[index]?.[1] ?? one)];
    }
    if (!isObject(before) || !isObject(after)) return [before, after];
    const [old, current] = [before['$ref'], after['$ref']];
    // A recursive schema is put in place once.
    const key = `${old} ${current}`;
    if (
      old !== current &&
      (isUnpaired(old, 0, current) || isUnpaired(current, 1, old)) &&
      !open.includes(key)
    )
      return pair(inPlace(from, before), inPlace(to, after), [...open, key]);
    const pairs = Object.keys(before).flatMap((name) =>
      name in after ? [[name, ...pair(before[name], after[name], open)] as const] : [],
    );
    const replaced = (node: Node, at: 1 | 2) => ({
      ...node,
      ...Object.fromEntries(pairs.map((one) => [one[0], one[at]])),
    });
    return [replaced(before, 1), replaced(after, 2)];
  }

  return pair(from, to, []) as [Contract, Contract];
}

/** The schema that a reference leads to. What stands beside the reference stays. */
function inPlace(contract: Contract, node: Node): Node {
  const { $ref, ...rest } = node;
  if (typeof $ref !== 'string') return node;
  const schemas = contract.components['schemas'] as Record<string, Node>;
  return inPlace(contract, { ...schemas[$ref.slice(prefix.length)], ...rest });
}
