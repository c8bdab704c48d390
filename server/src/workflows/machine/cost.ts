import { isCheap } from './cheap-expression.ts';
import type { State } from './definition.ts';
import { expressionsIn, sourceOf } from './expressions.ts';
import { compile } from './realm.ts';

/** Characters of an expression; a longer one is not examined. */
const maxSourceLength = 500;
/** Expressions of a state; more are not examined. */
const maxExpressions = 50;

/** What a state costs, in passes over what it can read. */
export interface Cost {
  expressions: number;
  /** Characters of the state itself. */
  length: number;
}

/**
 * What a state costs, if each of its expressions is cheap.
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
