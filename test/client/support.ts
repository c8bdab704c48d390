import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { atEnd } from '../support/temporary.ts';

/** A request that the test server received. */
export interface Received {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** A response: a status with headers and body, or a function that writes it. */
export type ErrorResponse =
  | number
  | [status: number, headers?: Record<string, string>, body?: unknown]
  | ((response: ServerResponse, received: Received) => void);

export const page = { content: [], number: 0, size: 20, totalElements: 0, totalPages: 0 };

/** Resets the connection instead of responding. */
export const reset: ErrorResponse = (response) => void response.socket?.resetAndDestroy();
/** Resets the connection in the middle of the response body. */
export const cutOff: ErrorResponse = (response) => {
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '1000' });
  response.write('{"content": [', () => response.socket?.resetAndDestroy());
};
/** Never responds. */
export const silent: ErrorResponse = () => {};

/**
 * Starts a server that responds with the queued errors in order, then with an empty page of users. It closes after the
 * test file.
 */
export async function failingServer() {
  const requests: Received[] = [];
  let errors: ErrorResponse[] = [];
  const server = createServer(async (request, response) => {
    // Undefined: the client aborted the request.
    const chunks: Buffer[] | undefined = await request.toArray().catch(() => undefined);
    if (!chunks) return;
    const { method = '', url: path = '', headers } = request;
    const received = { method, path, headers, body: Buffer.concat(chunks) };
    requests.push(received);
    respond(errors.shift() ?? [200, {}, page], response, received);
  });
  // Keeps idle connections open, so that a slow machine does not reset one that is about to be reused.
  server.keepAliveTimeout = 0;
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  atEnd(() => {
    server.closeAllConnections();
    return new Promise<void>((closed) => server.close(() => closed()));
  });
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    /** Queues the next responses and clears the received requests. */
    respondWith(...next: ErrorResponse[]) {
      errors = next;
      requests.length = 0;
    },
  };
}

function respond(error: ErrorResponse, response: ServerResponse, received: Received): void {
  if (typeof error === 'function') {
    error(response, received);
    return;
  }
  const [status, headers, body] = typeof error === 'number' ? [error] : error;
  const text = body === undefined ? '' : JSON.stringify(body);
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(text);
}

/** The contract's error body. */
export const errorBody = (code: string) => ({
  fingerprint: '0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11',
  errors: [{ code, message: `Refused: ${code}.` }],
});
