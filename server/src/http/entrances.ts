import { AsyncLocalStorage } from 'node:async_hooks';
import type { Request, RequestHandler, Response } from 'express';
import { normalized, type Refusal, Refused, refuse, refusedMethod } from '../../contract/index.ts';
import { jsonBodyLimit } from '../../http-bodies/index.ts';
import { ClientGone, closeAfterResponse, hasBody } from '../../http-server/index.ts';
import type { RespondToFailure } from './failure.ts';
import { requestIdOf } from './followed-request.ts';
import type { RequestLog } from './log.ts';
import type { CountRequest } from './rate-limits.ts';

/** What is served beside the operations of the contract, and its limits (decision 44). */
export interface Entrance {
  /** As in the contract; `{token}` is one segment, and `/*` at the end is any rest, or none. */
  paths: readonly [string, ...string[]];
  /** GET includes HEAD. */
  methods: readonly ('GET' | 'POST')[];
  /** Who may use it. */
  who: string;
  /**
   * What counts a request, besides the refused attempts of its address (decision 37):
   *
   * - `address`: ten times `RATE_LIMIT_PER_MINUTE` for each address and process
   * - `own`: its handler, because its refusal is a page, or a unit of its work is not a request
   * - `none`: probes and monitoring must never be refused; the response costs nothing
   */
  budget: 'address' | 'own' | 'none';
  /** Maximum size of a request body, in bytes: what its handler reads at most. */
  bytesIn: number;
  /** Maximum size of a response, in bytes; `stored`: a stored file or a built page, sent as the client reads it. */
  bytesOut: number | 'stored';
  /**
   * Seconds within which a response begins, by the limits of what it waits for: a second for a connection to the
   * database, twenty for the file store, thirty for events. None occupies the event loop for over 50 ms.
   */
  seconds: number;
  /** What it fetches from a URL that a caller names: bytes and seconds of one, and how many at once in a process. */
  fetched?: { bytes: number; seconds: number; atOnce: number };
  /** The level of the log line of a request. */
  logLevel: 'info' | 'debug';
}

const kibibyte = 1024;
const page = { budget: 'address', bytesIn: 0, bytesOut: 'stored', seconds: 1, logLevel: 'info' } as const;

/**
 * Every entrance of a public port. A handler without a row, or a row without a handler, does not compile, and a path
 * without a row is unknown. The name is the label of the metrics and the field `entrance` of the log.
 */
export const entrances = {
  agents: {
    paths: ['/mcp'],
    methods: ['POST'],
    who: 'anyone; calls of operations as in the contract',
    budget: 'own',
    // More than a model writes at once.
    bytesIn: 256 * kibibyte,
    bytesOut: 64 * kibibyte,
    // The file of an upload. Storing it takes at most another twenty seconds.
    fetched: { bytes: 10 * 1024 * kibibyte, seconds: 10, atOnce: 4 },
    seconds: 31,
    logLevel: 'info',
  },
  callbacks: {
    paths: ['/callbacks/{token}', '/callbacks/{token}/heartbeat'],
    methods: ['POST'],
    who: 'anyone with the URL of a waiting step',
    budget: 'own',
    bytesIn: jsonBodyLimit,
    bytesOut: kibibyte,
    seconds: 2,
    logLevel: 'info',
  },
  files: {
    ...page,
    paths: ['/files/attachments/{id}', '/files/results/{id}'],
    methods: ['GET'],
    who: 'anyone with the signed URL of a file',
    seconds: 21,
  },
  links: {
    ...page,
    paths: ['/links/{token}'],
    methods: ['GET', 'POST'],
    who: 'anyone with the URL of a single-use link',
    budget: 'own',
    bytesIn: jsonBodyLimit,
    // Input schemas may be checked by a slow worker.
    seconds: 12,
  },
  progress: {
    ...page,
    paths: ['/links/progress/{token}', '/links/progress/{token}/result'],
    methods: ['GET'],
    who: 'the person who started an execution from a link',
    budget: 'own',
    seconds: 21,
  },
  documents: {
    ...page,
    paths: [
      '/openapi.json',
      '/openapi.yaml',
      '/openapi-for-generators.json',
      '/openapi-without-webhooks.json',
    ],
    methods: ['GET'],
    who: 'anyone',
  },
  portal: {
    ...page,
    paths: ['/', '/docs/*', '/llms.txt', '/llms-full.txt', '/robots.txt', '/sitemap.xml'],
    methods: ['GET'],
    who: 'anyone',
  },
  health: {
    paths: ['/healthz', '/readyz'],
    methods: ['GET'],
    who: 'anyone',
    budget: 'none',
    bytesIn: 0,
    bytesOut: 4 * kibibyte,
    seconds: 1,
    logLevel: 'debug',
  },
} as const satisfies Record<string, Entrance>;

