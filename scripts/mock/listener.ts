import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  answerMalformedRequests,
  isHostMissing,
  malformed,
  starting,
} from '../../server/src/http/fallback-responses.ts';
import { securityHeaders } from '../../server/src/http/security-headers.ts';
import { listeningUrl } from '../../server/src/listen.ts';
import { CommandError, listenFault } from '../command-line/run-command.ts';

/** How long answers that have begun may take once the mock is told to stop. */
const drainMilliseconds = 1_000;

/** An address that is taken: a port in use is told before anything slow begins. */
export interface Listener {
  baseUrl: string;
  /** Answers from now on with this; until then the mock is starting: 503. */
  serve(listener: RequestListener): void;
  close(): Promise<void>;
}

/** @throws CommandError where the address is not to be had */
export async function openListener({ host, port }: { host: string; port: number }): Promise<Listener> {
  const headers = securityHeaders();
  const refuseMalformed = malformed(headers);
  let current: RequestListener = starting(headers);
  // As strict about HTTP as the platform is, and as patient: while a contract compiles, kept connections wait.
  const strictness = { joinDuplicateHeaders: true, requireHostHeader: false, keepAliveTimeout: 65_000 };
  const server = createServer(strictness, (request, response) =>
    isHostMissing(request) ? refuseMalformed(request, response) : current(request, response),
  );
  answerMalformedRequests(server, headers);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) =>
      reject(new CommandError(listenFault(error, port, host, '--port or MOCK_PORT'))),
    );
    server.listen(port, host, resolve);
  });
  return {
    baseUrl: listeningUrl(host, (server.address() as AddressInfo).port),
    serve(listener) {
      current = listener;
    },
    async close() {
      const timer = setTimeout(() => server.closeAllConnections(), drainMilliseconds);
      await new Promise<void>((closed) => server.close(() => closed()));
      clearTimeout(timer);
    },
  };
}
