import { isObject } from '../../json/index.ts';
import type { Checker, FieldCheck, Fields, ScopeVariables } from './checker.ts';
import { anyString } from './fields.ts';
import { checkTransitions } from './graph.ts';
import { checkFields } from './objects.ts';
import { at } from './problems.ts';
import { checkState } from './states.ts';

/** Characters of a state name (specification: States). */
const maxNameLength = 80;

/** Checks the states of a definition, a branch or an ItemProcessor, and the transitions between them. */
export function checkScope(
  checker: Checker,
  object: object,
  more: Fields,
  path: string,
  outer: ScopeVariables | undefined,
): void {
  const scope: ScopeVariables = { outer, assigned: new Map(), read: [] };
  checker.scopes.push(scope);
  const members: Record<string, unknown> = { ...object };
  const fields = { StartAt: anyString, States: states, ...more };
  checkFields(members, fields, ['StartAt', 'States'], path, checker, scope);
  if (isObject(members['States'])) checkTransitions(members['StartAt'], members['States'], path, checker);
}

const states: FieldCheck = (value, path, checker, scope) => {
  if (!isObject(value) || Object.keys(value).length === 0) {
    return checker.report(path, 'Must be an object of at least one state');
  }
  for (const [name, state] of Object.entries(value)) {
    checkName(name, at(path, name), checker);
    checkState(state, at(path, name), checker, scope);
  }
};

function checkName(name: string, path: string, { names, report }: Checker): void {
  const length = [...name].length;
  if (length === 0 || length > maxNameLength) {
    report(path, `A state name must have 1 to ${maxNameLength} characters`);
  }
  const first = names.get(name);
  if (first === undefined) names.set(name, path);
  else report(path, `${first} has the same name; state names must be unique in the whole definition`);
}
