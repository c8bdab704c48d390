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
 * A type as text: `string (uuid)`, `integer from 1 to 100`, `one of \`LIVE\`, \`SANDBOX\``, `list of at most 20 strings
 * of 1 to 64 characters`, `file of at most 5 GiB`.
 */
export function typeOf(contract: Contract, schema: unknown): string {
  const resolved = mergedSchema(contract, schema);
  const { const: only, enum: values = only === undefined ? undefined : [only] } = resolved;
  const { pattern, default: fallback } = resolved;
  const alternatives = (resolved['oneOf'] ?? resolved['anyOf']) as unknown[] | undefined;
  if (Array.isArray(values))
    return `${values.length > 1 ? 'one of' : 'always'} ${values.map(asCode).join(', ')}`;
  if (alternatives) return alternatives.map((one) => typeOf(contract, one)).join(' or ');
  const types = ([] as unknown[]).concat(resolved['type'] ?? 'any');
  const named = types.filter((type) => type !== 'null').map((type) => nameOf(contract, type, resolved));
  const limited = `${named.join(' or ')} ${limits(types, resolved)}`.trim();
  const parts = [
    types.includes('null') ? `${limited} or null` : limited,
    pattern === undefined ? '' : `matching ${asCode(pattern)}`,
    fallback === undefined ? '' : `default ${asCode(fallback)}`,
  ];
  return parts.filter(Boolean).join(', ');
}

const asCode = (value: unknown) => `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;

function nameOf(contract: Contract, type: unknown, { items, format, minItems, maxItems }: Schema): string {
  if (type === 'array')
    return ['list of', range(minItems, maxItems), itemsOf(contract, items)].filter(Boolean).join(' ');
  if (type !== 'string') return String(type);
  if (format === 'binary') return 'file';
  return format ? `string (${format})` : 'string';
}

/** `string (uuid)` becomes `strings (uuid)`. */
function itemsOf(contract: Contract, items: unknown): string {
  const type = items ? typeOf(contract, items) : 'any';
  const plural = type.replace(/^(string|object|integer|number|boolean|list|file)\b/, '$1s');
  return plural === type ? `values, each ${type}` : plural;
}

/** Their values have one length, or nearly. */
const formatsWithLength: unknown[] = ['uuid', 'date-time'];

function limits(types: unknown[], schema: Schema): string {
  const { format, minLength, maxLength, minimum, maximum } = schema;
  if (types.includes('string')) {
    if (format === 'binary') return maxLength === undefined ? '' : `of at most ${sizeOf(Number(maxLength))}`;
    const length = formatsWithLength.includes(format) ? '' : range(minLength, maxLength, 'character');
    return length && `of ${length}`;
  }
  const values = range(minimum, maximum);
  return values && `${/^\d/.test(values) ? 'from' : 'of'} ${values}`;
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
