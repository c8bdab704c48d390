import type { components } from './contract.ts';

type ErrorBody = components['schemas']['Error'];

export function isErrorBody(body: unknown): body is ErrorBody {
  if (typeof body !== 'object' || body === null) return false;
  return 'fingerprint' in body && 'errors' in body && Array.isArray(body.errors);
}

/**
 * The error of an answer that is not a success, which is always one. A proxy's page, or no body at all, becomes an
 * error object without reasons.
 *
 * @param foreign where the contract does not say what the body is: it stays what it is
 */
export function errorBody({ headers }: Response, body: unknown, foreign = false): unknown {
  if (isErrorBody(body) || (foreign && body)) return body;
  return { fingerprint: headers.get('Request-Id') ?? '', errors: [] } satisfies ErrorBody;
}
