import { isObject, pointerTo } from '../../json/index.ts';
import { notConverted } from '../validation/syntax.ts';
import { valueOfQuery } from './intrinsics.ts';
import { NotConvertible, parsePath } from './paths.ts';
import { type Scope, valueOfPath } from './select.ts';
import { Expr, quoted, type Value } from './values.ts';

/** Where conversions report what they could not do; `pointer` is a JSON Pointer into the given definition. */
export interface Reporter {
  unsupported(pointer: string, message: string): void;
  todo(pointer: string, message: string): void;
  note(pointer: string, message: string): void;
}

/** Converts a payload template (specification: Payload Template). What cannot be converted is reported. */
export function valueOfTemplate(template: unknown, data: Value, pointer: string, report: Reporter): Value {
  if (Array.isArray(template)) {
    return template.map((each, index) => valueOfTemplate(each, data, pointer + pointerTo(index), report));
  }
  if (!isObject(template)) return template as Value;
  return Object.fromEntries(
    Object.entries(template).map(([key, member]) => {
      const at = pointer + pointerTo(key);
      if (!key.endsWith('.$')) return [key, valueOfTemplate(member, data, at, report)];
      return [key.slice(0, -2), queried(member, data, at, report)];
    }),
  );
}

/** Converts a path or an intrinsic function. */
export function queried(text: unknown, data: Value, pointer: string, report: Reporter): Value {
  return attempt(
    pointer,
    report,
    (scope) => {
      if (typeof text !== 'string')
        throw new NotConvertible('a field whose name ends with .$ must be a string');
      return valueOfQuery(text, scope);
    },
    data,
  );
}

/** Converts a path. */
export function pathValue(text: unknown, data: Value, pointer: string, report: Reporter): Value {
  return attempt(
    pointer,
    report,
    (scope) => {
      if (typeof text !== 'string') throw new NotConvertible('a path must be a string');
      return valueOfPath(parsePath(text), scope);
    },
    data,
  );
}

/**
 * Runs a conversion. If it is not possible, reports why; the value is an expression that fails with the reason, so that
 * an incomplete definition never runs with a wrong value.
 */
export function attempt(
  pointer: string,
  report: Reporter,
  convert: (scope: Scope) => Value,
  data: Value,
): Value {
  try {
    return convert({ data, note: (message) => report.note(pointer, message) });
  } catch (error) {
    if (!(error instanceof NotConvertible)) throw error;
    return refuse(pointer, report, error.message);
  }
}

/** Reports what cannot be converted. */
export function refuse(pointer: string, report: Reporter, message: string): Expr {
  report.unsupported(pointer, message);
  return new Expr(`$error(${quoted(`${notConverted}${message}`)})`);
}
