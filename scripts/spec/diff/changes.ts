import { isDeepStrictEqual } from 'node:util';
import { keysOf, type OperationObject, type Schema } from '../../../server/contract/index.ts';
import type { Redocly } from '../../contract/redocly/redocly.ts';
import type { Contract } from '../../contract/source.ts';
import type { Break } from '../breaking/break.ts';
import { compare } from '../breaking/breaks.ts';
import type { RedoclyChange } from '../breaking/redocly-diff.ts';
import { type Place, type Places, placesIn } from './places.ts';

export const kinds = ['added', 'changed', 'deprecated', 'removed', 'documentation'] as const;

/** `documentation`: only texts and examples changed, which programs ignore. */
export type Kind = (typeof kinds)[number];

/** One difference between two contracts, and where a reader finds it. */
export type Change = Pick<Place, 'subject' | 'name' | 'route'> & {
  kind: Kind;
  /** What differs, in Markdown. For an operation or event that is new or gone: its summary. */
  text: string;
};

const documentation = /^(summary|description|title|examples?|externalDocs|x-.*)$/;

/** The differences between two contracts, and those that can break a client. */
export type Differences = { changes: Change[]; breaks: Break[] };

export async function differences(
  released: Contract,
  current: Contract,
  redocly: Redocly,
): Promise<Differences> {
  const { from, to, changes, breaks } = await compare(released, current, redocly);
  return { changes: changesIn(changes, from, to), breaks };
}

/** Describes Redocly's changes: operations first, then events, schemas, guides and the rest. */
function changesIn(found: RedoclyChange[], from: Contract, to: Contract): Change[] {
  const places = { from: placesIn(from), to: placesIn(to) };
  const operationIds = new Map(places.to.routes.map(({ route, name }) => [route, name]));
  const changes = found.flatMap((change) => {
    // The heading names the versions.
    if (change.typeName === 'Info' && change.property === 'version') return [];
    const isRemoved = change.kind === 'removed';
    const keys = keysOf((isRemoved ? change.base : change.revision)?.pointer ?? change.path);
    // The pointer of a modified property names the property, unless that side lacks it.
    if (change.property !== undefined && keys.at(-1) === change.property) keys.pop();
    return (isRemoved ? places.from : places.to)
      .placesOf(keys)
      .filter((place) => change.kind === 'modified' || isNews(place, places))
      .flatMap((place) =>
        described(change, place, { from, to }, keys).map(({ kind, text }) => {
          const { subject, route } = place;
          const name = (route && operationIds.get(route)) ?? place.name;
          return { kind, subject, name, ...(route && { route }), text };
        }),
      );
  });
  const distinct = [...new Map(changes.map((change) => [JSON.stringify(change), change])).values()];
  const order: Change['subject'][] = ['operation', 'event', 'schema', 'guide', 'contract'];
  return order.flatMap((subject) => distinct.filter((change) => change.subject === subject));
}

/**
 * Whether an added or removed part is worth a line: not if its whole operation is new or gone, nor if it only moved
 * between a shared response and the operation, so that both versions have it.
 */
function isNews(
  { subject, name, operation, keys }: Place,
  { from, to }: Record<'from' | 'to', Places>,
): boolean {
  if (subject === 'guide') return from.guides.includes(name) !== to.guides.includes(name);
  if (!operation || keys.length === 0) return true;
  const [before, after] = [from, to].map(({ routes }) =>
    routes.find((place) => place.subject === subject && place.name === name),
  );
  if (!before || !after) return false;
  if (keys[0] !== 'responses' && keys[0] !== 'requestBody') return true;
  return hasPart(before.operation, keys) !== hasPart(after.operation, keys);
}

function hasPart(node: unknown, [key, ...rest]: string[]): boolean {
  if (key === undefined) return node !== undefined;
  return typeof node === 'object' && node !== null && hasPart((node as Record<string, unknown>)[key], rest);
}

