import { isHeader } from './operations.js';

/** What the specification allows a reference in place of. */
const standard = new Set([
  'Callback',
  'Example',
  'Header',
  'Link',
  'Parameter',
  'PathItem',
  'RequestBody',
  'Response',
  'Schema',
  'SecurityScheme',
]);

const elsewhere =
  'cannot be referred to here: write the part out. A `$ref` can stand for a schema, parameter, request body, response, ' +
  'header, example, link or path item, and for the headers of a response.';
const oneHeader = 'is one header: put its name before it, or refer to a set of headers.';

/**
 * A `$ref` stands where the specification allows one, or in place of the headers of a response: those that most
 * responses have are written once, in spec/headers.yaml. The bundle has them at each response.
 */
export function StrictRefs() {
  return {
    any(node, { report, rawNode, rawLocation, type }) {
      if (typeof rawNode?.$ref !== 'string' || standard.has(type.name)) return;
      const problem = type.name !== 'HeadersMap' ? elsewhere : isHeader(node) ? oneHeader : undefined;
      if (problem)
        report({ message: `\`${rawNode.$ref}\` ${problem}`, location: rawLocation.child('$ref').key() });
    },
  };
}
