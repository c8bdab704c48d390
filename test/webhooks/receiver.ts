import { createPublicKey, verify } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { vi } from 'vitest';
import type { Event } from '../support/events.ts';
import { atEnd } from '../support/temporary.ts';
import { scaledTimeout } from '../support/timeout.ts';

/** One POST that reached a receiver. */
export interface Received {
  event: Event;
  /** The body's bytes as they came. */
  body: Buffer;
  headers: IncomingHttpHeaders;
  path: string;
  /** By `performance.now()`. */
  at: number;
}

export type Responding = (response: ServerResponse, received: Received) => void;

export interface Receiver {
  url: string;
  /** All deliveries, whatever the response. */
  received: Received[];
  /** The events that got a 2xx, with repetitions. */
  taken: Event[];
  /** Sets the response from now on. Default: 204. */
  responds(responding: Responding): void;
  /** Stops listening. */
  down(): Promise<void>;
  /** Listens again, at the same address. */
  up(): Promise<void>;
  /** Waits until these events were accepted. */
  hasTaken(ids: Iterable<string>, timeout?: number): Promise<void>;
}

export const respond =
  (status: number, headers: Record<string, string> = {}): Responding =>
  (response) =>
    void response.writeHead(status, headers).end();

/** A real receiver on this machine, until the test or the file ends. */
export async function startReceiver(responding: Responding = respond(204)): Promise<Receiver> {
  const received: Received[] = [];
  const taken: Event[] = [];
  const sockets = new Set<Socket>();
  let current = responding;
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      const { headers, url: path = '' } = request;
      const one = { body, headers, path, at: performance.now(), event: JSON.parse(body.toString()) };
      received.push(one);
      response.on('finish', () => {
        if (response.statusCode >= 200 && response.statusCode < 300) taken.push(one.event);
      });
      current(response, one);
    });
  });
  // Otherwise a pause of some seconds would close a connection that is about to be reused.
  server.keepAliveTimeout = 0;
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  let port = 0;
  const up = async () => {
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    port = (server.address() as AddressInfo).port;
  };
  const down = async () => {
    if (!server.listening) return;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  await up();
  atEnd(down);
  return {
    url: `http://127.0.0.1:${port}/events`,
    received,
    taken,
    responds: (next) => {
      current = next;
    },
    down,
    up,
    async hasTaken(ids, timeout = scaledTimeout(30_000)) {
      const wanted = [...ids];
      const missing = () => {
        const there = new Set(taken.map(({ id }) => id));
        return wanted.filter((id) => !there.has(id));
      };
      await vi
        .waitUntil(() => missing().length === 0, { timeout, interval: 20 })
        .catch(() => {
          throw new Error(`${missing().length} of ${wanted.length} events did not arrive in ${timeout} ms.`);
        });
    },
  };
}

export interface JwsHeader {
  alg: string;
  kid: string;
  iat: number;
}

export function headerOf(signature: string): JwsHeader {
  return JSON.parse(Buffer.from(signature.split('.')[0] as string, 'base64url').toString());
}

/** Verifies a signature of these bytes with Node's cryptography and the key that the platform serves. */
export function isSigned(signature: string, body: Buffer, key: { der: string } | { pem: string }): boolean {
  const [head, middle, tail, ...more] = signature.split('.');
  if (middle !== '' || more.length > 0 || tail?.length !== 86) return false;
  const publicKey =
    'pem' in key
      ? createPublicKey(key.pem)
      : createPublicKey({ key: Buffer.from(key.der, 'base64'), format: 'der', type: 'spki' });
  const input = Buffer.from(`${head}.${body.toString('base64url')}`);
  const signed = Buffer.from(tail, 'base64url');
  return verify('sha256', input, { key: publicKey, dsaEncoding: 'ieee-p1363' }, signed);
}
