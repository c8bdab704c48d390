/** Mock handlers for tests and browsers, exported as `@wrp/client/msw`. Needs `msw`. */
import { HttpHandler, HttpResponse } from 'msw';
import { examples } from './msw-examples.ts';
import type { BodyOf, OperationId, StatusOf } from './msw-types.ts';

export type { OperationId } from './msw-types.ts';

export interface MockOptions {
  /** The URL of the mocked platform. Default: any. */
  baseUrl?: string;
}

/** What a handler responds: the body of a success, a function that returns it, or a declared status. */
export type MockResponse<Id extends OperationId> =
  | Result<Id>
  | ((call: MockCall) => Result<Id> | Promise<Result<Id>>);

type Result<Id extends OperationId> = BodyOf<Id> | StatusOf<Id>;

/** A request to a mocked operation. */
export interface MockCall {
  request: Request;
  /** The path parameters. */
  params: Record<string, string>;
}

interface Access {
  isPublic: boolean;
  hasCaller: boolean;
  deprecated?: Readonly<Record<string, string>> | undefined;
}

interface Example {
  type?: string;
  headers: Readonly<Record<string, string>>;
  body?: unknown;
}

/** In responses of a deprecated operation, and in those to callers with the deprecated access tokens. */
const deprecationHeaders = ['Deprecation', 'Sunset', 'Link'];
/** The limits of an operation with credentials are those of its caller. */
const limitHeaders = ['RateLimit', 'RateLimit-Policy'];
/** As in the mock server: nothing is replayed, reached by https, or refused for its encoding. */
const absentHeaders = ['Idempotency-Replayed', 'Strict-Transport-Security', 'Accept-Encoding'];

/**
 * A handler for every operation, with the examples of the contract, and one for every path, which responds to other
 * methods like the platform: `setupServer(...handlers())`.
 */
export function handlers(options: MockOptions = {}): HttpHandler[] {
  const paths = new Set(Object.values(examples).map(({ path }) => path));
  return [
    ...(Object.keys(examples) as OperationId[]).map((id) => handler(id, undefined, options)),
    ...[...paths].map((path) => otherMethods(path, options)),
  ];
}

/**
 * A handler for one operation: `server.use(handler('getUser', 404))`. That of a GET responds to HEAD, too.
 *
 * @param response a body or a status of the operation. A status has the headers and the body of its first example in the
 *   contract. Default: the success
 */
export function handler<Id extends OperationId>(
  id: Id,
  // The compiler takes `async () => 400` for a function that promises any number, unless it has to return a promise; and
  // `() => 400` for one that returns any number, unless a status is among what it has to return.
  response: (call: MockCall) => Promise<Result<Id>> & (StatusOf<Id> | object),
  options?: MockOptions,
): HttpHandler;
export function handler<Id extends OperationId>(
  id: Id,
  response?: MockResponse<Id>,
  options?: MockOptions,
): HttpHandler;
export function handler<Id extends OperationId>(
  id: Id,
  response?: MockResponse<Id>,
  { baseUrl }: MockOptions = {},
): HttpHandler {
  if (!Object.hasOwn(examples, id)) throw new TypeError(`There is no operation ${id}.`);
  const { method, path, responses, isPublic = false, deprecated } = examples[id];
  const byStatus = responses as Record<number, Example>;
  const success = Number(Object.keys(byStatus).find((status) => status.startsWith('2')));
  const assertDeclared = (status: unknown) => {
    if (typeof status === 'number' && !Object.hasOwn(byStatus, status))
      throw new TypeError(`${id} has no response ${status}, only ${Object.keys(byStatus).join(', ')}.`);
  };
  assertDeclared(response);
  const verb = method === 'get' ? /^(GET|HEAD)$/ : method.toUpperCase();
  return new HttpHandler(verb, urlOf(path, baseUrl), async ({ request, params }) => {
    // For a URL with `*`, MSW has numbered parameters, too.
    const named = Object.entries(params).filter(([name]) => !/^\d/.test(name));
    const call = { request, params: Object.fromEntries(named) as Record<string, string> };
    const given =
      typeof response === 'function' ? await (response as (call: MockCall) => unknown)(call) : response;
    const wanted = given ?? success;
    assertDeclared(wanted);
    const status = typeof wanted === 'number' ? wanted : success;
    const { body: example, ...shown } = byStatus[status] ?? { headers: {} };
    const hasCaller = !isPublic && status !== 401;
    return respond(
      request,
      status,
      { ...shown, body: wanted === status ? pageOf(example, new URL(request.url)) : wanted },
      { isPublic, hasCaller, deprecated },
    );
  });
}

/**
 * The page that a query selects, of as many entries as the example says: those of the example, then copies of its last one.
 * The cursor is the number of the entries before the page; any other one selects the second page.
 */
