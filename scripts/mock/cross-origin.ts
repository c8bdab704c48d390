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
 * The headers that let pages of the request's origin send every method and header, with or without cookies (CORS, in the
 * Fetch standard), and whether the request is a preflight, whose response has nothing else.
 */
export function crossOrigin(
  { method, headers }: Pick<IncomingMessage, 'method' | 'headers'>,
  exposed: string,
): { isPreflight: boolean; allowed: Record<string, string> } {
  const {
    origin,
    'access-control-request-method': wanted,
    'access-control-request-headers': names,
  } = headers;
  // Any other OPTIONS is an unknown method of the path, as on the platform.
  const isPreflight = method === 'OPTIONS' && Boolean(origin && wanted);
  const allowed = {
    Vary: 'Origin',
    'X-Content-Type-Options': 'nosniff',
    // With cookies a browser does not accept `*`, here and below. It always accepts the origin itself.
    ...(origin && { 'Access-Control-Allow-Origin': origin, 'Access-Control-Allow-Credentials': 'true' }),
    ...(isPreflight
      ? {
          'Access-Control-Allow-Methods': String(wanted),
          ...(names && { 'Access-Control-Allow-Headers': names }),
          ...(headers['access-control-request-private-network'] && {
            'Access-Control-Allow-Private-Network': 'true',
          }),
          'Access-Control-Max-Age': '600',
          'Request-Id': randomUUID(),
        }
      : { 'Access-Control-Expose-Headers': exposed }),
  };
  return { isPreflight, allowed };
}

/**
 * Allows the request's origin. Only requests of origins that may call get here (`local-access.ts`).
 *
 * @returns whether the request was a preflight, which then has its response
 */
export function allowOrigin(request: IncomingMessage, response: ServerResponse, exposed: string): boolean {
  const { isPreflight, allowed } = crossOrigin(request, exposed);
  for (const [name, value] of Object.entries(allowed)) response.setHeader(name, value);
  if (isPreflight) response.writeHead(204).end();
  return isPreflight;
}
