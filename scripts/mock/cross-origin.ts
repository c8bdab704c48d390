import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { routesOf } from '../../server/contract/index.ts';
import type { Contract } from '../contract/source.ts';

/** Headers that no operation documents. */
const always = ['Content-Length', 'Preference-Applied'];

/** Every header of a response that a script of another origin may read. */
export function exposedHeaders(contract: Contract): string {
  const documented = routesOf(contract).flatMap(({ operation }) =>
    Object.values(operation.responses).flatMap(({ headers }) => Object.keys(headers ?? {})),
  );
  return [...new Set([...documented, ...always])].sort().join(', ');
}

/**
 * Lets pages of the request's origin send every method and header, with or without cookies (CORS, in the Fetch
 * standard). Only requests of origins that may call get here (`local-access.ts`).
 *
 * @returns whether the request was a preflight, which then has its response
 */
export function allowOrigin(
  { method, headers }: IncomingMessage,
  response: ServerResponse,
  exposed: string,
): boolean {
  const {
    origin,
    'access-control-request-method': wanted,
    'access-control-request-headers': names,
  } = headers;
  response.setHeader('Vary', 'Origin');
  response.setHeader('X-Content-Type-Options', 'nosniff');
  // With cookies a browser does not accept `*`, here and below. It always accepts the origin itself.
  if (origin) {
    response.setHeader('Access-Control-Allow-Origin', origin);
    response.setHeader('Access-Control-Allow-Credentials', 'true');
  }
  // Any other OPTIONS is an unknown method of the path, as on the platform.
  if (method !== 'OPTIONS' || !origin || !wanted) {
    response.setHeader('Access-Control-Expose-Headers', exposed);
    return false;
  }
  response.setHeader('Access-Control-Allow-Methods', wanted);
  if (names) response.setHeader('Access-Control-Allow-Headers', names);
  if (headers['access-control-request-private-network'])
    response.setHeader('Access-Control-Allow-Private-Network', 'true');
  response.setHeader('Access-Control-Max-Age', '600');
  response.writeHead(204, { 'Request-Id': randomUUID() }).end();
  return true;
}
