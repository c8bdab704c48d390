import type { Report } from './problems.ts';

/** The fields of `$states` besides input and context that expressions of a field can read. */
export type Readable = 'result' | 'errorOutput';

/** The variables of a scope of states. */
export interface ScopeVariables {
  outer: ScopeVariables | undefined;
  /** The variables that the scope assigns, with the pointer to the first Assign of each. */
  assigned: Map<string, string>;
  /** The variables that the scope's expressions read, with the pointers to the expressions. */
  read: { name: string; path: string }[];
}

/** The state of the validation of a definition. */
export interface Checker {
  report: Report;
  resources: ReadonlySet<string>;
  /** The state names of the whole definition, with the pointer to the first state of each name. */
  names: Map<string, string>;
  /** All scopes. Variables are checked once all scopes are known. */
  scopes: ScopeVariables[];
  /** Checks StartAt, States and additional fields of a definition, a branch or an ItemProcessor. */
  checkScope(object: object, more: Fields, path: string, outer: ScopeVariables | undefined): void;
}

/** The checks of an object's fields, by name. */
export type Fields = Record<string, FieldCheck>;

/** Checks the value of one field. */
export type FieldCheck = (value: unknown, path: string, checker: Checker, scope: ScopeVariables) => void;
