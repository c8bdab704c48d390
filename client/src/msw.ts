/** Mock handlers for tests and browsers, exported as `@wrp/client/msw`. Needs `msw`. */
import { type HttpHandler, HttpResponse, http } from 'msw';
import { examples } from './msw-examples.ts';
import type { BodyOf, OperationId, StatusOf } from './msw-types.ts';

export type { OperationId } from './msw-types.ts';

export interface MockOptions {
  /** The URL of the mocked platform. Default: any. */
  baseUrl?: string;
}

/** What a handler responds: the body of a success, a function that returns it, or a declared status. */
export type MockResponse<Id extends OperationId> =
  | BodyOf<Id>
  | StatusOf<Id>
  | ((call: MockCall) => BodyOf<Id> | StatusOf<Id> | Promise<BodyOf<Id> | StatusOf<Id>>);

/** A request to a mocked operation. */
export interface MockCall {
  request: Request;
  /** The path parameters. */
  params: Record<string, string>;
}

interface Example {
  type?: string;
  body?: unknown;
}

/** A handler for every operation, with the examples of the contract: `setupServer(...handlers())`. */
export function handlers(options: MockOptions = {}): HttpHandler[] {
  return (Object.keys(examples) as OperationId[]).map((id) => handler(id, undefined, options));
}

/**
 * A handler for one operation: `server.use(handler('getUser', 404))`.
 *
 * @param response a body or a status of the operation. A status has the body of its first example in the contract.
 *   Default: the success
 */
export function handler<Id extends OperationId>(
  id: Id,
  response?: MockResponse<Id>,
  { baseUrl = '*' }: MockOptions = {},
): HttpHandler {
  const { method, path, responses } = examples[id];
  const byStatus = responses as Record<number, Example>;
  const success = Number(Object.keys(byStatus).find((status) => status.startsWith('2')));
  return http[method](`${baseUrl.replace(/\/$/, '')}${path}`, async ({ request, params }) => {
    const call = { request, params: params as Record<string, string> };
    const given =
      typeof response === 'function' ? await (response as (call: MockCall) => unknown)(call) : response;
    const wanted = given ?? success;
    const status = typeof wanted === 'number' ? wanted : success;
    const { type, body: example } = byStatus[status] ?? {};
    const body = wanted === status ? example : wanted;
    const headers = {
      'Request-Id': requestId(body),
      ...(type && { 'Content-Type': type }),
    };
    const isJson = type?.endsWith('json');
    return new HttpResponse(isJson ? JSON.stringify(body) : ((body as string | undefined) ?? null), {
      status,
      headers,
    });
  });
}

/** Equal to the fingerprint of an error, as on the platform. */
function requestId(body: unknown): string {
  return (body as { fingerprint?: string } | undefined)?.fingerprint ?? crypto.randomUUID();
}