function pageOf(example: unknown, { searchParams }: URL): unknown {
  const { content, totalElements, nextCursor, ...rest } = Object(example) as Partial<Page>;
  if (!content) return example;
  const size = Number(searchParams.get('size') ?? defaultSize);
  const number = Number(searchParams.get('page') ?? 0);
  const cursor = searchParams.get('cursor');
  const start = cursor === null ? number * size : Number(cursor) || size;
  const total = totalElements ?? (nextCursor === undefined ? content.length : furtherEntries);
  const end = Math.min(start + size, total);
  const entryAt = (index: number) => content[index] ?? copyOf(content.at(-1), index);
  const entries = Array.from({ length: Math.max(end - start, 0) }, (_, index) => entryAt(start + index));
  if (totalElements === undefined) return { content: entries, ...(end < total && { nextCursor: `${end}` }) };
  return {
    ...rest,
    content: entries,
    totalElements,
    totalPages: Math.ceil(total / size),
    size,
    number,
  };
}

/** As in the contract. */
const defaultSize = 20;
/** As in the mock server, of a list whose example has a further page but no total. */
const furtherEntries = 45;

interface Page {
  content: { id: string }[];
  totalElements: number;
  nextCursor: string;
}

/** With its own identifiers, and with its number in names and addresses: `ines.moreau-7@alderfinch.example`. */
const copyOf = (entry: Page['content'][number] | undefined, index: number) =>
  entry &&
  JSON.parse(JSON.stringify(entry), (key, value) => {
    if (/^(id|idpId)$/.test(key)) return value.slice(0, -4) + index.toString(16).padStart(4, '0');
    return /^(email|name|lastName)$/.test(key) ? value.replace(/(?=@|\.\w+$|$)/, `-${index + 1}`) : value;
  });

const list = new Intl.ListFormat('en-GB');

/** Responds to a preflight, which some test environments send (CORS in the Fetch standard), and refuses other methods. */
function otherMethods(path: string, { baseUrl }: MockOptions): HttpHandler {
  const methods = Object.values(examples)
    .filter((one) => one.path === path)
    .flatMap(({ method }) => (method === 'get' ? ['GET', 'HEAD'] : method.toUpperCase()))
    .sort();
  return new HttpHandler(/^/, urlOf(path, baseUrl), ({ request }) => {
    const { method, headers } = request;
    if (method === 'OPTIONS' && headers.has('Access-Control-Request-Method'))
      return respond(request, 204, {
        headers: {
          'Access-Control-Allow-Methods': headers.get('Access-Control-Request-Method') ?? '',
          'Access-Control-Allow-Headers': headers.get('Access-Control-Request-Headers') ?? '',
        },
      });
    const errors = [
      { code: 'method_not_allowed', message: `The path supports only ${list.format(methods)}.` },
    ];
    return respond(request, 405, {
      type: 'application/json',
      headers: { Allow: methods.join(', ') },
      body: { fingerprint: crypto.randomUUID(), errors },
    });
  });
}

function urlOf(path: string, baseUrl = '*'): string {
  return `${baseUrl.replace(/\/$/, '')}${path}`;
}

/** Of two dates of the same header, the earlier one, as on the platform. */
function earlier(one: string, other: string | null): string {
  const dateOf = (value: string) => (value.startsWith('@') ? Number(value.slice(1)) : Date.parse(value));
  return other !== null && dateOf(other) < dateOf(one) ? other : one;
}

function respond(
  request: Request,
  status: number,
  { type, headers, body }: Example,
  { isPublic, hasCaller, deprecated }: Access = { isPublic: true, hasCaller: false },
): Response {
  const origin = request.headers.get('Origin');
  const usesDeprecated = hasCaller && /^bearer /i.test(request.headers.get('Authorization') ?? '');
  const sent = new Headers(headers);
  const absent = [
    ...absentHeaders,
    ...(usesDeprecated ? [] : deprecationHeaders),
    ...(isPublic || hasCaller ? [] : limitHeaders),
  ];
  for (const name of absent) sent.delete(name);
  for (const [name, value] of Object.entries(deprecated ?? {}))
    sent.set(name, earlier(value, sent.get(name)));
  // Equal to the fingerprint of an error, as on the platform.
  sent.set('Request-Id', (body as { fingerprint?: string } | undefined)?.fingerprint ?? crypto.randomUUID());
  const text = type?.endsWith('json') ? JSON.stringify(body) : ((body as string | undefined) ?? '');
  if (type) sent.set('Content-Type', type);
  if (status !== 204 && status !== 304)
    sent.set('Content-Length', String(new TextEncoder().encode(text).length));
  if (origin) {
    sent.set('Access-Control-Expose-Headers', [...sent.keys()].join(', '));
    sent.set('Access-Control-Allow-Origin', origin);
  }
  return new HttpResponse(text && request.method !== 'HEAD' ? text : null, { status, headers: sent });
}
