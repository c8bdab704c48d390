import { type Parameter, resolve, type Schema } from '../../../server/contract/index.ts';
import { isObject } from '../../../server/json/index.ts';
import type { Contract } from '../../contract/source.ts';

type Node = Record<string, unknown>;

/**
 * The same contract in one of several equal notations, so that a comparison finds no difference between them:
 * parameters of a path stand at its operations, `const` is an `enum` of one value, a nullable schema has `null` among
 * its types, and the bounds of an integer are inclusive.
 */
export function normalized(contract: Contract): Contract {
  const copy = structuredClone(contract);
  for (const item of [...Object.values(copy.paths), ...Object.values(copy.webhooks ?? {})])
    moveParameters(copy, item);
  return normalizedPart(copy, copy) as Contract;
}

function moveParameters(contract: Contract, item: Node): void {
  const shared = (item['parameters'] ?? []) as Parameter[];
  delete item['parameters'];
  const keyOf = (parameter: Parameter) => {
    const { name, in: place } = resolve(contract, parameter);
    return `${place} ${name}`;
  };
  for (const operation of Object.values(item)) {
    if (!isObject(operation) || shared.length === 0) continue;
    const own = (operation['parameters'] ?? []) as Parameter[];
    const names = own.map(keyOf);
    operation['parameters'] = [...shared.filter((one) => !names.includes(keyOf(one))), ...own];
  }
}

/** A part of the document that is not a schema. */
function normalizedPart(node: unknown, contract: Contract): unknown {
  if (Array.isArray(node)) return node.map((item) => normalizedPart(item, contract));
  if (!isObject(node)) return node;
  return mapEntries(node, (key, value) => {
    if (key === 'schema') return normalizedSchema(value, contract);
    if (key === 'schemas') return schemasByName(value, contract);
    return key === 'example' || key === 'examples' ? value : normalizedPart(value, contract);
  });
}

/** @param outer the references that were inlined on the way here: a recursive schema is inlined once */
function normalizedSchema(schema: unknown, contract: Contract, outer: string[] = []): unknown {
  if (!isObject(schema)) return schema;
  const { merged, inlined } = withNullAmongTypes(schema as Schema, contract, outer);
  const { const: constant, ...rest } = withInclusiveBounds(merged);
  const deeper = (value: unknown) => normalizedSchema(value, contract, inlined);
  const parts = mapEntries(rest, (key, value) => {
    if (schemaMaps.includes(key)) return schemasByName(value, contract, inlined);
    if (schemaLists.includes(key) && Array.isArray(value)) return value.map(deeper);
    if (key === 'type' && Array.isArray(value)) return value.length === 1 ? value[0] : [...value].sort();
    return innerSchemas.includes(key) ? deeper(value) : value;
  });
  return constant === undefined ? parts : { ...parts, enum: [constant] };
}

/** The keywords whose value has schemas by name. */
export const schemaMaps = ['properties', 'patternProperties', 'dependentSchemas'];
export const schemaLists = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
export const innerSchemas = [
  'items',
  'additionalProperties',
  'unevaluatedProperties',
  'propertyNames',
  'contains',
  'not',
];

function schemasByName(schemas: unknown, contract: Contract, inlined?: string[]): unknown {
  if (!isObject(schemas)) return schemas;
  return mapEntries(schemas, (_, schema) => normalizedSchema(schema, contract, inlined));
}

/** `anyOf: [{type: string}, {type: 'null'}]` → `type: [string, 'null']`; any other schema as it is. */
function withNullAmongTypes(schema: Schema, contract: Contract, inlined: string[]) {
  const keyword = ['anyOf', 'oneOf'].find((name) => Array.isArray(schema[name])) ?? '';
  const alternatives = (schema[keyword] ?? []) as Schema[];
  const [nullable = {}, ...others] = alternatives.filter(({ type }) => type !== 'null');
  const { [keyword]: _, ...annotations } = schema;
  const { type, const: constant, ...target } = resolve(contract, nullable);
  const isNullable = alternatives.length === 2 && others.length === 0 && type !== undefined;
  const isPlain = Object.keys(annotations).every((key) => annotationNames.includes(key));
  const reference = nullable.$ref ?? '';
  if (!isNullable || !isPlain || inlined.includes(reference)) return { merged: schema, inlined };
  const values = constant === undefined ? target.enum : [constant];
  const types = [type, 'null'].flat();
  return {
    merged: { ...target, ...annotations, type: types, ...(values && { enum: [...values, null] }) },
    inlined: reference ? [...inlined, reference] : inlined,
  };
}

function withInclusiveBounds({ exclusiveMinimum, exclusiveMaximum, ...schema }: Schema): Schema {
  const exclusive = {
    ...(exclusiveMinimum !== undefined && { exclusiveMinimum }),
    ...(exclusiveMaximum !== undefined && { exclusiveMaximum }),
  };
  if (![schema.type].flat().includes('integer')) return { ...schema, ...exclusive };
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY, ...others } = schema;
  const least = Math.max(minimum, Number(exclusiveMinimum ?? Number.NEGATIVE_INFINITY) + 1);
  const most = Math.min(maximum, Number(exclusiveMaximum ?? Number.POSITIVE_INFINITY) - 1);
  return {
    ...others,
    ...(Number.isFinite(least) && { minimum: least }),
    ...(Number.isFinite(most) && { maximum: most }),
  };
}

const annotationNames = [
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
];

function mapEntries(node: Node, map: (key: string, value: unknown) => unknown): Node {
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, map(key, value)]));
}
