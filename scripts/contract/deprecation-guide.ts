import {
  type ContractDocument as Contract,
  deprecationOf,
  routesOf,
  type Schema,
} from '../../server/contract/index.ts';
import { isObject } from '../../server/json/index.ts';

/** A part of the contract, what it is in Markdown, and the operation to which it belongs. */
type Part = { node: object; what: string; owner?: string };

const introduction = 'The API description marks as deprecated:';

/**
 * Completes the section “Current deprecations” of the guide of the tag `versioning`: adds a list of the operations,
 * parameters and fields that are deprecated, with their dates, and with what their descriptions say to use instead.
 */
export function completeDeprecations(contract: Contract): void {
  const tags = contract['tags'] as { name: string; description?: string }[] | undefined;
  const guide = tags?.find(({ name }) => name === 'versioning');
  if (!guide?.description) return;
  const parts = [...partsOf(contract)].filter(({ node }) => isObject(node) && deprecationOf(node));
  if (parts.length === 0) return;
  const entries = [...Map.groupBy(parts, ({ node }) => node).values()].map(entryOf);
  guide.description = guide.description.replace(/^## Current deprecations\n(?:(?!## ).*\n?)*/m, (section) =>
    section.replace(/\s*$/, (end) => `\n\n${introduction}\n\n${entries.join('\n')}${end}`),
  );
}

/** The text of a guide without the list. */
export function withoutDeprecations(guide: string): string {
  return guide.replace(new RegExp(`\n\n${introduction}\n(?:\n- .*)+`), '');
}

function* partsOf(contract: Contract): Generator<Part> {
  for (const { path, method, operation } of [...routesOf(contract), ...routesOf(contract, 'webhooks')]) {
    const { operationId, tags = [] } = operation;
    const isEvent = !path.startsWith('/');
    const owner = `[\`${isEvent ? path : operationId}\`](#/${tags[0]}/${operationId?.toLowerCase()})`;
    yield { node: operation, what: isEvent ? owner : `${owner} (\`${method.toUpperCase()} ${path}\`)` };
    for (const parameter of operation.parameters)
      yield { node: parameter, what: `The ${parameter.in} parameter \`${parameter.name}\``, owner };
    const { requestBody, responses } = operation;
    const bodies = [
      ...(requestBody ? [{ what: 'the request body', body: requestBody }] : []),
      ...Object.values(responses).map((body) => ({ what: 'the response', body })),
    ];
    for (const { what, body } of bodies)
      for (const { schema } of Object.values(body.content ?? {}))
        for (const [field, node] of fieldsIn(schema))
          yield { node, what: `The field \`${field}\` of ${what}`, owner };
  }
  for (const [name, schema] of Object.entries(contract.components['schemas'] ?? {})) {
    yield { node: schema as Schema, what: `\`${name}\`` };
    for (const [field, node] of fieldsIn(schema))
      yield { node, what: `The field \`${field}\` of \`${name}\`` };
  }
}

/** The fields of a schema, at any depth, each with its path. What the schema refers to has fields of its own. */
function* fieldsIn(schema: unknown, path = ''): Generator<[path: string, field: Schema]> {
  if (!isObject(schema)) return;
  const {
    properties = {},
    items,
    additionalProperties,
    allOf = [],
    anyOf = [],
    oneOf = [],
  } = schema as Schema;
  for (const [name, field] of Object.entries(properties)) {
    const inner = path === '' ? name : `${path}.${name}`;
    yield [inner, field];
    yield* fieldsIn(field, inner);
  }
  yield* fieldsIn(items, `${path}[]`);
  yield* fieldsIn(additionalProperties, path === '' ? '*' : `${path}.*`);
  for (const one of [allOf, anyOf, oneOf].flat()) yield* fieldsIn(one, path);
}

/** One line for a part, which several operations may share. */
function entryOf(group: Part[]): string {
  const [{ node, what }] = group as [Part];
  const { since, sunset } = deprecationOf(node) as NonNullable<ReturnType<typeof deprecationOf>>;
  const owners = [...new Set(group.flatMap(({ owner }) => owner ?? []))].join(', ');
  const dates = `since ${day(since)}; works until ${day(sunset)}, 00:00 UTC.`;
  return [`- ${what}${owners && ` of ${owners}`}: ${dates}`, ...replacements(node)].join(' ');
}

const day = (moment: number) =>
  new Date(moment).toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

/** The sentences of a description that say what to use instead. */
export function replacements(node: object): string[] {
  const { description = '' } = node as { description?: string };
  const sentences = description.replaceAll(/\s+/g, ' ').split(/(?<=[.!]) (?=[A-Z`[])/);
  return sentences.filter((sentence) => /\b(?:instead|replaced by)\b/i.test(sentence));
}
