import { isDeepStrictEqual } from 'node:util';
import { keysOf, type OperationObject, type Route, resolve } from '../../../server/contract/index.ts';
import { isObject } from '../../../server/json/index.ts';
import type { Contract } from '../../contract/source.ts';
import type { Break } from './break.ts';
import { innerSchemas, schemaLists, schemaMaps } from './normalized.ts';

type Schema = Record<string, unknown>;

/** Who sends what the schema describes: the client in a request, the platform in a response or an event. */
type Sender = 'client' | 'platform';

type Rule = (before: Schema, after: Schema, sender: Sender) => Omit<Break, 'where'>[];

/** Both versions of an operation or event. */
export type Pair = { before: Route; after: Route };

/** Breaking changes to schemas: lost names, and what changed in what operations and events send, node by node. */
export function schemaBreaks(
  released: Contract,
  current: Contract,
  { operations, events }: { operations: Pair[]; events: Pair[] },
): Break[] {
  const walk = schemaWalk(released, current, [
    lostValues,
    changedDefault,
    oneSidedFields,
    loosenedBounds,
    changedFile,
    changedDiscriminator,
  ]);
  const sent = ({ before, after }: Pair, part: Part, sender: Sender, place = '') => {
    const [old, now] = [part(before.operation), part(after.operation)];
    return walk(old, now, { sender, where: `${place}${before.path} ${before.method}` });
  };
  return [
    ...lostNames(released, current),
    ...operations.flatMap((pair) => [
      ...sent(pair, parameterSchemas, 'client'),
      ...sent(pair, bodySchemas, 'client'),
      ...sent(pair, ({ responses }) => ({ responses }), 'platform'),
    ]),
    ...events.flatMap((pair) => [
      ...sent(pair, parameterSchemas, 'platform', 'webhooks '),
      ...sent(pair, bodySchemas, 'platform', 'webhooks '),
    ]),
  ];
}

type Part = (operation: OperationObject) => unknown;

const parameterSchemas: Part = ({ parameters }) =>
  Object.fromEntries(parameters.map(({ name, in: place, schema }) => [`${place} ${name}`, { schema }]));

const bodySchemas: Part = ({ requestBody }) => ({ requestBody: { content: requestBody?.content } });

/** Clients use the names of schemas: as names of types. */
function lostNames(released: Contract, current: Contract): Break[] {
  const [before, after] = [released, current].map((contract) => contract.components['schemas'] ?? {});
  return Object.keys(before ?? {})
    .filter((name) => !(name in (after ?? {})))
    .map((name) => ({
      rule: 'schema-removed',
      where: `components schemas ${name}`,
      message: 'A type of this name is missing in generated code now.',
    }));
}

type Place = { sender: Sender; where: string };
type Walk = (before: unknown, after: unknown, place: Place) => Break[];

/** Applies the rules to every schema below a part of an operation; one that several parts share is compared once. */
function schemaWalk(released: Contract, current: Contract, rules: Rule[]): Walk {
  const compared = { client: new Set<unknown>(), platform: new Set<unknown>() };
  const walkSchema: Walk = (one, other, { sender, where: outer }) => {
    const [target, before, after] = [resolve(released, one), merged(released, one), merged(current, other)];
    if (!before || !after) return [];
    const where = placeOf(one) ?? outer;
    const found = rules.flatMap((rule) => rule(before, after, sender));
    const parts = compared[sender].has(target) ? [] : subschemas(before, after);
    compared[sender].add(target);
    return [
      ...found.map((one) => ({ ...one, where })),
      ...parts.flatMap(([key, old, now]) => walkSchema(old, now, { sender, where: `${where} ${key}` })),
    ];
  };
  const walk: Walk = (before, after, { sender, where }) => {
    if (!isObject(before) || !isObject(after)) return [];
    return Object.keys(before).flatMap((key) => {
      if (key === 'schema' && before[key] !== undefined && after[key] === undefined)
        return [{ rule: 'schema-removed', where, message: 'Generated code has no type for it now.' }];
      const next = key === 'schema' ? walkSchema : walk;
      return next(before[key], after[key], { sender, where: key === 'schema' ? where : `${where} ${key}` });
    });
  };
  return walk;
}

/** A schema with what its `$ref` leads to. */
function merged(contract: Contract, schema: unknown): Schema | undefined {
  if (!isObject(schema)) return undefined;
  const { $ref: _, ...own } = schema;
  return { ...resolve(contract, schema), ...own };
}

/** `#/components/schemas/User` → `components schemas User`, unless the reference has keywords of its own. */
function placeOf(schema: unknown): string | undefined {
  const { $ref, title: _, description: __, examples: ___, ...own } = isObject(schema) ? schema : {};
  return typeof $ref === 'string' && Object.keys(own).length === 0 ? keysOf($ref).join(' ') : undefined;
}

