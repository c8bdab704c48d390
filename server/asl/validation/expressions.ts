import { isObject, type Json } from '../../json/index.ts';
import { isExpression, resemblesExpression, sourceOf } from '../expressions.ts';
import { compile, messageOf } from '../realm.ts';
import type { Checker, FieldCheck, Readable, ScopeVariables } from './checker.ts';
import { at, type Problem } from './problems.ts';
import { inspect, literalOf } from './syntax.ts';

/** Any JSON. Each JSONata string in it must compile and read only existing values. */
export function template(...readable: Readable[]): FieldCheck {
  const check: FieldCheck = (value, path, checker, scope) => {
    if (typeof value === 'string') checkString(value, path, checker, scope, readable);
    else if (typeof value === 'object' && value !== null) {
      for (const [key, member] of Object.entries(value)) check(member, at(path, key), checker, scope);
    }
  };
  return check;
}

/** A valid variable name (specification: Variables). */
const variableName = /^[\p{ID_Start}_]\p{ID_Continue}*$/u;

/** Assign: an object whose keys are variable names. */
export function assignments(...readable: Readable[]): FieldCheck {
  const values = template(...readable);
  return (value, path, checker, scope) => {
    if (!isObject(value))
      return checker.report(path, 'Assign must be an object of variables and their new values');
    for (const [name, member] of Object.entries(value)) {
      const pointer = at(path, name);
      checkVariableName(name, pointer, checker);
      if (!scope.assigned.has(name)) scope.assigned.set(name, pointer);
      values(member, pointer, checker, scope);
    }
  };
}

function checkVariableName(name: string, path: string, { report }: Checker): void {
  if (name === 'states') report(path, '$states is reserved; choose another name');
  else if (name.length > 80) report(path, 'A variable name has at most 80 characters');
  else if (!variableName.test(name)) {
    report(path, `‘${name}’ is not a valid variable name: a letter, then letters, digits and underscores`);
  }
}

const mixed =
  "A JSONata string must start with {% and end with %}; put text into the expression: {% 'Hello ' & $name %}, {% '50 %}' %}";

/**
 * A JSONata string or a literal string. Text around an expression is refused wherever it stands, because it would be
 * taken literally.
 */
export function checkString(
  value: string,
  path: string,
  checker: Checker,
  scope: ScopeVariables,
  readable: readonly Readable[] = [],
): void {
  if (isExpression(value)) checkSource(sourceOf(value), path, checker, scope, readable);
  else if (resemblesExpression(value)) checker.report(path, mixed);
}

function checkSource(
  source: string,
  path: string,
  { report }: Checker,
  scope: ScopeVariables,
  readable: readonly Readable[],
): void {
  try {
    const { problems, variables } = inspect(compile(source).ast(), readable);
    for (const problem of problems) report(path, problem);
    for (const name of variables) scope.read.push({ name, path });
  } catch (error) {
    // Two expressions in one string.
    report(path, source.includes('%}') ? mixed : compileProblem(error));
  }
}

/** A syntax error, or an expression nested too deeply for the compiler. */
function compileProblem(error: unknown): string {
  const { position } = error as { position?: unknown };
  const location = typeof position === 'number' ? ` at character ${position}` : '';
  return `The JSONata expression does not compile${location}: ${messageOf(error)}`;
}

/** What is wrong or undefined here in the expressions of a value, wherever they are; those that do not compile are left out. */
export function* findingsInExpressions(
  value: unknown,
  path: string,
): Generator<Problem & { isWarning: boolean }> {
  if (isExpression(value)) {
    const tree = parsed(sourceOf(value));
    const { problems, warnings } = inspect(tree, ['result', 'errorOutput']);
    for (const message of problems) yield { path, message, isWarning: false };
    for (const message of warnings) yield { path, message, isWarning: true };
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, member] of Object.entries(value)) yield* findingsInExpressions(member, at(path, key));
  }
}

/** The paths that an expression reads below `$states.context`; none if it does not compile. */
export function contextPathsOf(expression: string): string[][] {
  return inspect(parsed(sourceOf(expression)), []).contextPaths;
}

/**
 * The value of an expression that is a literal. An array or object is empty, whatever its members. Undefined for any other
 * expression.
 */
export function constantOf(expression: string): Json | undefined {
  return literalOf(parsed(sourceOf(expression)));
}

function parsed(source: string): unknown {
  try {
    return compile(source).ast();
  } catch {
    return undefined;
  }
}
