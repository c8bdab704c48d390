import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { isIPv6, type Socket } from 'node:net';
import { errorBody, type Refusal, refuse } from '../contract/index.ts';
import type { SecurityHeaders } from './default-headers.ts';
import { closeAfterResponse, hasBody } from './unread-body.ts';

/** The response while the server starts. */
export const starting =
  (always: SecurityHeaders): RequestListener =>
  (_request, response) => {
    const id = randomUUID();
    const text = JSON.stringify(errorBody(refuse(503, 'service_unavailable'), id));
    response.writeHead(503, { ...always, ...headersOf(id, text), 'Retry-After': '1' }).end(text);
  };

/**
 * How Node treats requests that `isMalformed` judges: headers that must not occur twice are joined, which makes them
 * invalid, and a request without a Host header is passed on.
 */
export const strictness = { joinDuplicateHeaders: true, requireHostHeader: false };

// RFC 3986, section 3.2.2, and RFC 9110, section 7.2. The address in brackets is checked further.
const hostForm = /^(?:[\w.~!$&'()*+,;=-]|%[0-9a-f]{2})*(?::\d*)?$|^\[([0-9a-f:.]+)\](?::\d*)?$/i;

/**
 * Whether a request violates HTTP although Node's parser accepts it: by its version, its Host header (RFC 9112, section
 * 3.2), or a transfer coding other than `chunked` (section 6.1). Needs `strictness`.
 */
export function isMalformed({ headers, httpVersion }: IncomingMessage): boolean {
  const { host, 'transfer-encoding': coding } = headers;
  const isOld = httpVersion === '1.0';
  if (!isOld && httpVersion !== '1.1') return true;
  if (coding !== undefined && (isOld || !/^chunked$/i.test(coding))) return true;
  if (host === undefined) return !isOld;
  const found = hostForm.exec(host);
  return found === null || (found[1] !== undefined && !isIPv6(found[1]));
}

/** The response to a malformed request; Node's own has no body. */
export const malformed =
  (always: SecurityHeaders): RequestListener =>
  (request, response) => {
    if (hasBody(request)) closeAfterResponse(request, response);
    const id = randomUUID();
    const text = JSON.stringify(errorBody(refuse(400, 'request_malformed'), id));
    response.writeHead(400, { ...always, ...headersOf(id, text), Connection: 'close' }).end(text);
  };

/** The error object of a request that is outside of any operation. */
export function sendRefusal(
  request: IncomingMessage,
  response: ServerResponse,
  refusal: Refusal,
  headers: Record<string, string> = {},
  id: string = randomUUID(),
): void {
  if (hasBody(request)) closeAfterResponse(request, response);
  const text = JSON.stringify(errorBody(refusal, id));
  const all: Record<string, string> = { ...headers, ...headersOf(id, text) };
  if (refusal.status === 503) all['Retry-After'] ??= '5';
  // Equal lengths mean ASCII, which needs no second pass to encode.
  const isAscii = all['Content-Length'] === String(text.length);
  response.writeHead(refusal.status, all).end(text, isAscii ? 'latin1' : 'utf8');
}

/** How long a client has to read the response to a CONNECT. */
const connectLingerMs = 1_000;

/** Responds to bytes that are not HTTP and to requests that do not arrive in time. Node's own response has no body. */
export function respondToMalformedRequests(server: Server, always: SecurityHeaders): void {
  // Node closes the connection without a response: no proxy is here. It has removed its own listeners by then.
  server.on('connect', (_request, socket) => {
    socket.on('error', () => socket.destroy());
    setTimeout(() => socket.destroy(), connectLingerMs).unref();
    server.emit('clientError', new Error('CONNECT'), socket);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (!socket.writable || isResponding(socket)) {
      socket.destroy();
      return;
    }
    const refusal = clientErrorRefusal(error);
    const id = randomUUID();
    const text = JSON.stringify(errorBody(refusal, id));
    const headers = Object.entries({ ...always, ...headersOf(id, text), Connection: 'close' });
    const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
    socket.end(`HTTP/1.1 ${refusal.status} ${reasons[refusal.status]}\r\n${lines}\r\n${text}`);
  });
}

/**
 * Whether part of a response has been sent, so that no other may follow. Node stores it in this field and checks
 * it the same way.
 */
function isResponding(socket: Socket): boolean {
  const { _httpMessage: current } = socket as { _httpMessage?: ServerResponse | null };
  return current === undefined ? socket.bytesWritten > 0 : (current?.headersSent ?? false);
}

const reasons: Record<number, string> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
};

function clientErrorRefusal({ code }: NodeJS.ErrnoException): Refusal {
  if (code === 'HPE_HEADER_OVERFLOW') return refuse(431, 'headers_too_large');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return refuse(408, 'request_timeout');
  return refuse(400, 'request_malformed');
}

function headersOf(id: string, text: string): Record<string, string> {
  return {
    'Request-Id': id,
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(text)),
    'Cache-Control': 'no-store',
    Vary: 'Origin',
  };
}
