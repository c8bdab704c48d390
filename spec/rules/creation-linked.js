import { suggestion } from './nearest.js';
import { operationsOf, responsesOf } from './operations.js';
import { inlined } from './schema.js';

/**
 * A POST that creates an object links to the operations that take its identifier, so that tools can follow: to at least
 * one operation below `<path of the POST>/{identifier}`. Every link names an operation and all of its path parameters.
 * What it puts into a body is in `x-request-body`: openapi-generator refuses a contract with an object as `requestBody`.
 */
export function CreationLinked() {
  return {
    Root(root, context) {
      const operations = operationsOf(root, 'paths', context);
      const named = operations.filter(({ operation }) => operation.operationId !== undefined);
      const templates = new Map(named.map(({ path, operation }) => [operation.operationId, path]));
      for (const each of operations) {
        const responses = responsesOf(each, context);
        for (const { response, at } of responses)
          for (const [name, link] of Object.entries(response?.links ?? {})) {
            const { message, path = [] } =
              problemOf(link, templates) ?? missingField(link, response, { ...context, location: at }) ?? {};
            if (message) context.report({ message, location: at.child(['links', name, ...path]) });
          }
        const below = operations.filter(({ path }) => path.startsWith(`${each.path}/{`));
        const isLinked = responses.some(({ response }) => Object.keys(response?.links ?? {}).length > 0);
        if (each.method !== 'post' || below.length === 0 || isLinked) continue;
        const ids = below.map(({ operation }) => `\`${operation.operationId}\``).join(', ');
        context.report({
          message: `Add \`links\` to the response that has the identifier: ${ids} take it.`,
          location: each.at.key(),
        });
      }
    },
  };
}

/** What is wrong with a link, and where in it. */
function problemOf({ operationId, parameters = {}, requestBody }, templates) {
  const template = templates.get(operationId);
  if (template === undefined) {
    const message = `There is no operation \`${operationId}\`.${suggestion(String(operationId), templates.keys())}`;
    return { message, path: ['operationId'] };
  }
  if (typeof requestBody === 'object') return { message: 'Move `requestBody` to `x-request-body`.' };
  const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  const missing = names.filter((name) => !(name in parameters));
  if (missing.length === 0) return undefined;
  const [unknown] = Object.keys(parameters).filter((name) => !names.includes(name));
  if (unknown === undefined) return { message: `\`${operationId}\` also takes ${missing.join(', ')}.` };
  const message = `\`${operationId}\` takes \`${missing.join('`, `')}\`, not \`${unknown}\`.`;
  return { message, path: ['parameters', unknown] };
}

/** A parameter that comes from a field that the body of the response does not have. */
function missingField({ parameters = {} }, response, context) {
  const schema = response.content?.['application/json']?.schema;
  if (!schema) return undefined;
  for (const [parameter, expression] of Object.entries(parameters)) {
    const [, pointer] = /^\$response\.body#\/(.+)$/.exec(String(expression)) ?? [];
    if (!pointer) continue;
    let part = whole(inlined(schema, context));
    for (const key of pointer.split('/')) {
      const known = part.properties;
      const next = /^\d+$/.test(key) ? part.items : known[key];
      part = next && whole(next);
      if (part) continue;
      const message = `\`${expression}\` is not in the response: there is no \`${key}\`.${suggestion(key, Object.keys(known))}`;
      return { message, path: ['parameters', parameter] };
    }
  }
  return undefined;
}

/** A schema without `$ref` whose parts are put together. */
function whole({ allOf = [], ...schema }) {
  const parts = [...allOf.map(whole), schema];
  const properties = Object.assign({}, ...parts.map((part) => part.properties ?? {}));
  return Object.assign({}, ...parts, { properties });
}
