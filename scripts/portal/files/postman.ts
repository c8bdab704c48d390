import { STATUS_CODES } from 'node:http';
import { absoluteLinks, type MediaType, type Parameter } from '../../../server/contract/index.ts';
import { namedAddresses } from '../../../server/src/pages/served-addresses.ts';
import type { Contract } from '../../contract/source.ts';
import { contractPages, type DescribedRoute } from '../contract/contract-pages.ts';
import { fieldsOf } from '../contract/schema-fields.ts';

/** A Postman collection, version 2.1: https://schema.postman.com/ */
export interface Collection {
  info: { name: string; description: Text; schema: string };
  item: { name: string; description: Text; item: CollectionItem[] }[];
  auth: object;
  variable: { key: string; value: string; type: string; description?: string }[];
}

export interface CollectionItem {
  name: string;
  request: CollectionRequest;
  response: object[];
  /** Scripts that run after a response. */
  event?: { listen: 'test'; script: { type: 'text/javascript'; exec: string[] } }[];
}

export interface CollectionRequest {
  method: string;
  description: Text;
  /** Absent if the collection's token is sent. */
  auth?: { type: 'noauth' };
  header: Entry[];
  url: { raw: string; host: string[]; path: string[]; query: Entry[]; variable: Entry[] };
  body?: { mode: 'raw' | 'formdata'; raw?: string; options?: object; formdata?: Entry[] };
}

interface Entry {
  key: string;
  value?: string;
  type?: 'file' | 'text';
  disabled?: boolean;
  description?: Text;
}

type Text = ReturnType<typeof markdown>;
const markdown = (content = '') => ({ content, type: 'text/markdown' }) as const;

/**
 * The Postman collection of all operations. It calls the sandbox, with the token in one variable, and succeeds from top to
 * bottom with the data of the demo: requests use the identifiers of the responses before them.
 */
export function postmanCollection(contract: Contract): Collection {
  const { title, introduction, groups } = contractPages(contract);
  const folders = groups.map((group) => ({
    ...group,
    routes: group.routes.filter(({ isEvent }) => !isEvent),
  }));
  const ids = idsOf(folders.flatMap(({ routes }) => routes));
  const collection: Collection = {
    info: {
      name: title,
      description: markdown(introduction),
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    item: folders
      .filter(({ routes }) => routes.length > 0)
      .map(({ title: name, description, routes }) => ({
        name,
        description: markdown(description),
        item: routes.map((route) => itemOf(contract, route, ids)),
      })),
    auth: {
      type: 'apikey',
      apikey: [
        { key: 'key', value: 'Authorization', type: 'string' },
        { key: 'value', value: '{{organizationToken}}', type: 'string' },
        { key: 'in', value: 'header', type: 'string' },
      ],
    },
    variable: [
      { key: 'baseUrl', value: namedAddresses.sandbox, type: 'string' },
      { key: 'organizationToken', value: '', type: 'string', description: 'tot_…, without Bearer' },
      ...Object.values(credentials).map((key) => ({
        ...{ key, value: '', type: 'string', description: 'From your operator, or a response before' },
      })),
      ...[...ids].map(([key, value]) => ({
        ...{ key, value, type: 'string', description: 'An object of the demo in the sandbox' },
      })),
    ],
  };
  return JSON.parse(absoluteLinks(JSON.stringify(collection), contract, namedAddresses.own));
}

/** An object of the demo for each path parameter: the first that the examples name. */
type Ids = ReadonlyMap<string, string>;

function idsOf(routes: DescribedRoute[]): Ids {
  const parameters = routes.flatMap(({ operation }) => operation.parameters.filter(isIn('path')));
  return new Map(parameters.map(({ name, example }) => [name, textOf(example)] as const).reverse());
}

function itemOf(contract: Contract, route: DescribedRoute, ids: Ids): CollectionItem {
  const { operation } = route;
  const request = requestOf(contract, route, ids);
  const responses = Object.entries(operation.responses).flatMap(
    ([status, { headers = {}, content = {} }]) => {
      const header = Object.entries(headers).map(([key, { example }]) => ({
        key,
        value: String(example ?? ''),
      }));
      const shared = {
        originalRequest: request,
        code: Number(status),
        status: STATUS_CODES[status] ?? '',
        header,
      };
      const bodies = Object.entries(content).flatMap(([type, media]) =>
        Object.entries(media.examples ?? {}).map(([name, { value }]) => ({
          name,
          ...shared,
          header: [{ key: 'Content-Type', value: type }, ...header],
          body: textOf(value),
          _postman_previewlanguage: type.endsWith('json') ? 'json' : 'text',
        })),
      );
      return bodies.length > 0 ? bodies : [{ name: shared.status, ...shared }];
    },
  );
  const script = [...carriedScript(operation), ...pollingScript(operation)];
  return {
    name: operation.summary,
    request,
    response: responses,
    ...(script.length > 0 && {
      event: [{ listen: 'test', script: { type: 'text/javascript', exec: script } }],
    }),
  };
}

/** Fields of requests without a token, and the variables that they are sent from. */
const credentials: Record<string, string> = {
  key: 'apiKey',
  secret: 'apiSecret',
  refreshToken: 'refreshToken',
};

/** Keeps what the links of a successful response say that other operations take from it. */
function carriedScript({ responses }: DescribedRoute['operation']): string[] {
  const values = new Map<string, string>();
  for (const [status, { links = {} }] of Object.entries(responses)) {
    if (!status.startsWith('2')) continue;
    for (const { parameters, 'x-request-body': body } of Object.values(links)) {
      for (const [name, expression] of Object.entries({ ...parameters, ...body })) {
        const [, field] = /^\$response\.body#\/(\w+)$/.exec(String(expression)) ?? [];
        if (field) values.set(name, field);
      }
    }
  }
  const lines = [...values].map(
    ([name, field]) => `  pm.collectionVariables.set('${name}', pm.response.json().${field});`,
  );
  return lines.length > 0 ? ['if (pm.response.code < 300) {', ...lines, '}'] : [];
}

/** When a collection runs, repeats the request for an execution until it has ended, so that it has a result. */
function pollingScript({ operationId }: DescribedRoute['operation']): string[] {
  if (operationId !== 'getWorkflow') return [];
  return [
    "if (pm.response.code === 200 && pm.response.json().status === 'RUNNING') {",
    '  pm.execution.setNextRequest(pm.info.requestName);',
    '}',
  ];
}

function requestOf(
  contract: Contract,
  { path, method, operation }: DescribedRoute,
  ids: Ids,
): CollectionRequest {
  const { parameters, requestBody, responses, form, security = [] } = operation;
  const [[bodyType, media] = []] = Object.entries(requestBody?.content ?? {});
  const [success] = Object.keys(responses).sort();
  const [accepted] = Object.keys(responses[success ?? '']?.content ?? {});
  const names = path.slice(1).replaceAll(/\{([^}]+)\}/g, ':$1');
  const query = parameters.filter(isIn('query')).map((one) => ({
    ...described(one),
    value: textOf(one.example ?? one.schema?.['default']),
  }));
  return {
    method: method.toUpperCase(),
    description: markdown(operation.description),
    ...(security.length === 0 && { auth: { type: 'noauth' } }),
    header: [
      ...parameters.filter(isIn('header')).map(headerOf),
      ...(bodyType && !form ? [{ key: 'Content-Type', value: bodyType }] : []),
      ...(accepted ? [{ key: 'Accept', value: accepted }] : []),
    ],
    url: {
      raw: `{{baseUrl}}/${names}`,
      host: ['{{baseUrl}}'],
      path: names.split('/'),
      query: query.map((entry) => ({ ...entry, disabled: entry.value === '' })),
      // An operation may need another object, as one that is still running.
      variable: parameters.filter(isIn('path')).map((one) => {
        const isShared = ids.get(one.name) === textOf(one.example);
        return { ...described(one), value: isShared ? `{{${one.name}}}` : textOf(one.example) };
      }),
    },
    ...(media && {
      body: form ? formOf(contract, media, form.files) : jsonOf(media, security.length === 0),
    }),
  };
}

