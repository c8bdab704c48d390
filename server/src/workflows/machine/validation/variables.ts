import { compile, evaluateAll } from '../realm.ts';
import type { Checker, ScopeFacts } from './checker.ts';

/**
 * The variables of a definition (specification: Variables, scope). A scope reads its own and those around it; it
 * assigns its own only, so that no name may be assigned in a scope and in one inside it; what nothing assigns is a
 * slip of the pen.
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
      const outer = assignedAround(scope.outer, name);
      if (outer)
        report(path, `$${name} is a variable of an outer scope (${outer}) and can only be read here`);
    }
    for (const { name, path } of scope.read) {
      if (!assignedAround(scope, name) && !isBuiltIn(name)) {
        report(
          path,
          `$${name} is neither a function nor a variable that a state of this or an outer scope assigns`,
        );
      }
    }
  }
}

function assignedAround(scope: ScopeFacts | undefined, name: string): string | undefined {
  for (let each = scope; each; each = each.outer) {
    const path = each.assigned.get(name);
    if (path !== undefined) return path;
  }
  return undefined;
}

/** Whether an expression finds a function under the name, asked of JSONata itself. */
function isFunction(name: string): boolean {
  try {
    const surroundings = { now: new Date(0), random: () => 0 };
    return evaluateAll([compile(`$${name}`)], {}, surroundings)[0] !== undefined;
  } catch {
    return false;
  }
}
