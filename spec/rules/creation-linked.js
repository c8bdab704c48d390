import { operationsOf, responsesOf } from './operations.js';

/**
 * A POST that creates an object links to the operations that take its identifier, so that tools can follow: to at least
 * one operation below `<path of the POST>/{identifier}`. Every link names an operation and all of its path parameters.
 * What it puts into a body is in `x-request-body`: openapi-generator refuses a contract with an object as `requestBody`.
 */
export function CreationLinked() {
  return {
    Root(root, context) {
      const operations = operationsOf(root, 'paths', context);
      const templates = new Map(operations.map(({ path, operation }) => [operation.operationId, path]));
      for (const each of operations) {
        const responses = responsesOf(each, context);
        for (const { response, at } of responses)
          for (const [name, link] of Object.entries(response?.links ?? {})) {
            const message = messageFor(link, templates);
            if (message) context.report({ message, location: at.child(['links', name]) });
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

function messageFor({ operationId, parameters = {}, requestBody }, templates) {
  const template = templates.get(operationId);
  if (template === undefined) return `There is no operation \`${operationId}\`.`;
  if (typeof requestBody === 'object') return 'Move `requestBody` to `x-request-body`.';
  const missing = [...template.matchAll(/\{(\w+)\}/g)]
    .map(([, name]) => name)
    .filter((name) => !(name in parameters));
  return missing.length > 0 ? `\`${operationId}\` also takes ${missing.join(', ')}.` : undefined;
}
