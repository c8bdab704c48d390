import { followed, operationsOf } from './operations.js';

const composed = ['$ref', 'enum', 'const', 'oneOf', 'anyOf', 'not'];
const maps = ['properties', 'patternProperties'];
const lists = ['allOf', 'oneOf', 'anyOf', 'prefixItems'];
const singles = ['items', 'additionalProperties', 'unevaluatedProperties', 'not', 'if', 'then', 'else'];

/**
 * Objects in a request are closed, by `additionalProperties: false`, or `unevaluatedProperties: false` with `allOf`, so
 * that a misspelled field is refused. All other objects, of responses and events, are open, because a minor version may
 * add fields; the server closes them when it checks what it sends.
 *
 * Option `open`: schemas that allow any JSON on purpose, as `<file>#/<pointer>`. They say `additionalProperties: true`.
 */
export function ClosedRequests({ open = [] }) {
  return {
    Root(root, context) {
      const seen = new Set();
      const visit = (declared, at, isRequest) => {
        const [schema, here] = followed(declared, at, context);
        const name = here && here.source.absoluteRef + here.pointer;
        if (typeof schema !== 'object' || seen.has(name)) return;
        seen.add(name);
        const isExcepted =
          /\/allOf\/\d+$/.test(here.pointer) || open.some((exception) => name.endsWith(`/${exception}`));
        const message = isExcepted ? undefined : messageFor(schema, isRequest);
        if (message) context.report({ message, location: here.key() });
        for (const path of partsOf(schema))
          visit(
            path.reduce((node, key) => node[key], schema),
            here.child(path),
            isRequest,
          );
      };
      const visitBody = (declared, at, isRequest) => {
        const [body, here] = followed(declared, at, context);
        for (const type of Object.keys(body?.content ?? {}))
          visit(body.content[type].schema, here.child(['content', type, 'schema']), isRequest);
      };
      const paths = operationsOf(root, 'paths', context);
      const webhooks = operationsOf(root, 'webhooks', context);
      // Requests first: an object that a response shares with a request is closed.
      for (const { operation, at } of paths) visitBody(operation.requestBody, at.child('requestBody'), true);
      for (const { operation, at } of paths)
        for (const status of Object.keys(operation.responses ?? {}))
          visitBody(operation.responses[status], at.child(['responses', status]), false);
      for (const { operation, at } of webhooks)
        visitBody(operation.requestBody, at.child('requestBody'), false);
    },
  };
}

/** The paths from a schema to the schemas within it. */
function partsOf(schema) {
  const keysOf = (keyword) => Object.keys(schema[keyword] ?? {}).map((key) => [keyword, key]);
  return [
    ...[...maps, ...lists].flatMap(keysOf),
    ...singles.filter((keyword) => keyword in schema).map((one) => [one]),
  ];
}

function messageFor(schema, isRequest) {
  const isUntyped = schema.type === undefined && !composed.some((keyword) => keyword in schema);
  if (isUntyped) return 'State a `type`: without one, this schema allows any object.';
  if (![schema.type].flat().includes('object')) return undefined;
  const keyword = schema.allOf ? 'unevaluatedProperties' : 'additionalProperties';
  if (isRequest) {
    const isClosed = schema.unevaluatedProperties === false || schema[keyword] === false;
    return isClosed ? undefined : `Close this object of a request: add \`${keyword}: false\`.`;
  }
  const closing = ['additionalProperties', 'unevaluatedProperties'].find((one) => one in schema);
  return closing && `Open this object: remove \`${closing}\`. Responses and events may gain fields.`;
}