/** The changes of each kind; a kind without changes is omitted. */
export function byKind(changes: Change[]): [Kind, Change[]][] {
  return kinds
    .map((kind): [Kind, Change[]] => [kind, changes.filter((change) => change.kind === kind)])
    .filter(([, some]) => some.length > 0);
}

type Wording = Pick<Change, 'kind' | 'text'>;

function described(
  { kind, typeName, property, base, revision }: RedoclyChange,
  { subject, operation, keys }: Place,
  documents: { from: Contract; to: Contract },
  pointer: string[],
): Wording[] {
  const document = kind === 'removed' ? documents.from : documents.to;
  const what = nameOf(keys, operation);
  if (isText(keys, subject)) return [{ kind: 'documentation', text: subject === 'guide' ? '' : what }];
  if (typeName === 'SecurityRequirement' || property === 'security') {
    const [before, after] = [documents.from, documents.to].map((one) => callersOf(one, pointer));
    return [changed(`It required ${before} and requires ${after}.`)];
  }
  if (kind !== 'modified') {
    if (subject === 'guide' && kind === 'added') return [{ kind, text: '' }];
    if (keys.length === 0)
      return [{ kind, text: operation?.summary ?? typeText(valueAt(document, pointer)) }];
    return [{ kind, text: kind === 'added' ? `${what}${detailsOf(document, pointer)}` : what }];
  }
  const [before, after] = [base?.value, revision?.value];
  const sentence = (predicate: string) =>
    changed(`${what === '' ? 'It' : what.replace(/^[a-z]/, (letter) => letter.toUpperCase())} ${predicate}`);
  if (property === undefined || documentation.test(property)) return [{ kind: 'documentation', text: what }];
  if (property === 'deprecated') {
    if (!after) return [sentence('is no longer deprecated.')];
    return [{ kind: 'deprecated', text: what || (operation?.summary ?? '') }];
  }
  if (typeName === 'PathItem' && property === 'key') return [changed(`The path was \`${before}\`.`)];
  if (property === 'operationId') return [changed(`It was called \`${before}\`.`)];
  if (Array.isArray(before) && Array.isArray(after) && (property === 'enum' || property === 'required')) {
    const [gained, lost] = [missingIn(before, after), missingIn(after, before)];
    if (property === 'enum') {
      const value = (one: unknown) => `the value \`${one}\`${what === '' ? '' : ` of ${what}`}`;
      return [
        ...gained.map((one): Wording => ({ kind: 'added', text: value(one) })),
        ...lost.map((one): Wording => ({ kind: 'removed', text: value(one) })),
      ];
    }
    // Of a property that is new or gone, the change of the property says whether it is required.
    const kept = (name: unknown) =>
      [documents.from, documents.to].every((one) => valueAt(one, [...pointer, 'properties', String(name)]));
    const field = (name: unknown) => nameOf([...keys, 'properties', String(name)], operation);
    return [
      ...gained.filter(kept).map((name) => changed(`${field(name)} is required now.`)),
      ...lost.filter(kept).map((name) => changed(`${field(name)} is optional now.`)),
    ];
  }
  if (property === 'required') return [sentence(`is ${after ? 'required' : 'optional'} now.`)];
  const [was, now] = [before, after].map((one) =>
    one === undefined ? 'none' : `\`${JSON.stringify(one)}\``,
  );
  return [changed(`${what === '' ? '' : `${what}: `}\`${property}\` was ${was} and is ${now}.`)];
}

/** Whether keys lead into texts or examples. A property or header may be named like a keyword. */
function isText(keys: string[], subject: Change['subject']): boolean {
  if (subject === 'guide') return keys.some((key) => key !== '');
  return keys.some(
    (key, at) => documentation.test(key) && !['properties', 'headers'].includes(keys[at - 1] ?? ''),
  );
}

