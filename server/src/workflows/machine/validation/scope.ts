import { isObject } from '../../../domain/objects.ts';
import type { Checker, FieldCheck, Fields, ScopeFacts } from './checker.ts';
import { comment } from './fields.ts';
import { checkWays } from './graph.ts';
import { checkFields } from './objects.ts';
import { at } from './problems.ts';
import { checkState } from './states.ts';

/** Characters of a state's name (specification: States). */
const longestName = 80;

/** The states of a definition, a branch or an item's processor, each by itself and the ways between them. */
export function checkScope(
  checker: Checker,
  object: object,
  more: Fields,
  path: string,
  outer: ScopeFacts | undefined,
): void {
  const scope: ScopeFacts = { outer, assigned: new Map(), read: [] };
  checker.scopes.push(scope);
  const given: Record<string, unknown> = { ...object };
  checkFields(
    given,
    { StartAt: comment, States: states, ...more },
    ['StartAt', 'States'],
    path,
    checker,
    scope,
  );
  if (isObject(given['States'])) checkWays(given['StartAt'], given['States'], path, checker);
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
  if (length === 0 || length > longestName) {
    report(path, `The name of a state has 1 to ${longestName} characters`);
  }
  const first = names.get(name);
  if (first === undefined) names.set(name, path);
  else report(path, `The name is that of ${first}; names are unique in the whole definition`);
}
