import { type ContractDocument, resolve, type Schema } from './document.ts';

/** An operation with its parameters, body, responses, headers and examples resolved. Schemas keep their references. */
export interface OperationObject {
  operationId: string;
  summary?: string;
  description?: string;
  deprecated?: boolean;
  tags?: string[];
  security?: Record<string, string[]>[];
  /** The parameters of the operation and of its path; those of the operation take precedence. */
  parameters: Parameter[];
  requestBody?: { required?: boolean; content: Record<string, MediaType> };
  responses: Record<string, ResponseObject>;
  /** The fields of a `multipart/form-data` body. */
  form?: Form;
}

export interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  style?: string;
  explode?: boolean;
  allowEmptyValue?: boolean;
  example?: unknown;
  schema?: Schema;
}

export interface MediaType {
  schema?: Schema;
  example?: unknown;
  examples?: Record<string, { value?: unknown }>;
  /** How the fields of a form are encoded. */
  encoding?: Record<string, { contentType?: string }>;
}

export interface ResponseObject {
  headers?: Record<string, { required?: boolean; schema?: Schema; example?: unknown }>;
  /** What other operations take from the response, by name. */
  links?: Record<string, { parameters?: Record<string, string>; 'x-request-body'?: Record<string, string> }>;
  content?: Record<string, MediaType>;
}

export interface Form {
  files: readonly string[];
  /** All others. */
  texts: readonly string[];
  /** The names in `texts` that hold more than one value. */
  lists: readonly string[];
}

export interface Route {
  /** The path's template, or the event type of a webhook. */
  path: string;
  /** In lower case, as in the contract. */
  method: string;
  operation: OperationObject;
}

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const;

/** Every operation of the paths or of the webhooks, in the order of the document. */
export function routesOf(document: ContractDocument, section: 'paths' | 'webhooks' = 'paths'): Route[] {
  return Object.entries(document[section] ?? {}).flatMap(([path, item]) => {
    const shared = (item['parameters'] ?? []) as Parameter[];
    return methods.flatMap((method) => {
      const declared = item[method] as OperationObject | undefined;
      return declared ? [{ path, method, operation: operationOf(document, declared, shared) }] : [];
    });
  });
}

/** The permission that an operation asks for. Every security scheme names the same one; a lint rule checks that. */
export function permissionOf({ security = [] }: Pick<OperationObject, 'security'>): string | undefined {
  return security.flatMap((requirement) => Object.values(requirement).flat())[0];
}

/** The error codes of a response: the contract has an example for each. */
export function errorCodesOf({ content = {} }: ResponseObject): string[] {
  const values = Object.values(content).flatMap(({ examples = {} }) => Object.values(examples));
  const errors = values.flatMap(
    ({ value }) => (value as { errors?: { code: string }[] } | undefined)?.errors ?? [],
  );
  return [...new Set(errors.map(({ code }) => code))];
}

/** Names of the parameters in a path's template. */
export function parameterNames(template: string): string[] {
  return [...template.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name as string);
}

/** The properties of an object's schema, each resolved. */
export function propertiesOf(document: object, schema: Schema | undefined): Record<string, Schema> {
  const { properties = {} } = resolve(document, schema) ?? {};
  return mapValues(properties, (property) => resolve(document, property));
}

function operationOf(document: object, declared: OperationObject, shared: Parameter[]): OperationObject {
  const follow = <Value>(value: Value): Value => resolve(document, value);
  const own = (declared.parameters ?? []).map(follow);
  const inherited = shared.map(follow).filter((one) => !own.some((other) => isSame(one, other)));
  const operation: OperationObject = {
    ...declared,
    parameters: [...inherited, ...own],
    responses: mapValues(declared.responses ?? {}, (reference) => {
      const response = follow(reference);
      return withExamples(follow, { ...response, headers: mapValues(response.headers ?? {}, follow) });
    }),
  };
  if (declared.requestBody) operation.requestBody = withExamples(follow, follow(declared.requestBody));
  const form = operation.requestBody?.content?.['multipart/form-data'];
  if (form) operation.form = formOf(propertiesOf(document, form.schema));
  return operation;
}

function isSame(one: Parameter, other: Parameter): boolean {
  return one.name === other.name && one.in === other.in;
}

function withExamples<Owner extends { content?: Record<string, MediaType> }>(
  follow: <Value>(value: Value) => Value,
  owner: Owner,
): Owner {
  if (!owner.content) return owner;
  const content = mapValues(owner.content, (media) =>
    media.examples ? { ...media, examples: mapValues(media.examples, follow) } : media,
  );
  return { ...owner, content };
}

function formOf(fields: Record<string, Schema>): Form {
  const named = (is: (field: Schema) => boolean) =>
    Object.keys(fields).filter((name) => is(fields[name] as Schema));
  return {
    files: named(isFile),
    texts: named((field) => !isFile(field)),
    lists: named((field) => field.type === 'array'),
  };
}

/** OpenAPI 3.1 describes a file by its media type, or by a format as 3.0 did. */
function isFile({ format, contentMediaType }: Schema): boolean {
  return format === 'binary' || contentMediaType === 'application/octet-stream';
}

function mapValues<From, To>(record: Record<string, From>, map: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
}
