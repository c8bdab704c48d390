import { createServer, IncomingMessage, type RequestListener, type Server, ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setImmediate as afterPoll, setTimeout as sleep } from 'node:timers/promises';
import type { Express } from 'express';
import { closeConnectionAfter, connectionTurns } from './connection-turns.ts';
import type { SecurityHeaders } from './default-headers.ts';
import { isMalformed, malformed, respondToMalformedRequests, strictness } from './fallback-responses.ts';

/** The server cannot listen on the address. The message is one line for the operator. */
export class ListenError extends Error {}

export interface Address {
  host: string;
  port: number;
  /** What sets host and port, for messages. */
  settings: Record<'host' | 'port', string>;
  /** Headers of responses that are not the application's. */
  headers: SecurityHeaders;
  /** How long a client may pause while it reads a response. Default: a minute. */
  responseIdleMilliseconds?: number;
}

export interface Listener {
  port: number;
  /** Passes all further requests to this application, and opens a port that was reserved. @throws ListenError */
  serve(app: Express): Promise<void>;
  /**
   * Stops accepting connections and completes open requests; after `limit` milliseconds it closes their connections.
   * For `grace` milliseconds before that, requests are still accepted: a load balancer sends them until it learns that
   * the platform is not ready. From the start, each response closes its connection.
   */
  drain(limit: number, grace?: number): Promise<void>;
}

/** How often connections are closed whose response began before the drain, and which are therefore kept. */
const idleCheckMilliseconds = 100;

/**
 * Listens on an address.
 *
 * @param first handles requests until `serve` is called
 * @throws ListenError if the port is in use or not permitted
 */
export async function listen(address: Address, first: RequestListener): Promise<Listener> {
  const { open, ...listener } = prepare(address, first);
  return { ...listener, port: await open() };
}

/**
 * Reports a port in use at once, but opens it only with `serve`: until then, connections are refused, and a
 * proxy sends the request to another server. A free port (0) is opened now: nobody knows it before the platform prints it.
 *
 * @throws ListenError if the port is in use
 */
export async function reserve(address: Address): Promise<Listener> {
  const { open, ...listener } = prepare(address, (request) => request.socket.destroy());
  if (address.port === 0) return { ...listener, port: await open() };
  if (await isTaken(address)) throw explain({ code: 'EADDRINUSE' }, address);
  return { ...listener, port: address.port };
}

/** How long an address may take to accept a connection: it is one of this machine. */
const probeMilliseconds = 1_000;

/** Whether a server listens there. Listening to find out would accept connections that nobody serves. */
async function isTaken({ host, port }: Address): Promise<boolean> {
  const socket = connect({ host: hereOf(host), port, timeout: probeMilliseconds });
  const taken = await new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true));
    for (const event of ['error', 'timeout']) socket.once(event, () => resolve(false));
  });
  socket.destroy();
  return taken;
}

/** A listener whose port `open` opens, if it is not open yet. */
function prepare(
  { host, port, settings, headers, responseIdleMilliseconds = 60_000 }: Address,
  first: RequestListener,
): Omit<Listener, 'port'> & { open(): Promise<number> } {
  let current = first;
  const refuseMalformed = malformed(headers);
  // A large upload takes long; code that reads a body ends it if it stalls.
  const timeouts = {
    requestTimeout: 3_600_000,
    headersTimeout: 20_000,
    keepAliveTimeout: 65_000,
    // How often the first two are checked. Node's default lets headers take 50 seconds.
    connectionsCheckingInterval: 1_000,
  };
  let draining = false;
  const turns = connectionTurns((request, response) => {
    if (isMalformed(request)) refuseMalformed(request, response);
    else current(request, response);
  });
  const handle: RequestListener = (request, response) => {
    if (draining) closeConnectionAfter(response);
    turns.take(request, response);
  };
  const { belongTo, ...messages } = expressMessages();
  const server = createServer({ ...timeouts, ...strictness, ...messages }, handle);
  // RFC 9110, section 10.1.1: an unknown expectation may be ignored.
  server.on('checkExpectation', handle);
  // Sends 100 Continue when the body is read, so that the body of a refused request is never sent.
  server.on('checkContinue', (request, response) => {
    request.once('resume', () => {
      if (!response.headersSent) response.writeContinue();
    });
    handle(request, response);
  });
  respondToMalformedRequests(server, headers);
  server.setTimeout(responseIdleMilliseconds, (socket) => {
    const isUnread = socket.writableLength > 0;
    // Kept after a response, for `keepAliveTimeout`. Other timeouts are those of headers and bodies.
    const isKept = socket.bytesWritten > 0 && !turns.isBusy(socket);
    if (isUnread || isKept) socket.destroy();
  });
  const closeIdle = server.closeIdleConnections.bind(server);
  // `close` calls it before it closes the port, in which time requests arrive.
  server.closeIdleConnections = () => {};
  const closeIdleQuietly = async () => {
    await quietTurns(server);
    // Node counts a connection as idle although the rest of its response is still to be sent.
    if (!turns.areEnding()) closeIdle();
  };
  const open = async () => {
    if (!server.listening)
      await new Promise<void>((resolve, reject) => {
        server.once('error', (error) => reject(explain(error, { host, port, settings })));
        server.listen(port, host, resolve);
      });
    return (server.address() as AddressInfo).port;
  };
  return {
    open,
    async serve(next) {
      belongTo(next);
      current = next;
      await open();
    },
    async drain(limit, grace = 0) {
      draining = true;
      turns.closeConnections();
      if (!server.listening) return;
      await sleep(grace);
      await quietTurns(server);
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      void closeIdleQuietly();
      const idle = setInterval(closeIdleQuietly, idleCheckMilliseconds);
      const timer = setTimeout(() => server.closeAllConnections(), limit);
      await closed;
      clearInterval(idle);
      clearTimeout(timer);
    },
  };
}

