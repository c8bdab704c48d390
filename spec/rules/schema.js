import Ajv from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { isDate, isDateTime, isTime } from './date-times.ts';

const ajv = new Ajv({ strict: false, allErrors: true, addUsedSchema: false });
addFormats(ajv);
ajv.addFormat('date', isDate).addFormat('time', isTime).addFormat('date-time', isDateTime);

/**
 * Replaces every `$ref` by its target. Keywords next to a `$ref` apply as well. A recursive reference allows any value,
 * which suffices to check a default or a header.
 */
export function inlined(node, { resolve, location }, from = location.source.absoluteRef, within = []) {
  if (Array.isArray(node)) return node.map((item) => inlined(item, { resolve, location }, from, within));
  if (node === null || typeof node !== 'object') return node;
  const { $ref, ...beside } = node;
  const own = Object.fromEntries(
    Object.entries(beside).map(([keyword, value]) => [
      keyword,
      inlined(value, { resolve, location }, from, within),
    ]),
  );
  if (typeof $ref !== 'string') return own;
  const target = resolve({ $ref }, from);
  if (target.node === undefined || within.includes(target.node)) return own;
  const inner = inlined(target.node, { resolve, location }, target.location.source.absoluteRef, [
    ...within,
    target.node,
  ]);
  return { allOf: [inner], ...own };
}

/** The errors of a value against a schema without `$ref`, one text each. */
export function errorsOf(schema, value) {
  const { default: _default, example: _example, examples: _examples, ...rest } = schema;
  const valid = ajv.compile(rest);
  if (valid(value)) return [];
  return valid.errors.map(({ instancePath, message }) => `${instancePath} ${message}`.trim());
}
