import { isObject } from '../../json/index.ts';
import { suggestion } from '../suggestion.ts';
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
  const known = unsupportedField(name);
  if (known) return `${name} ${known.reason}${adviceOf(known, fields)}`;
  const names = Object.keys(fields);
  return `Unknown field ${name}; the fields are ${withSuggestion(name, names)}`;
}

/** The names, and the one that was probably meant. */
export function withSuggestion(written: string, names: string[]): string {
  const meant = suggestion(written, names);
  return `${names.join(', ')}${meant && `.${meant}`}`;
}

function adviceOf({ advice, alternatives }: Unsupported, fields: Fields): string {
  if (advice === undefined) return '';
  if (alternatives.length === 0) return `; ${advice}`;
  const usable = alternatives.find((alternative) => Object.hasOwn(fields, alternative));
  return usable === undefined ? '; leave it out' : `; ${advice} ${usable}`;
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

/** A field of the language that this platform does not support. */
interface Unsupported {
  reason: string;
  /** What to do instead, before the name of the first alternative that the object may have. */
  advice?: string;
  alternatives: readonly string[];
}

const ofJsonPath = 'is a field of the query language JSONPath, which is not supported';
const jsonPath = (advice: string, ...alternatives: string[]): Unsupported => ({
  reason: ofJsonPath,
  advice,
  alternatives,
});
const unsupported = (reason: string): Unsupported => ({ reason, alternatives: [] });
const distributed = unsupported('is a field of the distributed Map, which is not supported');

/** Fields that have a variant for JSONPath: `SecondsPath`. */
export const withPathVariant = `Seconds Timestamp TimeoutSeconds HeartbeatSeconds Error Cause MaxConcurrency
  ToleratedFailureCount ToleratedFailurePercentage`.split(/\s+/);

const unsupportedFields = new Map<string, Unsupported>([
  ['InputPath', jsonPath('read $states.input in expressions')],
  ['OutputPath', jsonPath('use', 'Output')],
  ['ResultPath', jsonPath('use Assign or', 'Output')],
  ['ResultSelector', jsonPath('use', 'Output')],
  ['Parameters', jsonPath('use', 'Arguments', 'ItemSelector', 'Output')],
  ['Result', jsonPath('use', 'Output')],
  ['ItemsPath', jsonPath('use', 'Items')],
  ...withPathVariant.map((field) => [`${field}Path`, jsonPath('write a JSONata string in', field)] as const),
  ...['Variable', 'And', 'Or', 'Not'].map((field) => [field, jsonPath('use', 'Condition')] as const),
  [
    'Iterator',
    { ...unsupported('is the former name of ItemProcessor'), advice: 'use', alternatives: ['ItemProcessor'] },
  ],
  ...['ItemReader', 'ItemBatcher', 'ResultWriter', 'Label'].map((field) => [field, distributed] as const),
  ['Credentials', unsupported('is not supported: tasks have the permissions of the execution only')],
]);

/** JSONPath's comparisons in a rule of a Choice: `NumericEquals`, `StringMatchesPath`, `IsPresent`. */
const jsonPathComparison =
  /^((Boolean|Numeric|String|Timestamp)(Equals|LessThan|GreaterThan|LessThanEquals|GreaterThanEquals|Matches)(Path)?|Is(Null|Present|Boolean|Numeric|String|Timestamp))$/;

function unsupportedField(name: string): Unsupported | undefined {
  return (
    unsupportedFields.get(name) ?? (jsonPathComparison.test(name) ? jsonPath('use', 'Condition') : undefined)
  );
}

/** Whether a value has a field of JSONPath, or one whose value is a path (`id.$`), at any depth. */
export function usesJsonPath(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(
    ([key, member]) =>
      key.endsWith('.$') || unsupportedField(key)?.reason === ofJsonPath || usesJsonPath(member),
  );
}