/** How long two turns of the event loop take at most that have next to nothing to do, without an interruption. */
const quietMilliseconds = 0.5;

/** How often they are waited for, of a server that is always busy. */
const maxTries = 500;

/**
 * Resolves when the kernel has next to no connections and requests that are not read yet: closing would reset them, and a
 * proxy must not repeat them if it cannot know whether they were carried out. A turn of the event loop accepts one
 * connection, the next one reads from it. What arrives during a long turn is not read at its end; after a pause, the
 * scheduler of the system seldom interrupts a short one.
 */
async function quietTurns(server: Server): Promise<void> {
  let accepted = 0;
  const count = () => accepted++;
  server.on('connection', count);
  for (let tries = 0, isQuiet = false; tries < maxTries && !isQuiet; tries++) {
    await sleep(1);
    const before = accepted;
    const startedAt = performance.now();
    for (let turn = 0; turn < 2; turn++) await afterPoll();
    isQuiet = accepted === before && performance.now() - startedAt < quietMilliseconds;
  }
  server.off('connection', count);
}

function explain(
  error: Partial<NodeJS.ErrnoException>,
  { host, port, settings }: Pick<Address, 'host' | 'port' | 'settings'>,
): unknown {
  switch (error.code) {
    case 'EADDRINUSE':
      return new ListenError(`Port ${port} is in use. Set ${settings.port} to a free one.`);
    case 'EACCES':
      return new ListenError(
        `Port ${port} needs more rights than this user has. Set ${settings.port} to one above 1023.`,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAFNOSUPPORT':
    case 'EAI_AGAIN':
    case 'EINVAL':
      return new ListenError(`This machine has no address ${host}. Check ${settings.host}.`);
    default:
      return error;
  }
}

/** The URL of a local server: the loopback address for any address, and IPv6 in brackets (RFC 3986). */
export function listeningUrl(host: string, port: number): string {
  const here = hereOf(host);
  return `http://${here.includes(':') ? `[${here}]` : here}:${port}`;
}

const hereOf = (host: string) => (host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host);

/** The request and response classes for `createServer`. */
export interface Messages {
  IncomingMessage: typeof IncomingMessage;
  ServerResponse: typeof ServerResponse<IncomingMessage>;
  /** Creates all further messages with the prototypes of this application. */
  belongTo(app: Express): void;
}

/**
 * Express changes the prototype of every request and response when it arrives, which makes V8 drop its
 * optimizations for the object: a quarter of the time of a small request. These classes start with that prototype,
 * so nothing changes later.
 */
export function expressMessages(): Messages {
  // Functions, because the prototype of a class is read-only.
  function Request(socket: unknown) {
    return Reflect.construct(IncomingMessage, [socket], Request);
  }
  function Response(request: unknown, options: unknown) {
    return Reflect.construct(ServerResponse, [request, options], Response);
  }
  Request.prototype = IncomingMessage.prototype;
  Response.prototype = ServerResponse.prototype;
  return {
    IncomingMessage: Request as unknown as typeof IncomingMessage,
    ServerResponse: Response as unknown as typeof ServerResponse<IncomingMessage>,
    belongTo(app) {
      Request.prototype = app.request;
      Response.prototype = app.response;
    },
  };
}