/** The name of a part of an operation or schema: `the header \`Retry-After\` of 429`, `\`profile.title\``. */
function nameOf(keys: string[], operation?: OperationObject): string {
  const [part, key = '', inner, name = '', ...rest] = keys;
  if (operation && part === 'parameters') {
    const { name: parameter, in: place } = operation.parameters[Number(key)] ?? { name: key, in: '' };
    return `the ${place} parameter \`${parameter}\``;
  }
  if (operation && part === 'responses') {
    if (inner === 'headers') return `the header \`${name}\` of ${key}`;
    if (inner === 'content') return contentName(name, `the response ${key}`, rest);
    return `the status ${key}`;
  }
  if (operation && part === 'requestBody') {
    return key === 'content'
      ? contentName(inner ?? '', 'the request body', keys.slice(3))
      : 'the request body';
  }
  const field = fieldOf(keys);
  return field === '' ? '' : `\`${field}\``;
}

function contentName(type: string, owner: string, keys: string[]): string {
  const field = fieldOf(keys);
  if (type === '') return `the content of ${owner}`;
  return field === '' ? `\`${type}\` of ${owner}` : `\`${field}\` of ${owner}`;
}

/** `properties/profile/properties/tags/items` → `profile.tags[]`. */
function fieldOf(keys: string[]): string {
  const [key, name, ...rest] = keys;
  if (key === undefined) return '';
  if (key === 'properties' && name !== undefined)
    return [name, fieldOf(rest)].filter(Boolean).join('.').replace('.[]', '[]');
  const deeper = fieldOf(keys.slice(1));
  if (key === 'items') return deeper === '' ? '[]' : `[].${deeper}`;
  return key === 'additionalProperties' ? ['*', deeper].filter(Boolean).join('.') : deeper;
}

/** The type of an added property or parameter: ` (string, optional)`. */
function detailsOf(document: Contract, pointer: string[]): string {
  const value = valueAt(document, pointer);
  const parent = valueAt(document, pointer.slice(0, -2));
  const isProperty = pointer.at(-2) === 'properties';
  if (!isProperty && !value?.in) return '';
  const isRequired = isProperty ? parent?.required?.includes(pointer.at(-1)) : value.required;
  return ` (${typeText(isProperty ? value : value.schema)}, ${isRequired ? 'required' : 'optional'})`;
}

/** A type as text: `string`, `array of User`, `integer or null`. */
function typeText(schema: Schema | undefined): string {
  if (!schema) return 'anything';
  if (schema.$ref) return `\`${keysOf(schema.$ref).at(-1)}\``;
  const alternatives = schema['oneOf'] ?? schema['anyOf'];
  if (Array.isArray(alternatives)) return alternatives.map(typeText).join(' or ');
  return [schema.type ?? (schema.properties ? 'object' : 'anything')]
    .flat()
    .map((type) => (type === 'array' && schema.items ? `array of ${typeText(schema.items)}` : type))
    .join(' or ');
}

function callersOf(document: Contract, [section, path, method]: string[]): string {
  const operation = valueAt(document, [section ?? '', path ?? '', method ?? '']);
  const security = (operation?.security ?? document['security'] ?? []) as Record<string, string[]>[];
  if (security.length === 0) return 'no credentials';
  const schemes = security.map((requirement) =>
    Object.entries(requirement)
      .map(([scheme, roles]) => `${scheme}${roles.length > 0 ? ` with \`${roles.join('`, `')}\`` : ''}`)
      .join(' and '),
  );
  return schemes.join(' or ');
}

// biome-ignore lint/suspicious/noExplicitAny: any part of an OpenAPI document
function valueAt(document: Contract, keys: string[]): any {
  // biome-ignore lint/suspicious/noExplicitAny: as above
  return keys.reduce<any>((value, key) => value?.[key], document);
}

function missingIn(some: unknown[], others: unknown[]): unknown[] {
  return others.filter((other) => !some.some((one) => isDeepStrictEqual(one, other)));
}

function changed(text: string): Wording {
  return { kind: 'changed', text };
}
