import { nameOf } from '../../domain/json-pointer.ts';
import type { QueryKind } from './query.ts';
import type { Form, RequestDeclaration } from './request.ts';
import type { ResponseDeclarations } from './response.ts';

/** What the kernel reads of the contract itself, beside what EOV makes of it. */
export interface Declaration {
  id: string;
  /** In upper case, as requests name it. */
  method: string;
  template: string;
  pathParameters: readonly string[];
  /** Names of the header parameters, in lower case. */
  headerParameters: readonly string[];
  bodyTypes: readonly string[];
  /** Names of the fields of a JSON body. */
  bodyFields: readonly string[];
  request: RequestDeclaration;
  responses: ResponseDeclarations;
  /** Is this entry of `parameters` (perhaps a reference) a path parameter? */
  pathOnly: (parameter: object) => boolean;
}

type Resolve = <Part>(part: Part) => Part;
interface Parameter {
  name: string;
  in: string;
  style?: string;
  explode?: boolean;
  allowEmptyValue?: boolean;
  schema?: Schema;
}
interface Schema {
  type?: string | string[];
  format?: string;
  items?: Schema;
  properties?: Record<string, Schema>;
  contentMediaType?: string;
}
interface Content {
  schema?: Schema;
}
interface OperationObject {
  operationId?: string;
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content?: Record<string, Content> };
  responses?: Record<
    string,
    { content?: Record<string, Content>; headers?: Record<string, { required?: boolean }> }
  >;
}
interface Document {
  paths?: Record<string, Record<string, OperationObject> & { parameters?: Parameter[] }>;
}

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const;

/** Every operation of the bundled contract. @throws naming the operation that says what cannot be served. */
export function declarationsOf(document: object): Declaration[] {
  const resolve = <Part>(part: Part): Part => resolved(document, part);
  const pathOnly = (parameter: object) => resolve(parameter as Parameter).in === 'path';
  const found: Declaration[] = [];
  for (const [template, item] of Object.entries((document as Document).paths ?? {})) {
    for (const name of methods) {
      const operation = item[name];
      if (!operation) continue;
      const { operationId: id } = operation;
      const method = name.toUpperCase();
      if (!id) throw new Error(`${method} ${template} has no operationId.`);
      const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map(resolve);
      const body = operation.requestBody && resolve(operation.requestBody);
      const bodies = Object.entries(body?.content ?? {});
      const fieldsOf = (type: string) => fieldsOfSchema(body?.content?.[type]?.schema, resolve);
      const named = (place: string) => parameters.filter((parameter) => parameter.in === place);
      found.push({
        id,
        method,
        template,
        pathParameters: [...template.matchAll(/\{([^}]+)\}/g)].map((match) => match[1] as string),
        headerParameters: named('header').map((parameter) => parameter.name.toLowerCase()),
        bodyTypes: bodies.map(([type]) => type),
        bodyFields: Object.keys(fieldsOf('application/json')),
        request: {
          query: new Map(named('query').map((parameter) => [parameter.name, kindOf(parameter, resolve)])),
          bodyRequired: body?.required ?? false,
          form: body?.content?.['multipart/form-data'] && formOf(fieldsOf('multipart/form-data')),
        },
        responses: Object.fromEntries(
          Object.entries(operation.responses ?? {}).map(([status, answer]) => {
            if (!/^[1-5][0-9][0-9]$/.test(status))
              throw new Error(`${id}: declare each status, not ${status}.`);
            const { content = {}, headers = {} } = resolve(answer);
            const required = Object.entries(headers).filter(([, header]) => resolve(header).required);
            return [
              status,
              {
                types: Object.keys(content),
                headers: Object.keys(headers),
                requiredHeaders: required.map(([header]) => header),
              },
            ];
          }),
        ),
        pathOnly,
      });
    }
  }
  return found;
}

function kindOf(parameter: Parameter, resolve: Resolve): QueryKind {
  const { style = 'form', explode = true, allowEmptyValue = false, schema } = parameter;
  const type = schema && resolve(schema).type;
  if (style !== 'form' || !explode || allowEmptyValue) return 'complex';
  if (type === 'integer' || type === 'number') return type;
  if (type === 'string' || type === 'boolean') return 'text';
  return type === 'array' ? 'list' : 'complex';
}

function fieldsOfSchema(schema: Schema | undefined, resolve: Resolve): Record<string, Schema> {
  const properties = (schema && resolve(schema).properties) ?? {};
  return Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, resolve(field)]));
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

function resolved<Part>(document: object, part: Part): Part {
  const reference = (part as { $ref?: unknown }).$ref;
  if (typeof reference !== 'string') return part;
  let target: unknown = document;
  for (const segment of reference.split('/').slice(1)) {
    const key = nameOf(decodeURIComponent(segment));
    target = (target as Record<string, unknown> | undefined)?.[key];
  }
  if (target === undefined) throw new Error(`${reference} leads nowhere in the contract.`);
  return resolved(document, target as Part);
}
