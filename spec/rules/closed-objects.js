const composed = ['$ref', 'enum', 'const', 'oneOf', 'anyOf', 'not'];

const admitsObjects = (schema) =>
  schema.type === undefined
    ? !composed.some((keyword) => keyword in schema)
    : [schema.type].flat().includes('object');

/**
 * Every object schema forbids other properties, by `additionalProperties: false`, or `unevaluatedProperties: false` with
 * `allOf`: types do not remove a property, so an open response schema would let a password hash through.
 *
 * Option `open`: schemas that allow any JSON on purpose, as `<file>#/<pointer>`.
 */
export function ClosedObjects({ open = [] }) {
  return {
    Schema(schema, { report, location }) {
      if (!admitsObjects(schema) || /\/allOf\/\d+$/.test(location.pointer)) return;
      if (schema.additionalProperties === false && !schema.allOf) return;
      if (schema.unevaluatedProperties === false) return;
      const name = location.source.absoluteRef + location.pointer;
      if (open.some((exception) => name.endsWith(`/${exception}`))) return;
      const keyword = schema.allOf ? 'unevaluatedProperties' : 'additionalProperties';
      report({
        message: `Close this schema: add \`${keyword}: false\` (or a \`type\`, if it is not an object).`,
        location: location.key(),
      });
    },
  };
}
