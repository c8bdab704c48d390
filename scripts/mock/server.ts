import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Contract } from '../contract-source.ts';
import { type Answering, answering } from './answer.ts';

export type Mock = {
  /** Not listening yet. */
  server: Server;
  /** Answers from another contract from now on. @throws where it cannot be mocked; the last one stays. */
  replace(contract: Contract): Promise<void>;
};

export type Exchange = { method: string; url: string; status: number };

/** A stand-in for the platform that answers every request with an example of the contract. */
export async function createMock(contract: Contract, report?: (exchange: Exchange) => void): Promise<Mock> {
  let answer: Answering = await answering(contract);
  const server = createServer(async (request, response) => {
    try {
      allowAnyOrigin(request, response);
      await respond(request, response);
    } catch {
      // An example that is no header value, say: end this one request, not the mock.
      response.destroy();
    }
  });

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === 'OPTIONS') {
      response.writeHead(204).end();
      return;
    }
    const { status, headers, body } = await answer(request);
    response.writeHead(status, headers).end(body);
    report?.({ method: request.method ?? '', url: request.url ?? '', status });
  }

  return {
    server,
    async replace(next) {
      answer = await answering(next);
    },
  };
}

/** Every origin, method and header: a mock has nothing to protect. */
function allowAnyOrigin({ headers }: IncomingMessage, response: ServerResponse): void {
  response.setHeader('Access-Control-Allow-Origin', '*');
  response.setHeader('Access-Control-Expose-Headers', '*');
  const { 'access-control-request-method': method, 'access-control-request-headers': names } = headers;
  if (method) response.setHeader('Access-Control-Allow-Methods', method);
  // A `*` would not cover Authorization.
  if (names) response.setHeader('Access-Control-Allow-Headers', names);
  if (method) response.setHeader('Access-Control-Max-Age', '600');
}
