import { readFileSync } from 'node:fs';

/** As much of the bundled contract as the differential test walks through. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
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
}
export interface Parameter {
  name: string;
  in: string;
  example?: unknown;
  schema: Schema;
}
export interface Content {
  schema?: Schema;
  examples?: Record<string, { value: unknown }>;
}
export interface OperationObject {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: { content: Record<string, Content> };
  responses: Record<string, { content?: Record<string, Content> }>;
}
interface Bundle {
  paths: Record<string, { [method: string]: unknown; parameters?: Parameter[] }>;
}

export const bundle = JSON.parse(
  readFileSync(new URL('../../../generated/openapi.json', import.meta.url), 'utf8'),
) as Bundle;

const methods = ['get', 'put', 'post', 'delete', 'patch'];

export interface Described {
  id: string;
  method: string;
  template: string;
  parameters: Parameter[];
  operation: OperationObject;
}

/** Every operation, with the parameters of its path beside its own. */
export function describedOperations(): Described[] {
  return Object.entries(bundle.paths).flatMap(([template, item]) =>
    Object.entries(item)
      .filter(([method]) => methods.includes(method))
      .map(([method, operation]) => [method, operation as OperationObject] as const)
      .map(([method, operation]) => ({
        id: operation.operationId,
        method: method.toUpperCase(),
        template,
        parameters: [...(item.parameters ?? []), ...(operation.parameters ?? [])].map(resolve),
        operation,
      })),
  );
}

export function resolve<Part extends object>(part: Part): Part {
  const reference = (part as { $ref?: string }).$ref;
  if (!reference) return part;
  const target = reference
    .split('/')
    .slice(1)
    .reduce<unknown>((inner, segment) => (inner as Record<string, unknown>)[unescaped(segment)], bundle);
  return resolve(target as Part);
}

function unescaped(segment: string): string {
  return segment.replaceAll('~1', '/').replaceAll('~0', '~');
}

export function examplesOf(content: Content): unknown[] {
  return Object.values(content.examples ?? {}).map((example) => resolve(example).value);
}
