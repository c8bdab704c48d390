import type { ErrorObject, ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Json } from '../../domain/json.ts';
import { addLinearFormats } from './formats.ts';
import { linearPattern, PatternError } from './patterns.ts';
import { hashUniqueItems } from './unique-items.ts';

/**
 * Compiles an input schema that JSON Schema 2020-12 allows. A pattern that cannot run in linear time is refused when
 * a definition is applied; one that was stored before that was so is run by JavaScript's own engine, and whoever calls
 * the result has to bound its time.
 *
 * All errors are reported, because a form shows what is wrong with each of its fields. Their number is bounded by
 * the work: by the estimate for what is checked on the event loop, by the limits of the process elsewhere.
 *
 * @throws an error that says why the schema cannot be used all the same
 */
export function compileInputSchema(schema: Json): ValidateFunction {
  // One for each: two schemas may have the same `$id`. Formats are asserted, as people mean them.
  const ajv = new Ajv2020({
    allErrors: true,
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

/** ajv knows a pattern again by its text. */
function engine(source: string, flags: string) {
  return Object.assign(tested(source, flags), { toString: () => source });
}

function tested(source: string, flags: string): { test(text: string): boolean } {
  try {
    const { test } = linearPattern(source);
    return { test };
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    const native = new RegExp(source, flags);
    return { test: (text) => native.test(text) };
  }
}

/** Errors reported at most: a schema can find as many as the parameters have parts. */
const mostErrors = 20;
/** UTF-16 units of a text in an error, which may repeat a name or a value of the parameters. */
const longestText = 500;
/** The contract allows 500, and whoever reports an error may put a prefix in front. */
const longestPointer = 450;

/** The first errors, in a size that can be passed on. */
export function reportedErrors(validate: ValidateFunction, parameters: unknown): ErrorObject[] {
  if (validate(parameters)) return [];
  return (validate.errors ?? []).slice(0, mostErrors).map(({ instancePath, message, params, ...error }) => ({
    ...error,
    instancePath: boundedPointer(instancePath),
    params: Object.fromEntries(Object.entries(params).map(([name, value]) => [name, boundedParam(value)])),
    ...(message !== undefined && { message: bounded(message) }),
  }));
}

const bounded = (text: string) => text.slice(0, longestText).toWellFormed();

/** An ancestor is pointed at where the pointer itself is too long. */
function boundedPointer(pointer: string): string {
  return pointer.length <= longestPointer
    ? pointer
    : pointer.slice(0, pointer.lastIndexOf('/', longestPointer));
}

/** Texts are cut; of a list, what is allowed, so much is left as a message has room for. */
function boundedParam(value: unknown): unknown {
  if (typeof value === 'string') return bounded(value);
  if (typeof value !== 'object' || value === null) return value;
  if (!Array.isArray(value)) return null;
  let left = longestText;
  const end = value.findIndex((item) => {
    left -= JSON.stringify(item).length;
    return left < 0;
  });
  return end === -1 ? value : [...value.slice(0, end), '…'];
}

/** Keeps what was made last for each of so many keys. */
export function cached<Value>(most: number): (key: string, make: () => Value) => Value {
  const kept = new Map<string, Value>();
  return (key, make) => {
    if (kept.has(key)) return kept.get(key) as Value;
    const made = make();
    if (kept.size >= most) kept.delete(kept.keys().next().value as string);
    kept.set(key, made);
    return made;
  };
}
