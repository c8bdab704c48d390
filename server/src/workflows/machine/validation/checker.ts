import type { Report } from './problems.ts';

/** What the expressions of a field may read of `$states` besides input and context. */
export type Readable = 'result' | 'errorOutput';

/** One scope of states, as far as variables go. */
export interface ScopeFacts {
  outer: ScopeFacts | undefined;
  /** Variables that the states of the scope assign, each with the pointer to its first Assign. */
  assigned: Map<string, string>;
  /** Variables that expressions of the scope read, with the pointers to where. */
  read: { name: string; path: string }[];
}

/** What the checks of one definition share. */
export interface Checker {
  report: Report;
  resources: ReadonlySet<string>;
  /** Every state's name in the whole definition, with the pointer to the first state that has it. */
  names: Map<string, string>;
  /** Every scope: its variables are looked at when all are known. */
  scopes: ScopeFacts[];
  /** StartAt, States and the further fields of a definition, a branch or an item's processor. */
  checkScope(object: object, more: Fields, path: string, outer: ScopeFacts | undefined): void;
}

/** The checks of an object's fields, by name. */
export type Fields = Record<string, FieldCheck>;

/** Checks the value of one field. */
export type FieldCheck = (value: unknown, path: string, checker: Checker, scope: ScopeFacts) => void;
