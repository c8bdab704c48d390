import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Bytes that are still read after the answer, at most. */
const lingerBytes = 1 << 20;
/** How long the client has to read the answer before the connection is torn down. */
const lingerMs = 1_000;

/** RFC 9112: a request has a body where it says how long that is. */
export function hasBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/**
 * For an answer that is given before the request has arrived: the answer goes out at once and ends the
 * connection, in an order in which the client can read it. Node closes both directions together, and a
 * connection that is closed with bytes unread is reset, which throws away an answer that is still on its
 * way. Here our direction closes first; the other one is read a little and then left alone for a second.
 *
 * Call it before the answer is written. Where all of the request is here, the connection is kept.
 */
export function closeAfterAnswer(request: IncomingMessage, response: ServerResponse): void {
  if (request.complete || request.destroyed) {
    request.resume();
    return;
  }
  if (!response.headersSent) response.setHeader('Connection', 'close');
  // A request that was never read would be drained by Node without end.
  request.pause();
  request.read(0);
  const { socket } = request;
  socket.destroySoon = () => linger(request, socket);
}

function linger(request: IncomingMessage, socket: Socket): void {
  const end = () => socket.destroy();
  // After a block of the event loop all timers are due, and fire before sockets are served. Begun again after half of
  // the time, this one leaves our end, and the client's reading, their turns.
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
