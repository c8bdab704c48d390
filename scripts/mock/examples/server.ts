import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { openContract, prepareContract } from '../../../server/src/contract/index.ts';
import { respondToMalformedRequests } from '../../../server/src/http/fallback-responses.ts';
import { securityHeaders } from '../../../server/src/http/security-headers.ts';
import type { Contract } from '../../contract/source.ts';
import { allowAnyOrigin, exposedHeaders } from '../cross-origin.ts';
import type { RunningMock } from '../listener.ts';
import { openResponder } from './responder.ts';

export interface ExampleMock extends Pick<RunningMock, 'listener' | 'replace'> {
  /** Responds to a request that does not come over a network. */
  fetch(request: Request): Promise<Response>;
}

/** @returns whether it has responded to the request */
export type Page = (request: IncomingMessage, response: ServerResponse) => Promise<boolean>;

/** A server of its own, not listening yet. */
export async function createMock(
  contract: Contract,
): Promise<{ server: Server; replace: ExampleMock['replace'] }> {
  const { listener, replace } = await exampleMock(contract);
  return { server: serverOf(listener), replace };
}

/** An HTTP server, not listening yet, that responds to malformed requests like the platform. */
export function serverOf(listener: RunningMock['listener']): Server {
  const server = createServer(listener);
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
  const open = (document: Contract, checked: Awaited<ReturnType<typeof openContract>>) => ({
    responder: openResponder(document, checked),
    exposed: exposedHeaders(document),
  });
  let current = open(contract, await prepareContract(contract));

  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { responder, exposed } = current;
    if (allowAnyOrigin(request, response, exposed)) return;
    if (await page?.(request, response)) return;
    const { status, headers, body } = await responder(request, response);
    response.writeHead(status, headers).end(body);
  };

  return {
    listener: (request, response) => {
      // For instance an example that is not a valid header value: it ends this response, not the mock.
      respond(request, response).catch(() => response.destroy());
    },
    async fetch(request) {
      const received = messageOf(request);
      const unsent = { headersSent: false, setHeader() {} } as unknown as ServerResponse;
      const { status, headers, body } = await current.responder(received, unsent);
      const sent = typeof body === 'string' || body === undefined ? body : new Uint8Array(body);
      return new Response(request.method === 'HEAD' ? undefined : sent, { status, headers });
    },
    async replace(next) {
      current = open(next, await openContract(next));
    },
  };
}

/** The request as Node's server would receive it, complete. */
function messageOf(request: Request): IncomingMessage {
  const { body, method } = request;
  const { host, pathname, search } = new URL(request.url);
  const headers: Record<string, string> = { host, ...Object.fromEntries(request.headers) };
  if (body && !headers['content-length']) headers['transfer-encoding'] = 'chunked';
  const stream = body ? Readable.fromWeb(body as never) : Readable.from([]);
  return Object.assign(stream, {
    ...{ method, headers, url: pathname + search, complete: true },
  }) as unknown as IncomingMessage;
}
