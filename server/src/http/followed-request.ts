import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { followRequest, type StartSpan } from '../tracing/trace.ts';
import { parseTraceparent } from '../tracing/trace-context.ts';

const requestId = Symbol('Request-Id');

/** The `Request-Id` of the response. */
export function requestIdOf(request: IncomingMessage & { [requestId]?: string }): string {
  request[requestId] ??= randomUUID();
  return request[requestId];
}

/** What proxies send: UUIDs, hexadecimal and base64 text, Amazon's `Root=1-67891233-abcdef`. */
const proxyRequestId = /^[\w.:;=@+/-]{1,128}$/;

/**
 * Follows requests through the log: every line of a request has its trace and its ids. A request without a `traceparent`
 * begins a trace of its own.
 *
 * @param isTrusted whether an address is that of a proxy whose `X-Request-Id` is logged
 */
export function requestFollower({
  environment,
  startSpan,
  isTrusted,
}: {
  environment: string;
  startSpan: StartSpan | undefined;
  isTrusted(address: string): boolean;
}): (request: IncomingMessage, serve: () => void) => void {
  return (request, serve) => {
    const { method = '', headers, socket } = request;
    const id = requestIdOf(request);
    const given = headers['x-request-id'];
    const isFromProxy =
      typeof given === 'string' && proxyRequestId.test(given) && isTrusted(socket.remoteAddress ?? '');
    followRequest(
      {
        kind: 'server',
        name: method,
        attributes: { environment, 'http.request.method': method },
        startSpan,
        fields: isFromProxy ? { requestId: id, proxyRequestId: given } : { requestId: id },
        traceparent: parseTraceparent(headers['traceparent']),
        requestId: id,
      },
      serve,
    );
  };
}
