import type { RequestHandler } from 'express';

/** Seconds that a browser may cache the response to a preflight. */
const preflightSeconds = '600';

/**
 * Lets browsers call from the origins that the operator allows (CORS in the Fetch standard). Scripts send
 * credentials in a header of their own, so cookies are never allowed.
 *
 * @param responseHeaders headers that a script may read besides the safelisted ones
 */
export function crossOrigin(
  allows: (origin: string) => boolean,
  responseHeaders: readonly string[],
): RequestHandler {
  const exposed = responseHeaders.join(', ');
  return (request, response, next) => {
    const { origin } = request.headers;
    if (origin === undefined) return next();
    response.setHeader('Vary', 'Origin');
    if (!allows(origin)) return next();
    response.setHeader('Access-Control-Allow-Origin', origin);
    const method = request.headers['access-control-request-method'];
    if (request.method !== 'OPTIONS' || method === undefined) {
      response.setHeader('Access-Control-Expose-Headers', exposed);
      return next();
    }
    response.setHeader('Access-Control-Allow-Methods', method);
    const headers = request.headers['access-control-request-headers'];
    if (headers !== undefined) response.setHeader('Access-Control-Allow-Headers', headers);
    response.setHeader('Access-Control-Max-Age', preflightSeconds);
    response.writeHead(204).end();
  };
}

/** Any port of this machine, as a development server uses. */
export function isLocalOrigin(origin: string): boolean {
  return /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/.test(origin);
}
