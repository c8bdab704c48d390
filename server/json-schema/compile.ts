import type { ErrorObject, ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { type Json, propertiesInstead, type SchemaError } from '../json/index.ts';
import { addLinearFormats } from './formats.ts';
import { linearPattern, PatternError } from './patterns.ts';
import { hashUniqueItems } from './unique-items.ts';

/**
 * Compiles a valid JSON Schema 2020-12. Patterns that do not run in linear time are rejected when a definition is
 * applied; those stored by an older release run in JavaScript's own engine, so the caller must limit the time.
 *
 * All errors are reported, because a form shows the errors of each field. Their number is limited by the estimate for
 * checks on the event loop, and by the limits of the process elsewhere.
 *
 * @throws an error with the reason if the schema cannot be compiled
 */
export function compileInputSchema(schema: Json): ValidateFunction {
  // A new instance, because two schemas may have the same `$id`. Formats are asserted.
  const ajv = new Ajv2020({
    allErrors: true,
    // An error has the schema of its object, whose properties the message names.
    verbose: true,
    validateSchema: false,
    strictTypes: false,
    strictTuples: false,
    strictRequired: false,
    code: { regExp: Object.assign(engine, { code: '' }) },
  });
  addLinearFormats(ajv);
  hashUniqueItems(ajv);
  return ajv.compile(schema as object);
}

/** ajv identifies a pattern by its text. */
function engine(source: string, flags: string) {
  return Object.assign(matcher(source, flags), { toString: () => source });
}

function matcher(source: string, flags: string): { test(text: string): boolean } {
  try {
    const { test } = linearPattern(source);
    return { test };
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    const native = new RegExp(source, flags);
    return { test: (text) => native.test(text) };
  }
}

/** The maximum number of reported errors. */
const maxErrors = 20;
/** UTF-16 units of text in an error, which may repeat names and values of the parameters. */
const maxTextLength = 500;
/** The contract allows 500; callers may add a prefix. */
export const maxPointerLength = 450;

/** The first errors, limited in size. What is missing comes last: an empty form must not hide what is wrong. */
export function reportedErrors(validate: ValidateFunction, parameters: unknown): ReportedError[] {
  if (validate(parameters)) return [];
  const { wrong = [], missing = [] } = Object.groupBy(validate.errors ?? [], ({ keyword }) =>
    keyword === 'required' ? 'missing' : 'wrong',
  );
  // The validator is kept, and its errors have the parameters.
  validate.errors = null;
  return [...wrong, ...missing].slice(0, maxErrors).map(reported);
}

type ReportedError = ErrorObject & Pick<SchemaError, 'instead'>;

/** Without the schema and the data, which `verbose` adds: an error is passed between processes. */
function reported({ schema, parentSchema, data, ...found }: ErrorObject): ReportedError {
  const { instancePath, message, params, ...error } = found as ErrorObject;
  const instead = bounded(propertiesInstead({ ...found, parentSchema } as SchemaError));
  return {
    ...error,
    instancePath: boundedPointer(instancePath),
    params: Object.fromEntries(Object.entries(params).map(([name, value]) => [name, boundedParam(value)])),
    ...(message !== undefined && { message: bounded(message) }),
    ...(instead && { instead }),
  };
}

const bounded = (text: string) => text.slice(0, maxTextLength).toWellFormed();

/** The pointer of an ancestor if the pointer is too long. */
function boundedPointer(pointer: string): string {
  return pointer.length <= maxPointerLength
    ? pointer
    : pointer.slice(0, pointer.lastIndexOf('/', maxPointerLength));
}

/** Truncates text, and lists of allowed values to the length of a message. */
function boundedParam(value: unknown): unknown {
  if (typeof value === 'string') return bounded(value);
  if (typeof value !== 'object' || value === null) return value;
  if (!Array.isArray(value)) return null;
  let left = maxTextLength;
  const end = value.findIndex((item) => {
    left -= JSON.stringify(item).length;
    return left < 0;
  });
  return end === -1 ? value : [...value.slice(0, end), '…'];
}

/** Caches values by key, up to a maximum number; the oldest is dropped first. */
export function cached<Value>(max: number): (key: string, create: () => Value) => Value {
  const values = new Map<string, Value>();
  return (key, create) => {
    if (values.has(key)) return values.get(key) as Value;
    const value = create();
    if (values.size >= max) values.delete(values.keys().next().value as string);
    values.set(key, value);
    return value;
  };
}
