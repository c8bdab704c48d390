import type { State } from './definition.ts';
import { expressionsIn, sourceOf } from './expressions.ts';
import { compile } from './realm.ts';

/** Characters of an expression; a longer one is not examined. */
const maxSourceLength = 500;
/** Expressions of a state; more are not examined. */
const maxExpressions = 50;

const operators = new Set(['=', '!=', '<', '<=', '>', '>=', '+', '-', '*', '/', '%', '&', 'and', 'or']);

/** What a state costs, in passes over what it can read. */
export interface Cost {
  expressions: number;
  /** Characters of the state itself. */
  length: number;
}

/**
 * What a state costs, if each of its expressions costs no more than a few passes over what the state can read: paths
 * from a variable through names, literals, and operators on them. Such an expression has no loop, no call, no regular
 * expression and no filter.
 *
 * @returns undefined for a state whose cost cannot be told so
 */
export function costOf(state: State): Cost | undefined {
  // The threads of a fork multiply what the state has read.
  if (state.Type === 'Map' || state.Type === 'Parallel') return undefined;
  let expressions = 0;
  for (const [name, value] of Object.entries(state)) {
    for (const { expression } of expressionsIn(value, name)) {
      expressions += 1;
      if (expressions > maxExpressions || !isCheapSource(sourceOf(expression))) return undefined;
    }
  }
  return { expressions, length: JSON.stringify(state).length };
}

function isCheapSource(source: string): boolean {
  if (source.length > maxSourceLength) return false;
  try {
    return isCheap(compile(source).ast());
  } catch {
    return false;
  }
}

interface Node {
  type: string;
  value?: unknown;
  steps?: Node[];
  lhs?: Node;
  rhs?: Node;
}

/** Anything that is not named here, such as a property for a filter or a sort order, is not cheap. */
function isCheap(node: object): boolean {
  const { type, value, steps, lhs, rhs, ...rest } = node as Node & { position?: number };
  if (Object.keys(rest).some((name) => name !== 'position')) return false;
  switch (type) {
    case 'number':
    case 'string':
    case 'value':
    case 'variable':
      return true;
    case 'path':
      return steps?.every((step, index) => isStep(step, index === 0 ? 'variable' : 'name')) === true;
    case 'binary':
      return operators.has(String(value)) && !!lhs && !!rhs && isCheap(lhs) && isCheap(rhs);
    default:
      return false;
  }
}

function isStep(step: object, type: 'variable' | 'name'): boolean {
  const { length } = Object.keys(step).filter((name) => !['type', 'value', 'position'].includes(name));
  return length === 0 && (step as Node).type === type;
}
