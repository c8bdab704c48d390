import { isObject } from '../../../domain/objects.ts';
import type { Checker, FieldCheck, Fields, ScopeFacts } from './checker.ts';
import { at } from './problems.ts';
import { jsonPathComparison, unsupportedFields } from './unsupported.ts';

/** Checks every field of an object that has a check, reports those that have none and those that are missing. */
export function checkFields(
  object: Record<string, unknown>,
  fields: Fields,
  required: readonly string[],
  path: string,
  checker: Checker,
  scope: ScopeFacts,
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
  const reason = unsupportedFields.get(name);
  if (reason !== undefined) return `${name} ${reason}`;
  if (jsonPathComparison.test(name)) {
    return `${name} belongs to the query language JSONPath, which is not supported; use Condition`;
  }
  return `There is no field ${name} here; there are ${Object.keys(fields).join(', ')}`;
}

/** A non-empty array of objects with these fields. */
export function listOf(fields: Fields, required: readonly string[], what: string): FieldCheck {
  return (value, path, checker, scope) => {
    if (!Array.isArray(value) || value.length === 0) {
      return checker.report(path, `Must be an array of at least one ${what}`);
    }
    for (const [index, each] of value.entries()) {
      const place = at(path, index);
      if (isObject(each)) checkFields(each, fields, required, place, checker, scope);
      else checker.report(place, `Must be a ${what}, which is an object`);
    }
  };
}
