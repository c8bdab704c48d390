import { errorsOf, inlined } from './schema.js';

/** The examples of a header match its schema: Redocly checks only parameters and bodies. */
export function HeaderExamplesFit() {
  return {
    Header(header, context) {
      if (!header.schema) return;
      const { location, report, resolve } = context;
      const schema = inlined(header.schema, context);
      const examples = Object.entries(header.examples ?? {}).map(([name, example]) => [
        ['examples', name],
        resolve(example).node?.value,
      ]);
      if (header.example !== undefined) examples.push([['example'], header.example]);
      for (const [path, value] of examples) {
        for (const error of errorsOf(schema, value)) {
          report({
            message: `The example does not match the header's schema: ${error}.`,
            location: location.child(path),
          });
        }
      }
    },
  };
}
