import { resolve } from '../../../server/src/contract/document.ts';
import type { Contract } from '../../contract/source.ts';

type Schema = Record<string, unknown>;

/** One field of a body, with its path: `content[].profile.firstName`. */
export interface Field {
  path: string;
  type: string;
  required: boolean;
  description: string;
}

/** Deeper than any body of the contract; stops at recursive schemas. */
const maximumDepth = 6;

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
    const { description } = { ...field, ...(property as Schema) };
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

/** A type as text: `string (uuid)`, `integer, 1 to 100`, `one of \`LIVE\`, \`SANDBOX\``, `list of string`. */
export function typeOf(contract: Contract, schema: unknown): string {
  const resolved = mergedSchema(contract, schema);
  const { enum: values, const: only, format, items, minimum, maximum, minLength, maxLength } = resolved;
  const alternatives = (resolved['oneOf'] ?? resolved['anyOf']) as unknown[] | undefined;
  if (Array.isArray(values)) return `one of ${values.map((value) => `\`${value}\``).join(', ')}`;
  if (only !== undefined) return `\`${only}\``;
  if (alternatives) return alternatives.map((one) => typeOf(contract, one)).join(' or ');
  const types = ([] as unknown[]).concat(resolved['type'] ?? 'any');
  const name = types.map((type) => (type === 'array' && items ? `list of ${typeOf(contract, items)}` : type));
  const text = `${name.join(' or ')}${format ? ` (${format})` : ''}`;
  const isText = types.includes('string') && !format;
  const bounds = range(isText ? minLength : minimum, isText ? maxLength : maximum);
  return bounds ? `${text}, ${bounds}${isText ? ' characters' : ''}` : text;
}

function range(from: unknown, to: unknown): string {
  const upper = Number(to) >= Number.MAX_SAFE_INTEGER ? undefined : to;
  if (from !== undefined && upper !== undefined) return from === upper ? `${from}` : `${from} to ${upper}`;
  if (upper !== undefined) return `at most ${upper}`;
  return from === undefined || from === 0 ? '' : `at least ${from}`;
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
