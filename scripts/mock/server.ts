import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { answerMalformedRequests } from '../../server/src/http/fallback-responses.ts';
import { securityHeaders } from '../../server/src/http/security-headers.ts';
import type { Contract } from '../contract/source.ts';
import { answering } from './answer.ts';
import { allowAnyOrigin, exposedHeaders } from './cross-origin.ts';
import { exampleFrontend } from './example-frontend.ts';

export type Mock = {
  /** Not listening yet. */
  server: Server;
  /** Answers from another contract from now on. @throws where it cannot be mocked; the last one stays. */
  replace(contract: Contract): Promise<void>;
};

/** A stand-in for the platform that answers every request with an example of the contract. */
export async function createMock(contract: Contract): Promise<Mock> {
  const { listener, replace } = await exampleMock(contract);
  const server = createServer(listener);
  answerMalformedRequests(server, securityHeaders());
  return { server, replace };
}

/** The same, for a server that is there already. */
export async function exampleMock(
  contract: Contract,
): Promise<{ listener: RequestListener; replace: Mock['replace'] }> {
  let current = await served(contract);

  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { answer, exposed } = current;
    if (allowAnyOrigin(request, response, exposed)) return;
    if (await exampleFrontend(request, response)) return;
    const { status, headers, body } = await answer(request);
    response.writeHead(status, headers).end(body);
  };

  return {
    listener: (request, response) => {
      // An example that is no header value, say: end this one request, not the mock.
      respond(request, response).catch(() => response.destroy());
    },
    async replace(next) {
      current = await served(next);
    },
  };
}

async function served(contract: Contract) {
  return { answer: await answering(contract), exposed: exposedHeaders(contract) };
}
