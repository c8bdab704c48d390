import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerMalformedRequests } from './http/last-resort.ts';

/** An address that cannot be listened on; the message is one line for the operator. */
export class ListenError extends Error {}

export interface Listener {
  port: number;
  /** Answers what has begun, begins nothing new, and closes; after `milliseconds` it no longer waits. */
  drain(milliseconds: number): Promise<void>;
}

/**
 * Serves an application.
 *
 * @param variable the environment variable that the port came from, for the message
 * @throws ListenError where the port is taken or not ours to have
 */
export async function listen(
  app: RequestListener,
  { host, port, variable }: { host: string; port: number; variable: string },
): Promise<Listener> {
  const server = createServer(
    { requestTimeout: 3_600_000, headersTimeout: 20_000, keepAliveTimeout: 65_000 },
    app,
  );
  answerMalformedRequests(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(explain(error, host, port, variable)));
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    drain: (milliseconds) => drain(server, milliseconds),
  };
}

async function drain(server: Server, milliseconds: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), milliseconds);
  await closed;
  clearTimeout(timer);
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
