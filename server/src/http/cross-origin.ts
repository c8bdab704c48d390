import type { RequestHandler } from 'express';

/** Seconds that a browser may keep the answer to a preflight. */
const preflightSeconds = '600';

/**
 * Lets browsers call from the origins that the operator allows (the Fetch standard's CORS protocol).
 * Credentials travel in a header that a script sets itself, so cookies are never asked for.
 *
 * @param answerHeaders what a script may read of an answer, besides what it may read anyway
 */
export function crossOrigin(
  allows: (origin: string) => boolean,
  answerHeaders: readonly string[],
): RequestHandler {
  const exposed = answerHeaders.join(', ');
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

/** Any port of this machine: what a developer's browser comes from. */
export function isLocalOrigin(origin: string): boolean {
  return /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/.test(origin);
}
