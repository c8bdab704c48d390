import { compile, evaluateAll } from '../realm.ts';
import type { Checker, ScopeVariables } from './checker.ts';

/**
 * Checks the variables of a definition (specification: Variables, scope). A scope can read its own variables and those
 * of outer scopes, and assigns only its own, so an inner scope cannot assign a name of an outer one. A variable that is
 * never assigned is reported as a misspelling.
 */
export function checkVariables({ scopes, report }: Checker): void {
  const builtIn = new Map<string, boolean>();
  const isBuiltIn = (name: string): boolean => {
    const known = builtIn.get(name) ?? isFunction(name);
    builtIn.set(name, known);
    return known;
  };
  for (const scope of scopes) {
    for (const [name, path] of scope.assigned) {
      const outer = findAssignment(scope.outer, name);
      if (outer)
        report(path, `$${name} is a variable of an outer scope (${outer}) and can only be read here`);
    }
    for (const { name, path } of scope.read) {
      if (!findAssignment(scope, name) && !isBuiltIn(name)) {
        report(path, `$${name} is neither a function nor a variable assigned in this or an outer scope`);
      }
    }
  }
}

function findAssignment(scope: ScopeVariables | undefined, name: string): string | undefined {
  for (let each = scope; each; each = each.outer) {
    const path = each.assigned.get(name);
    if (path !== undefined) return path;
  }
  return undefined;
}

/** Whether JSONata has a function of this name. */
function isFunction(name: string): boolean {
  try {
    const surroundings = { now: new Date(0), random: () => 0, uuid: () => '' };
    return evaluateAll([compile(`$${name}`)], {}, surroundings)[0] !== undefined;
  } catch {
    return false;
  }
}
