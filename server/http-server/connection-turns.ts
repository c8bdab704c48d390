import type { RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Maximum number of requests that wait for a turn, on all connections of a port. Each takes about 3 KiB. A client that
 * does not pipeline never waits.
 */
const maxWaiting = 10_000;

type WaitingRequest = Parameters<RequestListener>;

export interface ConnectionTurns {
  /** Handles a request: at once, or after the requests that arrived before it on its connection. */
  take: RequestListener;
  /** Whether a request of this connection is being handled or its response is being sent. */
  isBusy(socket: Socket): boolean;
  /** Whether the rest of a complete response is still to be sent. */
  areEnding(): boolean;
  /** Closes each connection after its last response. */
  closeConnections(): void;
}

/**
 * Handles the requests of a connection one after another: the next begins when the response to the previous one has been
 * passed to the operating system. Node parses all requests of a chunk at once, a thousand fit in one, and would hold all
 * of their responses for a client that reads none (RFC 9112, section 9.3.2, lets a server choose the order of work).
 *
 * Each turn of the event loop handles one pipelined request of a connection, so that other connections do not wait. If
 * too many requests wait in all, the connection that adds one is destroyed.
 */
export function connectionTurns(handle: RequestListener): ConnectionTurns {
  /** The response whose turn it is, by connection. */
  const current = new Map<Socket, ServerResponse>();
  const waiting = new Map<Socket, WaitingRequest[]>();
  let waitingCount = 0;

  const begin: RequestListener = (request, response) => {
    current.set(request.socket, response);
    response.on('close', end);
    handle(request, response);
  };
  // One function for all responses: a closure for each takes longer.
  const end = function (this: ServerResponse) {
    const { socket } = this.req;
    if (waiting.size > 0 && waiting.has(socket)) setImmediate(next, socket);
    else current.delete(socket);
  };
  const next = (socket: Socket) => {
    const queue = waiting.get(socket);
    // After a response that closes the connection, no other can be sent, so nothing may be carried out.
    const first = socket.writable ? queue?.shift() : undefined;
    if (queue && first) waitingCount--;
    if (!queue || !first || queue.length === 0) forgetWaiting(socket);
    if (!first) return void current.delete(socket);
    begin(...first);
    if (!waiting.has(socket)) socket.resume();
  };
  const forgetWaiting = (socket: Socket) => {
    waitingCount -= waiting.get(socket)?.length ?? 0;
    waiting.delete(socket);
  };
  const wait = (socket: Socket, pipelined: WaitingRequest) => {
    if (waitingCount >= maxWaiting) return void socket.destroy();
    waitingCount++;
    const queue = waiting.get(socket);
    if (queue) queue.push(pipelined);
    else waiting.set(socket, [pipelined]);
    // No further chunk is read until these requests have had their turns. Node may have resumed reading since.
    socket.pause();
  };

  return {
    take(request, response) {
      if (current.has(request.socket)) wait(request.socket, [request, response]);
      else begin(request, response);
    },
    isBusy: (socket) => current.has(socket),
    areEnding() {
      for (const response of current.values()) if (response.writableEnded) return true;
      return false;
    },
    closeConnections() {
      for (const [socket, response] of current)
        closeConnectionAfter(waiting.get(socket)?.at(-1)?.[1] ?? response);
    },
  };
}

/** Closes the connection after this response, unless its headers have been sent. */
export function closeConnectionAfter(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
}