const isIn =
  (place: string) =>
  (parameter: Parameter): boolean =>
    parameter.in === place;

const described = (parameter: Parameter & { description?: string }) => ({
  key: parameter.name,
  description: markdown(parameter.description),
});

function headerOf(parameter: Parameter): Entry {
  // A new key for each request: with the example's key, the first response would be replayed for a day.
  if (parameter.name === 'Idempotency-Key') return { ...described(parameter), value: '{{$guid}}' };
  // Optional headers are off: a range would fetch only some bytes, a matching ETag none.
  return { ...described(parameter), value: textOf(parameter.example), disabled: !parameter.required };
}

/** @param isPublic whether the fields are credentials */
function jsonOf(media: MediaType, isPublic: boolean): NonNullable<CollectionRequest['body']> {
  const example = exampleOf(media);
  const names = Object.keys((example ?? {}) as object);
  const sent = isPublic
    ? Object.fromEntries(names.map((name) => [name, `{{${credentials[name] ?? name}}}`]))
    : example;
  return { mode: 'raw', raw: textOf(sent), options: { raw: { language: 'json' } } };
}

/** The reader chooses the file. The other fields are those of the example, with one entry for each value of a list. */
function formOf(
  contract: Contract,
  media: MediaType,
  files: readonly string[],
): NonNullable<CollectionRequest['body']> {
  const example = (exampleOf(media) ?? {}) as Record<string, unknown>;
  const formdata = fieldsOf(contract, media.schema).flatMap(({ path: key, description }): Entry[] => {
    const shared = { key, description: markdown(description) };
    if (files.includes(key)) return [{ ...shared, type: 'file' }];
    return [example[key] ?? []]
      .flat()
      .map((value) => ({ ...shared, value: String(value), type: 'text' as const }));
  });
  return { mode: 'formdata', formdata };
}

const exampleOf = ({ examples = {} }: MediaType) => Object.values(examples)[0]?.value;

function textOf(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value, null, 2) : String(value);
}
