import { readFile } from 'node:fs/promises';
import { namesIn } from '../json/index.ts';

/** An OpenAPI 3.1 document in one piece: every `$ref` points into the document itself. */
export type ContractDocument = {
  openapi: string;
  info: Record<string, unknown>;
  paths: Record<string, Record<string, unknown>>;
  webhooks?: Record<string, Record<string, unknown>>;
  components: Record<string, Record<string, unknown>>;
  [key: string]: unknown;
};

/** The keywords that readers of the contract ask for; a schema may have more. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  contentMediaType?: string;
  enum?: unknown[];
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  required?: string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  additionalProperties?: boolean | Schema;
  [keyword: string]: unknown;
}

/** Reads a bundled contract, for instance `generated/openapi.json`. */
export async function readDocument(file: URL): Promise<ContractDocument> {
  return JSON.parse(await readFile(file, 'utf8'));
}

/**
 * The value behind a `$ref`, through any number of references, or the value itself.
 * @throws if the reference points to nothing
 */
export function resolve<Value>(document: object, value: Value): Value {
  const reference = (value as { $ref?: unknown } | null | undefined)?.$ref;
  if (typeof reference !== 'string') return value;
  const target = keysOf(reference).reduce<unknown>(
    (node, key) => (node as Record<string, unknown> | undefined)?.[key],
    document,
  );
  if (target === undefined) throw new Error(`${reference} points to nothing in the contract.`);
  return resolve(document, target as Value);
}

/** The keys that a `$ref` or a pointer in a URL fragment leads through: `#/paths/~1link` → `paths`, `/link`. */
export function keysOf(reference: string): string[] {
  return namesIn(reference).map(decodeURIComponent);
}
