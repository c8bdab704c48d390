import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Maximum number of bytes read after the response. */
const lingerBytes = 1 << 20;
/** How long the client has to read the response before the connection is destroyed. */
const lingerMs = 1_000;

/** RFC 9112: a request has a body if it says how long the body is. */
export function hasBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/**
 * For a response that is sent before the request has arrived: closes the connection in an order that lets the
 * client read the response. Node closes both directions at once, and closing a connection with unread bytes resets
 * it, which discards a response in transit. Here the sending direction closes first; the other is read for a
 * moment and then closed.
 *
 * Call it before the response is written. If the whole request has arrived, the connection is kept.
 */
export function closeAfterResponse(request: IncomingMessage, response: ServerResponse): void {
  if (request.complete || request.destroyed) {
    request.resume();
    return;
  }
  if (!response.headersSent) response.setHeader('Connection', 'close');
  // Without this, Node would read the rest of the unread request body.
  request.pause();
  request.read(0);
  const { socket } = request;
  socket.destroySoon = () => linger(request, socket);
}

function linger(request: IncomingMessage, socket: Socket): void {
  const end = () => socket.destroy();
  // After a block of the event loop all timers fire before sockets are served. Restarting after half of the time
  // gives both sides a turn.
  const half = lingerMs / 2;
  let timer = setTimeout(() => {
    timer = setTimeout(() => setImmediate(end), half);
  }, half);
  let read = 0;
  socket.once('close', () => clearTimeout(timer));
  request.on('error', end);
  request.once('end', end);
  request.on('data', (chunk: Buffer) => {
    read += chunk.length;
    if (read >= lingerBytes) request.pause();
  });
  socket.end();
  request.resume();
}
