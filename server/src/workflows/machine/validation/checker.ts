import type { Report } from './problems.ts';

/** What the expressions of a field may read of `$states` besides input and context. */
export type Readable = 'result' | 'errorOutput';

/** One scope of states, as far as variables and names go. */
export interface ScopeFacts {
  outer: ScopeFacts | undefined;
  /** Variables that a state of the scope assigns, with the pointers to where. */
  assigned: Map<string, string[]>;
  /** Variables that expressions of the scope read, with the pointers to where. */
  read: { name: string; path: string }[];
}

/** What the checks of one definition share. */
export interface Checker {
  report: Report;
  resources: ReadonlySet<string>;
  /** Every state's name in the whole definition, with the pointer to the first state that has it. */
  names: Map<string, string>;
}

/** Checks the value of one field. */
export type FieldCheck = (value: unknown, path: string, checker: Checker, scope: ScopeFacts) => void;

export function openScope(outer: ScopeFacts | undefined): ScopeFacts {
  return { outer, assigned: new Map(), read: [] };
}
