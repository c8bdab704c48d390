import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Express } from 'express';
import { expressMessages } from './http/express-messages.ts';
import { answerMalformedRequests, isHostMissing, malformed } from './http/fallback-responses.ts';
import type { SecurityHeaders } from './http/security-headers.ts';

/** An address that cannot be listened on; the message is one line for the operator. */
export class ListenError extends Error {}

export interface Address {
  host: string;
  port: number;
  /** The environment variable that the port came from, for the message. */
  variable: string;
  /** Of every response that is not the application's. */
  headers: SecurityHeaders;
}

export interface Listener {
  port: number;
  /** Answers from now on with this. */
  serve(app: Express): void;
  /** Answers what has begun, begins nothing new, and closes; after `milliseconds` it no longer waits. */
  drain(milliseconds: number): Promise<void>;
}

/**
 * Takes an address, before there is anything to serve: a port in use is told at once.
 *
 * @param starting what answers until `serve` is called
 * @throws ListenError where the port is taken or not ours to have
 */
export async function listen(
  { host, port, variable, headers }: Address,
  starting: RequestListener,
): Promise<Listener> {
  let current = starting;
  const refuseMalformed = malformed(headers);
  // An upload of gigabytes takes its time; what stalls is ended by whoever reads the body.
  const timeouts = { requestTimeout: 3_600_000, headersTimeout: 20_000, keepAliveTimeout: 65_000 };
  // Two Authorization headers are none; a request without a host is refused with an error object.
  const strictness = { joinDuplicateHeaders: true, requireHostHeader: false };
  const answer: RequestListener = (request, response) =>
    isHostMissing(request) ? refuseMalformed(request, response) : current(request, response);
  const { belongTo, ...messages } = expressMessages();
  const server = createServer({ ...timeouts, ...strictness, ...messages }, answer);
  // RFC 9110, section 10.1.1: an expectation that is not known may be ignored.
  server.on('checkExpectation', answer);
  // A client that waits to be asked for its body is asked once somebody reads it: what is refused is never sent.
  server.on('checkContinue', (request, response) => {
    request.once('resume', () => {
      if (!response.headersSent) response.writeContinue();
    });
    answer(request, response);
  });
  answerMalformedRequests(server, headers);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(explain(error, host, port, variable)));
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    serve: (next) => {
      belongTo(next);
      current = next;
    },
    async drain(milliseconds) {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      const timer = setTimeout(() => server.closeAllConnections(), milliseconds);
      await closed;
      clearTimeout(timer);
    },
  };
}

function explain(error: NodeJS.ErrnoException, host: string, port: number, variable: string): Error {
  switch (error.code) {
    case 'EADDRINUSE':
      return new ListenError(`Port ${port} is in use. Set ${variable} to a free one.`);
    case 'EACCES':
      return new ListenError(
        `Port ${port} needs more rights than this user has. Set ${variable} to one above 1023.`,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new ListenError(`This machine has no address ${host}. Check HOST.`);
    default:
      return error;
  }
}

/** How a server on this machine is reached: any address is the loopback one, and IPv6 stands in brackets (RFC 3986). */
export function listeningUrl(host: string, port: number): string {
  const here = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${here.includes(':') ? `[${here}]` : here}:${port}`;
}
