import { resolve } from '../../../server/contract/index.ts';
import type { Contract } from '../../contract/source.ts';

type Schema = Record<string, unknown>;

/** One field of a body, with its path: `content[].profile.firstName`. */
export interface Field {
  path: string;
  type: string;
  required: boolean;
  description: string;
}

/** Whether the reader sends a field or receives it. */
export type Direction = 'sent' | 'received';

/** Deeper than any body of the contract; stops at recursive schemas. */
const maximumDepth = 6;

/** Schemas that describe a format, which the type of a field already names. */
const formatSchemas: unknown[] = ['Uuid', 'DateTime'].map((name) => `#/components/schemas/${name}`);

/** The fields of a body in the order of its schema, nested ones after the field that holds them. */
export function fieldsOf(contract: Contract, schema: unknown, prefix = '', depth = 0): Field[] {
  if (depth > maximumDepth) return [];
  const resolved = mergedSchema(contract, schema);
  const items = resolved['items'];
  if (items) return fieldsOf(contract, items, `${prefix}[]`, depth + 1);
  const properties = (resolved['properties'] ?? {}) as Record<string, unknown>;
  const required = (resolved['required'] ?? []) as string[];
  return Object.entries(properties).flatMap(([name, property]) => {
    const path = prefix ? `${prefix}.${name}` : name;
    const field = mergedSchema(contract, property);
    const shared = formatSchemas.includes((property as Schema)['$ref']) ? undefined : field['description'];
    const { description = shared } = property as Schema;
    return [
      {
        path,
        type: typeOf(contract, field),
        required: required.includes(name),
        description: String(description ?? ''),
      },
      ...fieldsOf(contract, field, path, depth + 1),
    ];
  });
}

/**
 * A type as text: `string (uuid)`, `integer, 1 to 100`, `one of \`LIVE\`, \`SANDBOX\``, `list of strings, at most
 * 20 items`, `file, at most 5 GiB`.
 */
export function typeOf(contract: Contract, schema: unknown): string {
  const resolved = mergedSchema(contract, schema);
  const { enum: values, const: only, pattern, default: fallback } = resolved;
  const alternatives = (resolved['oneOf'] ?? resolved['anyOf']) as unknown[] | undefined;
  if (Array.isArray(values)) return `${values.length > 1 ? 'one of ' : ''}${values.map(asCode).join(', ')}`;
  if (only !== undefined) return asCode(only);
  if (alternatives) return alternatives.map((one) => typeOf(contract, one)).join(' or ');
  const types = ([] as unknown[]).concat(resolved['type'] ?? 'any');
  const parts = [
    types.map((type) => nameOf(contract, type, resolved)).join(' or '),
    limits(types, resolved),
    pattern === undefined ? '' : `matching ${asCode(pattern)}`,
    fallback === undefined ? '' : `default ${asCode(fallback)}`,
  ];
  return parts.filter(Boolean).join(', ');
}

const asCode = (value: unknown) => `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;

function nameOf(contract: Contract, type: unknown, { items, format }: Schema): string {
  if (type === 'array') return items ? `list of ${plural(typeOf(contract, items))}` : 'list';
  if (type !== 'string') return String(type);
  if (format === 'binary') return 'file';
  return format ? `string (${format})` : 'string';
}

/** `string (uuid)` becomes `strings (uuid)`; an enumeration, `one of …`, stays as it is. */
const plural = (type: string) => type.replace(/^(string|object|integer|number|boolean|list|file)\b/, '$1s');

/** Their values have one length, or nearly. */
const formatsWithLength: unknown[] = ['uuid', 'date-time'];

function limits(types: unknown[], schema: Schema): string {
  const { format, minLength, maxLength, minItems, maxItems, minimum, maximum } = schema;
  if (types.includes('array')) return range(minItems, maxItems, 'item');
  if (!types.includes('string')) return range(minimum, maximum);
  if (format === 'binary') return maxLength === undefined ? '' : `at most ${sizeOf(Number(maxLength))}`;
  return formatsWithLength.includes(format) ? '' : range(minLength, maxLength, 'character');
}

function range(from: unknown, to: unknown, unit?: string): string {
  const upper = Number(to) >= Number.MAX_SAFE_INTEGER ? undefined : to;
  const lower = from === 0 && unit ? undefined : from;
  const count = (value: unknown) =>
    `${Number(value).toLocaleString('en')}${unit ? ` ${unit}${value === 1 ? '' : 's'}` : ''}`;
  if (lower !== undefined && upper !== undefined)
    return lower === upper ? count(upper) : `${Number(lower).toLocaleString('en')} to ${count(upper)}`;
  if (upper !== undefined) return `at most ${count(upper)}`;
  return lower === undefined || lower === 0 ? '' : `at least ${count(lower)}`;
}

const sizeUnits = ['bytes', 'KiB', 'MiB', 'GiB'];

function sizeOf(bytes: number): string {
  const power = Math.min(sizeUnits.length - 1, Math.floor(Math.log2(bytes) / 10));
  return `${Number((bytes / 1024 ** power).toFixed(1))} ${sizeUnits[power]}`;
}

/** Resolves a reference and merges the parts of `allOf`. */
function mergedSchema(contract: Contract, schema: unknown): Schema {
  const { $ref, ...beside } = (schema ?? {}) as Schema;
  const found = { ...($ref ? (resolve(contract, schema) as Schema) : {}), ...beside };
  const parts = ((found['allOf'] ?? []) as unknown[]).map((part) => mergedSchema(contract, part));
  if (parts.length === 0) return found;
  const all = [...parts, found];
  return {
    ...Object.assign({}, ...all),
    properties: Object.assign({}, ...all.map((part) => part['properties'])),
    required: all.flatMap((part) => (part['required'] as string[] | undefined) ?? []),
  };
}
