import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { addAbortSignal, Readable } from 'node:stream';
import { ReadableStream } from 'node:stream/web';
import { orAbort } from '../../../client/src/abort.ts';
import {
  type Contract as CheckedContract,
  openContract,
  prepareContract,
  Refused,
  splitTarget,
} from '../../../server/contract/index.ts';
import {
  closeAfterResponse,
  guardedServer,
  hasBody,
  isOpenedByOtherSite,
  type LocalAccess,
  respondToMalformedRequests,
  securityHeaders,
} from '../../../server/http-server/index.ts';
import type { Contract } from '../../contract/source.ts';
import { commonControls, controlPath, frontendPath, type Page } from '../controls.ts';
import { allowOrigin, crossOrigin, exposedHeaders } from '../cross-origin.ts';
import type { Fault } from '../fault.ts';
import {
  applyFault,
  createFaults,
  type Faults,
  faultPreference,
  partsOf,
  pause,
  proxyResponse,
  slowUpload,
} from '../faults.ts';
import type { RunningMock } from '../listener.ts';
import { serveControl } from '../serve-controls.ts';
import { errorResponse, openResponder } from './responder.ts';
import type { WireResponse } from './response.ts';

export interface ExampleMock extends Pick<RunningMock, 'listener' | 'replace'> {
  /** Responds to a request that does not come over a network, until its signal aborts. */
  fetch(request: Request): Promise<Response>;
  faults: Faults;
}

/** A server of its own, not listening yet. */
export async function createMock(
  contract: Contract,
  access?: LocalAccess,
): Promise<{ server: Server; replace: ExampleMock['replace'] }> {
  const { listener, replace } = await exampleMock(contract);
  return { server: serverOf(listener, access), replace };
}

/** An HTTP server, not listening yet, that responds to malformed requests like the platform. */
export function serverOf(listener: RunningMock['listener'], access?: LocalAccess): Server {
  const server = guardedServer(listener, access);
  respondToMalformedRequests(server, securityHeaders());
  return server;
}

/**
 * Responds to every request with an example of the contract. The checks of an operation are compiled at its first
 * request, or before a contract is replaced.
 *
 * @param page responds to requests that are not of the contract
 */
export async function exampleMock(contract: Contract, page?: Page): Promise<ExampleMock> {
  const open = (document: Contract, checked: CheckedContract) => ({
    document,
    checked,
    responder: openResponder(document, checked),
    exposed: exposedHeaders(document),
  });
  let current = open(contract, await prepareContract(contract));
  const faults = createFaults(
    () => current.checked,
    () => current.document,
  );
  const faultOf = (method: string, pathname: string) => {
    const documented = current.checked.match(method, pathname)?.operation?.statuses ?? [];
    return { fault: faults.take(method, pathname), documented };
  };
  const describe = (host = 'localhost') => ({
    ...{ mode: 'examples', baseUrl: `http://${host}`, version: current.document.info['version'] },
    ...(page && { frontend: `http://${host}${frontendPath}` }),
    ...{ contract: `http://${host}/openapi.json`, faults: faults.list() },
  });

  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { responder, exposed, document } = current;
    if (allowOrigin(request, response, exposed)) return;
    if (await page?.(request, response)) return;
    const [pathname] = splitTarget(request.url ?? '/');
    const { method = 'GET' } = request;
    if (method === 'GET' && pathname === '/') {
      response.writeHead(307, { Location: controlPath }).end();
      return;
    }
    if (method === 'GET' && pathname === '/openapi.json') {
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(document));
      return;
    }
    const controls = commonControls(faults, () => describe(request.headers.host));
    if (method === 'GET' && pathname === '/readyz') {
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"status":"ready"}');
      return;
    }
    if (await serveControl(request, response, controls, faults)) return;
    const { fault, documented } = isOpenedByOtherSite(request)
      ? { fault: undefined, documented: [] }
      : faultOf(method, pathname);
    if (fault && !(await applyFault(fault, { request, response, documented }))) return;
    const { status, headers, body } = await responder(request, response);
    response.writeHead(status, headers).end(body);
  };

  const fail = (request: IncomingMessage, response: ServerResponse, error: unknown) => {
    // For instance an example that is not a valid header value: it ends this response, not the mock.
    if (!(error instanceof Refused) || response.headersSent) return void response.destroy();
    if (hasBody(request)) closeAfterResponse(request, response);
    const { status, headers, body } = errorResponse(randomUUID(), error);
    response.writeHead(status, headers).end(body);
  };

  const respondInProcess = async (request: Request): Promise<Response> => {
    const { method, signal } = request;
    const received = messageOf(request);
    const { isPreflight, allowed } = crossOrigin(received, current.exposed);
    if (isPreflight) return new Response(undefined, { status: 204, headers: allowed });
    const { fault = {} as Fault, documented } = faultOf(method, new URL(request.url).pathname);
    const { status, delaySeconds = 0, bodySeconds = 0, drop } = fault;
    await pause(delaySeconds * 1000, signal);
    const dropped = () =>
      new TypeError('fetch failed', { cause: new Error('The mock drops the connection.') });
    if (drop === 'request') throw dropped();
    await slowUpload(received, fault, signal);
    const preference = faultPreference(fault);
    if (preference) received.headers['prefer'] = preference;
    const isDocumented = status === undefined || documented.includes(status);
    const sent = isDocumented ? await current.responder(received, unsent, signal) : proxyResponse(status);
    if (drop === 'response') throw dropped();
    const response = responseOf(sent, request, bodySeconds);
    for (const [name, value] of Object.entries(allowed))
      if (!response.headers.has(name)) response.headers.set(name, value);
    return response;
  };

  return {
    faults,
    listener: (request, response) => {
      respond(request, response).catch((error) => fail(request, response, error));
    },
    async fetch(request) {
      request.signal.throwIfAborted();
      return orAbort(respondInProcess(request), request.signal);
    },
    async replace(next) {
      current = open(next, await openContract(next));
    },
  };
}

/** For code that closes the connection after a response, which there is not. */
const unsent = { headersSent: false, setHeader() {} } as unknown as ServerResponse;

function responseOf({ status, headers, body }: WireResponse, request: Request, seconds: number): Response {
  if (request.method === 'HEAD' || body === undefined) return new Response(undefined, { status, headers });
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const sent = seconds > 0 ? ReadableStream.from(partsOf(bytes, seconds, request)) : new Uint8Array(bytes);
  return new Response(sent as BodyInit, { status, headers });
}

/** The request as Node's server would receive it, complete. Its body ends when its signal aborts. */
function messageOf(request: Request): IncomingMessage {
  const { body, method } = request;
  const { host, pathname, search } = new URL(request.url);
  // The names in the `Headers` of happy-dom are as written.
  const received = [...request.headers].map(([name, value]) => [name.toLowerCase(), value]);
  const headers: Record<string, string> = { host, ...Object.fromEntries(received) };
  if (body && !headers['content-length']) headers['transfer-encoding'] = 'chunked';
  const stream = body ? Readable.fromWeb(body as never) : Readable.from([]);
  addAbortSignal(request.signal, stream).on('error', () => {});
  return Object.assign(stream, {
    ...{ method, headers, url: pathname + search, complete: true },
  }) as unknown as IncomingMessage;
}
