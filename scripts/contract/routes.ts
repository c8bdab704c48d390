import type { Contract } from './source.ts';

/** An operation with the references of its first levels resolved: what the mock and the comparison read. */
export type Operation = {
  operationId: string;
  security?: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Record<string, MediaType> };
  responses: Record<string, ResponseObject>;
  /** The fields of the form that are files, and those that may be repeated. */
  fileFields: Set<string>;
  listFields: Set<string>;
};
export type Parameter = { name: string; in: string; required?: boolean; schema?: Record<string, unknown> };
export type MediaType = {
  schema?: unknown;
  example?: unknown;
  examples?: Record<string, { value?: unknown }>;
};
export type ResponseObject = {
  headers?: Record<string, { required?: boolean; schema?: unknown; example?: unknown }>;
  content?: Record<string, MediaType>;
};

export type Route = { path: string; method: string; operation: Operation };

const methods = ['get', 'put', 'post', 'delete', 'patch'];

/** Every operation of the paths or the webhooks, with the path's parameters merged in. */
export function routesOf(contract: Contract, place: 'paths' | 'webhooks' = 'paths'): Route[] {
  const follow = <Value>(value: Value): Value => resolve(contract, value);
  return Object.entries(contract[place] ?? {}).flatMap(([path, item]) =>
    methods
      .filter((method) => method in item)
      .map((method) => {
        const raw = item[method] as Operation;
        const shared = (item['parameters'] ?? []) as Parameter[];
        const fields = formFields(contract, raw);
        const operation: Operation = {
          ...raw,
          fileFields: new Set(fields.filter(([, { format }]) => format === 'binary').map(([name]) => name)),
          listFields: new Set(fields.filter(([, { type }]) => type === 'array').map(([name]) => name)),
          parameters: [...shared, ...(raw.parameters ?? [])].map(follow),
          responses: mapValues(raw.responses, (response) => followResponse(follow, response)),
        };
        if (raw.requestBody) operation.requestBody = followContent(follow, follow(raw.requestBody));
        return { path, method, operation };
      }),
  );
}

type FieldSchema = { type?: string; format?: string };

function formFields(contract: Contract, { requestBody }: Operation): [string, FieldSchema][] {
  const form = resolve(contract, requestBody)?.content['multipart/form-data'];
  const schema = resolve(contract, form?.schema) as { properties?: Record<string, FieldSchema> } | undefined;
  return Object.entries(schema?.properties ?? {}).map(([name, field]) => [name, resolve(contract, field)]);
}

function followResponse(follow: <V>(value: V) => V, reference: ResponseObject): ResponseObject {
  const response = follow(reference);
  const headers = mapValues(response.headers ?? {}, follow);
  return followContent(follow, { ...response, headers });
}

function followContent<Owner extends { content?: Record<string, MediaType> }>(
  follow: <V>(value: V) => V,
  owner: Owner,
): Owner {
  if (!owner.content) return owner;
  const content = mapValues(owner.content, (media) =>
    media.examples ? { ...media, examples: mapValues(media.examples, follow) } : media,
  );
  return { ...owner, content };
}

/** The value behind a `$ref`, or the value itself. */
export function resolve<Value>(contract: Contract, value: Value): Value {
  const reference = (value as { $ref?: string } | undefined)?.$ref;
  if (reference === undefined) return value;
  const keys = reference
    .slice(2)
    .split('/')
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  const target = keys.reduce<unknown>((node, key) => (node as Record<string, unknown>)?.[key], contract);
  if (target === undefined) throw new Error(`${reference} leads nowhere`);
  return resolve(contract, target as Value);
}

function mapValues<From, To>(record: Record<string, From>, map: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
}
