import { errorsOf, inlined } from './schema.js';

/**
 * A `default` matches its own schema (type, enum, bounds, format), also next to a `$ref`. The platform applies defaults
 * after validation, so no other check finds an error.
 */
export function DefaultFitsSchema() {
  const check = (schema, context, at) => {
    if (schema.default === undefined) return;
    for (const error of errorsOf(inlined(schema, context), schema.default)) {
      context.report({
        message: `The default does not match its schema: ${error}.`,
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
