import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type ErrorRequestHandler, type RequestHandler } from 'express';
import { middleware } from 'express-openapi-validator';

/** What a validator decides: the status, and where the first error is (`/body/firstName`). */
export interface Verdict {
  status: number;
  place?: string | undefined;
  message?: string | undefined;
}

interface Reply {
  status: number;
  type: string;
  body: unknown;
}

/**
 * express-openapi-validator as it comes: its own middlewares in a bare Express, over HTTP. Only its formats are set to
 * the strict ones, which our validator uses.
 */
export async function startStock(document: object) {
  let reply: Reply;
  const options = {
    apiSpec: { ...structuredClone(document), servers: [{ url: '/' }] } as never,
    validateSecurity: false,
    ajvFormats: { mode: 'full' as const },
  };
  const requests = application(middleware(options), (_request, response) => {
    response.status(200).end();
  });
  const checking = { ...options, validateRequests: false, validateResponses: true };
  const responses = application(middleware(checking), (_request, response) => {
    response.status(reply.status).type(reply.type).json(reply.body);
  });
  const server = createServer((request, response) =>
    request.headers['x-check'] === 'response' ? responses(request, response) : requests(request, response),
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    /** Validates a request. */
    async request(method: string, target: string, init: RequestInit): Promise<Verdict> {
      const response = await fetch(`${origin}${target}`, { ...init, method });
      const text = await response.text();
      return { status: response.status, ...(response.headers.has('x-refused') ? JSON.parse(text) : {}) };
    },
    /** Validates the response of a handler. @returns the error message, or undefined */
    async response(method: string, target: string, given: Reply): Promise<string | undefined> {
      reply = given;
      const response = await fetch(`${origin}${target}`, { method, headers: { 'x-check': 'response' } });
      const text = await response.text();
      return response.headers.has('x-refused') ? text : undefined;
    },
    close: () => server.close(),
  };
}

const report: ErrorRequestHandler = (error, _request, response, _next) => {
  const [first] = error.errors ?? [];
  response.status(error.status ?? 500).set('x-refused', 'true');
  response.end(JSON.stringify({ place: first?.path, message: error.message }));
};

function application(validator: unknown, last: RequestHandler) {
  const app = express();
  app.set('query parser', 'simple');
  return app.use(express.json({ strict: false }), validator as RequestHandler[], last, report);
}
