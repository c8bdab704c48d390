import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { operations as described } from '../../../generated/operations.ts';
import {
  type MediaType as DeclaredMedia,
  type OperationId,
  type OperationObject,
  type Parameter,
  type Permission,
  type Resource,
  type ResponseObject,
  type Schema,
  withClosedObjects,
} from '../../../server/contract/index.ts';
import { bundle, routes } from '../../support/contract.ts';

export interface Example {
  name: string;
  value: unknown;
}

export interface MediaType {
  type: string;
  schema: Schema;
  examples: Example[];
}

/** A response that an operation declares. */
export interface Response {
  status: number;
  media: MediaType[];
  requiredHeaders: string[];
  /** The error codes that its examples show. */
  codes: string[];
}

/** An operation with everything that the contract declares of it. */
export interface Operation {
  id: OperationId;
  /** In upper case. */
  method: string;
  template: string;
  parameters: readonly (Parameter & { schema: Schema })[];
  operation: OperationObject;
  resource: Resource;
  /** False for a public operation. */
  secured: boolean;
  permission: Permission | null;
  body: MediaType | undefined;
  /** By status. */
  responses: Map<number, Response>;
}

/** Every operation of the contract. */
export const operations: Operation[] = routes.map(({ path, method, operation }) => {
  const id = operation.operationId as OperationId;
  const { caller, permission, resource } = described[id];
  const [body] = mediaTypes(operation.requestBody?.content);
  const responses = Object.entries(operation.responses).map(([status, response]) =>
    responseOf(Number(status), response),
  );
  return {
    id,
    method: method.toUpperCase(),
    template: path,
    parameters: operation.parameters as Operation['parameters'],
    operation,
    resource,
    permission,
    body,
    secured: caller,
    responses: new Map(responses.map((response) => [response.status, response])),
  };
});

export const secured = operations.filter((operation) => operation.secured);

export function isForm({ body }: Operation): boolean {
  return body?.type === 'multipart/form-data';
}

export function parametersIn({ parameters }: Operation, place: 'path' | 'query' | 'header') {
  return parameters.filter((parameter) => parameter.in === place);
}

function responseOf(status: number, { headers = {}, content }: ResponseObject): Response {
  const media = mediaTypes(content);
  const requiredHeaders = Object.keys(headers).filter((name) => headers[name]?.required);
  const errors = media.flatMap(({ examples }) =>
    examples.flatMap(({ value }) => (value as { errors?: { code: string }[] })?.errors ?? []),
  );
  return { status, media, requiredHeaders, codes: [...new Set(errors.map(({ code }) => code))] };
}

function mediaTypes(content: Record<string, DeclaredMedia> = {}): MediaType[] {
  return Object.entries(content).map(([type, { schema = {}, examples = {} }]) => ({
    type,
    schema,
    examples: Object.entries(examples).map(([name, example]) => ({ name, value: example.value })),
  }));
}

/** A validator independent of the one that the platform uses. It allows no undeclared fields. */
const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);
ajv.addSchema({ ...withClosedObjects(bundle), $id: 'https://contract.example/' });
const compiled = new Map<object, ValidateFunction>();

/** The error of a value by a schema of the contract; undefined if it is valid. */
export function schemaError(schema: object, value: unknown): string | undefined {
  const validate = compiled.get(schema) ?? ajv.compile(absolute(schema) as object);
  compiled.set(schema, validate);
  return validate(value) ? undefined : ajv.errorsText(validate.errors);
}

export const errorSchema = { $ref: '#/components/schemas/Error' };

/** References of the bundle are relative to it. */
function absolute(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null) return schema;
  if (Array.isArray(schema)) return schema.map(absolute);
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) =>
      key === '$ref' ? [key, `https://contract.example/${value}`] : [key, absolute(value)],
    ),
  );
}
