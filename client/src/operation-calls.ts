import type { Client } from './client-types.ts';
import { apiPromise, listPromise, type WithResponse } from './operation-promise.ts';
import type { ParseAs, UntypedResult } from './operation-types.ts';
import { unwrap } from './unwrap.ts';

type Verb = 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE';
type Send = (path: string, init: object) => Promise<UntypedResult>;
/** The generated interface has the types of the method. */
type Method = (...values: never[]) => never;

interface Options {
  query?: object;
  headers?: object;
  idempotencyKey?: string;
}

/** Creates the method of an operation: path parameters, then the body, then options. */
export function call(
  client: Client,
  verb: Verb,
  path: string,
  traits: { body?: boolean; parseAs?: ParseAs } = {},
): Method {
  return (...values: unknown[]) => apiPromise(send(client, verb, path, values, traits)) as never;
}

/** Creates the method of an operation that returns a list. */
export function list(client: Client, path: string): Method {
  return (...values: unknown[]) =>
    listPromise((query) => send(client, 'GET', path, values, {}, query)) as never;
}

async function send(
  client: Client,
  verb: Verb,
  path: string,
  values: readonly unknown[],
  { body, parseAs }: { body?: boolean; parseAs?: ParseAs },
  pageQuery?: object,
): Promise<WithResponse<unknown>> {
  const rest = [...values];
  const inPath: Record<string, unknown> = {};
  for (const [, name = ''] of path.matchAll(/\{(\w+)\}/g)) inPath[name] = rest.shift();
  const content = body ? { body: rest.shift() } : {};
  const { query, headers, idempotencyKey, ...options } = (rest.shift() ?? {}) as Options;
  const result = await (client[verb] as unknown as Send)(path, {
    params: { path: inPath, query: { ...query, ...pageQuery } },
    headers: { ...headers, ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }) },
    ...(parseAs && { parseAs }),
    ...content,
    ...options,
  });
  const data = await unwrap(result);
  const { response } = result;
  const requestId = response.headers.get('Request-Id') ?? undefined;
  return { data, headers: response.headers, requestId, response };
}
