import { isCheap } from './cheap-expression.ts';
import type { State } from './definition.ts';
import { expressionsIn, sourceOf } from './expressions.ts';
import { compile } from './realm.ts';

/** Characters of an expression. The cost of a longer one is unknown. */
const maxSourceLength = 500;
/** Expressions of a state. The cost of more is unknown. */
const maxExpressions = 50;

/** The cost of a state, in passes over the values that it reads. */
export interface Cost {
  expressions: number;
  /** Characters of the state itself. */
  length: number;
}

/** @returns undefined if the cost is unknown, because an expression is not cheap */
export function costOf(state: State): Cost | undefined {
  // Every thread of a fork copies the values that the state reads.
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
