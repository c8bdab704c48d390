import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll } from 'vitest';

/** One request that reached a server of these tests. */
export interface Seen {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** How a request is answered: by a status with headers and body, or by hand. */
export type Fault =
  | number
  | [status: number, headers?: Record<string, string>, body?: unknown]
  | ((response: ServerResponse, seen: Seen) => void);

export const page = { content: [], number: 0, size: 20, totalElements: 0, totalPages: 0 };

/** Tears the connection down instead of an answer. */
export const reset: Fault = (response) => void response.socket?.resetAndDestroy();
/** Begins an answer, and tears the connection down in the middle of its body. */
export const cutOff: Fault = (response) => {
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '1000' });
  response.write('{"content": [', () => response.socket?.resetAndDestroy());
};
/** Never answers. */
export const silent: Fault = () => {};

/**
 * A server that answers with one fault after the other, and with an empty page of users when there are none left.
 * It is gone with the test file.
 */
export async function faultyServer() {
  const seen: Seen[] = [];
  let faults: Fault[] = [];
  const server = createServer(async (request, response) => {
    // Undefined: it was broken off, and there is nobody to answer.
    const chunks: Buffer[] | undefined = await request.toArray().catch(() => undefined);
    if (!chunks) return;
    const { method = '', url: path = '', headers } = request;
    const one = { method, path, headers, body: Buffer.concat(chunks) };
    seen.push(one);
    answer(faults.shift() ?? [200, {}, page], response, one);
  });
  // Else a machine that stands still for some seconds breaks a connection that is about to be used again.
  server.keepAliveTimeout = 0;
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  afterAll(() => {
    server.closeAllConnections();
    return new Promise((closed) => server.close(closed));
  });
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    /** Answers the next requests so, and forgets those before. */
    answers(...next: Fault[]) {
      faults = next;
      seen.length = 0;
    },
  };
}

function answer(fault: Fault, response: ServerResponse, seen: Seen): void {
  if (typeof fault === 'function') {
    fault(response, seen);
    return;
  }
  const [status, headers, body] = typeof fault === 'number' ? [fault] : fault;
  const text = body === undefined ? '' : JSON.stringify(body);
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(text);
}

/** The contract's error object. */
export const refusal = (code: string) => ({
  fingerprint: '0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11',
  errors: [{ code, message: `Refused: ${code}.` }],
});