export type EntranceName = keyof typeof entrances;
export type EntranceHandlers = Readonly<Record<EntranceName, RequestHandler>>;

const rows = Object.entries(entrances) as [EntranceName, Entrance][];
/** By the first segment of a path, so that an unknown path costs one look-up. */
const bySegment = Map.groupBy(
  rows.flatMap(([name, { paths }]) => paths.map((path) => ({ name, path, pattern: patternOf(path) }))),
  ({ path }) => firstSegment(path),
);

/** The entrance of a path. */
export function entranceOf(path: string): EntranceName | undefined {
  return bySegment.get(firstSegment(path))?.find(({ pattern }) => pattern.test(path))?.name;
}

/**
 * Serves the entrances and refuses all other paths: 404. Finds the row of a path, refuses other methods, counts, logs, and
 * turns each failure into the error object of the contract.
 *
 * @param otherPath the entrance of a path outside of the table: that of a link at `LINK_BASE_URL`
 * @param countRequest the budget of an address
 */
export function serveEntrances({
  handlers,
  otherPath,
  countRequest,
  log,
  fail,
  unknown,
  refuseUnknown,
}: {
  handlers: EntranceHandlers;
  otherPath(path: string): EntranceName | undefined;
  countRequest: CountRequest;
  log: RequestLog;
  fail: RespondToFailure;
  /** Refuses a path that nothing serves, at less cost than an error. */
  unknown: RequestHandler;
  /** The 404 of a path that an entrance does not serve after all. */
  refuseUnknown(path: string): Refusal;
}): RequestHandler {
  return (request, response, next) => {
    if (request.url.includes('%')) {
      // No URI (RFC 3986, section 2.1).
      if (/^[^?]*%(?![0-9a-f]{2})/i.test(request.url))
        return next(new Refused(refuse(400, 'request_malformed')));
      // Paths match as those of the contract do.
      request.url = request.url.replace(/^[^?]*/, normalized);
    }
    // Express's is null for a target such as `http://?x`.
    const path: string | null = request.path;
    const name = path === null ? undefined : (entranceOf(path) ?? otherPath(path));
    if (name === undefined) return unknown(request, response, next);
    const entrance: Entrance = entrances[name];
    const requestId = requestIdOf(request);
    response.setHeader('Request-Id', requestId);
    const { logLevel } = entrance;
    const startedAt = performance.now();
    let code: string | undefined;
    const refused = (error: unknown) => {
      code = fail(request, response, error) ?? code;
    };
    const completed = () => {
      const aborted = !response.writableFinished;
      log.completed({
        requestId,
        entrance: name,
        status: response.headersSent ? response.statusCode : ClientGone.status,
        ...(code !== undefined && { code }),
        milliseconds: performance.now() - startedAt,
        ...(aborted && { aborted }),
        logLevel,
      });
    };
    response.once('close', AsyncLocalStorage.bind(completed));
    try {
      admit(entrance, request, response, countRequest);
      const unhandled = (error?: unknown) => refused(error ?? new Refused(refuseUnknown(path)));
      Promise.resolve(handlers[name](request, response, unhandled)).catch(refused);
    } catch (error) {
      refused(error);
    }
  };
}

/** @throws Refused 405 or 429 */
function admit(
  { methods, budget }: Entrance,
  request: Request,
  response: Response,
  count: CountRequest,
): void {
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  if (!methods.some((allowed) => allowed === method)) {
    const allowed = methods.flatMap((one) => (one === 'GET' ? [one, 'HEAD'] : [one]));
    throw refusedMethod(allowed);
  }
  if (budget === 'address') count(request);
  // What is read with GET ignores a body.
  if (method === 'GET' && hasBody(request)) closeAfterResponse(request, response);
}

function firstSegment(path: string): string {
  const end = path.indexOf('/', 1);
  return end === -1 ? path : path.slice(0, end);
}

function patternOf(path: string): RegExp {
  const source = path
    .replaceAll('.', '\\.')
    .replaceAll(/\{\w+\}/g, '[^/]+')
    .replace(/\/\*$/, '(?:/.*)?');
  return new RegExp(`^${source}$`, 's');
}
