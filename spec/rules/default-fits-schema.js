import { errorsOf, inlined } from './schema.js';

/**
 * A `default` satisfies its own schema (type, enum, bounds, format), also beside a `$ref`:
 * the platform fills it in after validation, so nothing else would notice.
 */
export function DefaultFitsSchema() {
  const check = (schema, context, at) => {
    if (schema.default === undefined) return;
    for (const error of errorsOf(inlined(schema, context), schema.default)) {
      context.report({
        message: `The default does not fit its schema: ${error}.`,
        location: at.child(['default']),
      });
    }
  };
  return {
    Schema(schema, context) {
      check(schema, context, context.location);
    },
    ref(node, context) {
      if (context.type.name === 'Schema') check(node, context, context.location);
    },
  };
}