/** The schemas within both, with the keys that lead to them. */
function subschemas(before: Schema, after: Schema): [key: string, before: unknown, after: unknown][] {
  return Object.keys(before).flatMap((key): [string, unknown, unknown][] => {
    const [old, now] = [before[key], after[key]];
    if (Array.isArray(old) && Array.isArray(now))
      return schemaLists.includes(key) ? alternatives(old, now).map(([a, b]) => [key, a, b]) : [];
    if (innerSchemas.includes(key)) return [[key, old, now]];
    if (!schemaMaps.includes(key) || !isObject(old) || !isObject(now)) return [];
    return Object.keys(old).map((name) => [`${key} ${name}`, old[name], now[name]]);
  });
}

/** Alternatives may be in another order or gone; those that changed are compared in their order. */
function alternatives(before: unknown[], after: unknown[]): [unknown, unknown][] {
  const without = (some: unknown[], others: unknown[]) =>
    some.filter((one) => !others.some((other) => isDeepStrictEqual(one, other)));
  const [old, now] = [without(before, after), without(after, before)];
  // Equal references can lead to different schemas.
  const kept = before.filter((one) => !old.includes(one)).map((one): [unknown, unknown] => [one, one]);
  return [...kept, ...old.map((one, at): [unknown, unknown] => [one, now[at]])];
}

/** A client that waits for a removed status, or branches on a removed code, never sees it. */
const lostValues: Rule = ({ enum: before }, { enum: after }) => {
  if (!Array.isArray(before) || !Array.isArray(after)) return [];
  const lost = before.filter((value) => !after.includes(value));
  if (lost.length === 0) return [];
  return [{ rule: 'enum-values-removed', message: `Lost ${lost.map((one) => `\`${one}\``).join(', ')}.` }];
};

/** A default that only the description states is still a default, but generators do not make the field required. */
const changedDefault: Rule = ({ default: before }, { default: after, description }) => {
  const [old, now] = [before, after].map((value) => JSON.stringify(value));
  if (old === undefined || old === now) return [];
  if (now === undefined && String(description).includes(`Default: \`${old}\`.`)) return [];
  return [{ rule: 'default-changed', message: `The default was ${old} and is ${now ?? 'gone'}.` }];
};

/**
 * What the platform sends may become longer in a minor version, as the versioning guide says, but keeps an
 * upper bound: receivers have columns and buffers. An integer stays within the width that receivers read it into. A lower
 * bound holds: a list or a text that was never empty, or a number that was never negative.
 */
const loosenedBounds: Rule = (before, after, sender) => {
  if (sender === 'client' || Array.isArray(after['enum'])) return [];
  const upper = ['maximum', 'maxLength', 'maxItems', 'maxProperties'].flatMap((keyword) => {
    const [old, now] = [before[keyword], after[keyword]];
    if (typeof old !== 'number') return [];
    if (typeof now !== 'number')
      return [{ rule: `${keyword}-removed`, message: `It was at most ${old} and has no upper bound now.` }];
    const width = widths.find((most) => old <= most) ?? Number.POSITIVE_INFINITY;
    if (!isInteger(before) || now <= width) return [];
    return [{ rule: 'maximum-raised', message: `It was at most ${old} and does not fit into ${width} now.` }];
  });
  const lower = ['minimum', 'minLength', 'minItems', 'minProperties'].flatMap((keyword) => {
    const [old, now = keyword === 'minimum' ? 'unbounded' : 0] = [before[keyword], after[keyword]];
    if (typeof old !== 'number' || (typeof now === 'number' && now >= old)) return [];
    return [{ rule: `${keyword}-lowered`, message: `It was at least ${old} and is ${now} now.` }];
  });
  const repeated = before['uniqueItems'] === true && after['uniqueItems'] !== true;
  const items = repeated ? [{ rule: 'uniqueItems-removed', message: 'An item may occur twice now.' }] : [];
  return [...upper, ...lower, ...items];
};

/** The largest integers of 32 bits, and of a JavaScript number. */
const widths = [2 ** 31 - 1, Number.MAX_SAFE_INTEGER];

const isInteger = ({ type }: Schema) => [type].flat().includes('integer');

/** A client sends a file and a text differently. What the platform sends is compared by Redocly. */
const changedFile: Rule = ({ format: before }, { format: after }, sender) => {
  if (sender === 'platform' || (before === 'binary') === (after === 'binary')) return [];
  return [{ rule: 'format-changed', message: `It is ${after === 'binary' ? '' : 'not '}a file now.` }];
};

const changedDiscriminator: Rule = ({ discriminator: before }, { discriminator: after }) => {
  if (before === undefined || isDeepStrictEqual(before, after)) return [];
  return [{ rule: 'discriminator-changed', message: 'Generated code selects a type by it.' }];
};

/** A read-only field is refused in a request, and a write-only one is missing in a response. */
const oneSidedFields: Rule = (before, after, sender) => {
  const keyword = sender === 'client' ? 'readOnly' : 'writeOnly';
  if (before[keyword] || !after[keyword]) return [];
  const effect = sender === 'client' ? 'A request cannot set it now.' : 'It is missing now.';
  return [{ rule: `became-${sender === 'client' ? 'read' : 'write'}-only`, message: effect }];
};
