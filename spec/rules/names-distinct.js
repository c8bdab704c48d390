import { operationsOf } from './operations.js';

/**
 * No two names of the contract become one name in generated code. Generators change the case of a schema's name, and
 * derive others from it and from operationIds: `NewThing` is Go's constructor of `Thing`, `GetThingRequest` the
 * parameters of `getThing`. An operation and a webhook share no tag: each tag is one class, and the second overwrites
 * the first. A former name that only refers to the new one is exempt: no operation uses it.
 */
export function NamesDistinct() {
  const schemas = new Map();
  return {
    Schema(_schema, { location }) {
      const [, name] = named.exec(location.pointer) ?? [];
      if (name) schemas.set(name, location.key());
    },
    Root: {
      leave(root, context) {
        const operations = operationsOf(root, 'paths', context);
        const taken = new Map();
        for (const [name, location] of schemas) {
          const other = taken.get(plain(name));
          if (other) context.report({ message: `\`${name}\` is \`${other}\` in generated code.`, location });
          taken.set(plain(name), name);
        }
        const derived = new Map([
          ...[...schemas.keys()].map((name) => [plain(`New${name}`), `the constructor of \`${name}\` in Go`]),
          ...operations.flatMap(({ operation: { operationId } }) =>
            ['Request', 'Response', 'Params', 'Body', 'Result'].map((suffix) => [
              plain(`${operationId}${suffix}`),
              `a type of \`${operationId}\``,
            ]),
          ),
        ]);
        for (const [name, location] of schemas) {
          const other = derived.get(plain(name));
          if (other) context.report({ message: `\`${name}\` is also the name of ${other}.`, location });
        }
        const tags = new Set(operations.flatMap(({ operation }) => operation.tags ?? []));
        for (const { operation, at } of operationsOf(root, 'webhooks', context))
          for (const tag of operation.tags ?? [])
            if (tags.has(tag))
              context.report({
                message: `Operations have the tag \`${tag}\`: give webhooks a tag of their own.`,
                location: at.child('tags'),
              });
      },
    },
  };
}

/** The name of a schema in a file of spec/schemas, or in a document in one piece. */
const named = /^#\/(?:components\/schemas\/)?([^/]+)$/;

const plain = (name) =>
  String(name)
    .replaceAll(/[^a-z0-9]/gi, '')
    .toLowerCase();
