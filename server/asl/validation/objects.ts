import { isObject } from '../../json/index.ts';
import type { Checker, FieldCheck, Fields, ScopeVariables } from './checker.ts';
import { at } from './problems.ts';

/** Checks the fields of an object, and reports unknown and missing ones. */
export function checkFields(
  object: Record<string, unknown>,
  fields: Fields,
  required: readonly string[],
  path: string,
  checker: Checker,
  scope: ScopeVariables,
): void {
  for (const [name, value] of Object.entries(object)) {
    const check = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (check) check(value, at(path, name), checker, scope);
    else checker.report(at(path, name), unknownField(name, fields));
  }
  for (const name of required) {
    if (!Object.hasOwn(object, name)) checker.report(path, `${name} is missing`);
  }
}

function unknownField(name: string, fields: Fields): string {
  const instead = insteadOfJsonPath(name);
  if (instead !== undefined) {
    return `${name} is a field of the query language JSONPath, which is not supported; ${instead}`;
  }
  const reason = unsupportedFields.get(name);
  if (reason !== undefined) return `${name} ${reason}`;
  return `Unknown field ${name}; the fields are ${Object.keys(fields).join(', ')}`;
}

/** An array of objects with these fields. @param minimum its smallest length */
export function listOf(
  fields: Fields,
  required: readonly string[],
  what: string,
  minimum: 0 | 1,
): FieldCheck {
  return (value, path, checker, scope) => {
    if (!Array.isArray(value) || value.length < minimum) {
      return checker.report(
        path,
        `Must be an array of ${minimum === 0 ? `${what}s` : `at least one ${what}`}`,
      );
    }
    for (const [index, each] of value.entries()) {
      const pointer = at(path, index);
      if (isObject(each)) checkFields(each, fields, required, pointer, checker, scope);
      else checker.report(pointer, `A ${what} must be an object`);
    }
  };
}

const distributed = 'is a field of the distributed Map, which is not supported';

/** Fields that have a variant for JSONPath: `SecondsPath`. */
export const withPathVariant = `Seconds Timestamp TimeoutSeconds HeartbeatSeconds Error Cause MaxConcurrency
  ToleratedFailureCount ToleratedFailurePercentage`.split(/\s+/);

/** Fields of JSONPath, with the alternative. */
const jsonPathFields = new Map<string, string>([
  ['InputPath', 'read $states.input in expressions'],
  ['OutputPath', 'use Output'],
  ['ResultPath', 'use Output or Assign'],
  ['ResultSelector', 'use Output with $states.result'],
  ['Parameters', 'use Arguments, or ItemSelector in a Map'],
  ['Result', 'use Output'],
  ['ItemsPath', 'use Items'],
  ...withPathVariant.map((field) => [`${field}Path`, `write a JSONata string in ${field}`] as const),
  ...['Variable', 'And', 'Or', 'Not'].map((field) => [field, 'use Condition'] as const),
]);

/** JSONPath's comparisons in a rule of a Choice: `NumericEquals`, `StringMatchesPath`, `IsPresent`. */
const jsonPathComparison =
  /^((Boolean|Numeric|String|Timestamp)(Equals|LessThan|GreaterThan|LessThanEquals|GreaterThanEquals|Matches)(Path)?|Is(Null|Present|Boolean|Numeric|String|Timestamp))$/;

/** What to use instead of a field of JSONPath; undefined for other fields. */
function insteadOfJsonPath(field: string): string | undefined {
  return jsonPathFields.get(field) ?? (jsonPathComparison.test(field) ? 'use Condition' : undefined);
}

/** Whether a value has a field of JSONPath, or one whose value is a path (`id.$`), at any depth. */
export function usesJsonPath(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(
    ([key, member]) => key.endsWith('.$') || insteadOfJsonPath(key) !== undefined || usesJsonPath(member),
  );
}

/** Other fields of the language that this platform does not support. */
const unsupportedFields = new Map<string, string>([
  ['Iterator', 'is the former name of ItemProcessor'],
  ...['ItemReader', 'ItemBatcher', 'ResultWriter', 'Label'].map((field) => [field, distributed] as const),
  ['Credentials', 'is not supported: tasks have the permissions of the execution only'],
]);
