import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { respondToMalformedRequests } from '../../../server/src/http/fallback-responses.ts';
import { securityHeaders } from '../../../server/src/http/security-headers.ts';
import type { Contract } from '../../contract/source.ts';
import { allowAnyOrigin, exposedHeaders } from '../cross-origin.ts';
import { exampleFrontend } from '../example-frontend.ts';
import type { RunningMock } from '../listener.ts';
import { openResponder } from './responder.ts';

export type ExampleMock = Pick<RunningMock, 'listener' | 'replace'>;

/** A server of its own, not listening yet. */
export async function createMock(
  contract: Contract,
): Promise<{ server: Server; replace: ExampleMock['replace'] }> {
  const { listener, replace } = await exampleMock(contract);
  const server = createServer(listener);
  respondToMalformedRequests(server, securityHeaders());
  return { server, replace };
}

/** Responds to every request with an example of the contract. @throws if the contract does not compile */
export async function exampleMock(contract: Contract): Promise<ExampleMock> {
  const open = async (next: Contract) => ({
    responder: await openResponder(next),
    exposed: exposedHeaders(next),
  });
  let current = await open(contract);

  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { responder, exposed } = current;
    if (allowAnyOrigin(request, response, exposed)) return;
    if (await exampleFrontend(request, response)) return;
    const { status, headers, body } = await responder(request, response);
    response.writeHead(status, headers).end(body);
  };

  return {
    listener: (request, response) => {
      // For instance an example that is not a valid header value: it ends this response, not the mock.
      respond(request, response).catch(() => response.destroy());
    },
    async replace(next) {
      current = await open(next);
    },
  };
}
